"""What the program knows of languages."""
