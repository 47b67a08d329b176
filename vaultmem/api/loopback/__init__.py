"""HTTP on this machine alone: what a request must bring, how long it may take, and the server."""
