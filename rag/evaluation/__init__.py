"""`python -m rag evaluate`: how well retrieval and answers do on questions whose pages are known."""
