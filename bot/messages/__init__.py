"""Messages, threads and calls of Discord."""
