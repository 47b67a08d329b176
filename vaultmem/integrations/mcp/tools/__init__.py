"""The tools of the server, a module each: its arguments, its result, its function, its row."""
