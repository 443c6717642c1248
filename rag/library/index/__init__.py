"""What lies on disk, or on a Chroma server."""
