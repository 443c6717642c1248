"""The terminal: what `python -m rag` shows, and how."""
