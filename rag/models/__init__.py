"""Chat and embedding models, and all that can go wrong with them."""
