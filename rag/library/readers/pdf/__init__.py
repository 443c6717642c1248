"""The reader of PDFs."""
