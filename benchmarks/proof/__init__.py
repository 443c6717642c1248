"""Statements over invented books, true and false, and what becomes of each as a claim."""
