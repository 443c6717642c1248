"""The indexed rulebooks: reading PDFs, indexing them, finding pages."""
