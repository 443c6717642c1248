"""Retrieval strategies: how the pages for an answer are gathered."""
