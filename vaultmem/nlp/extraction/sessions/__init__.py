"""What came of a session: its episodes, what its tools did, how far the work is."""
