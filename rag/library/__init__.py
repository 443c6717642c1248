"""The indexed rulebooks: reading their files, indexing them, finding pages."""
