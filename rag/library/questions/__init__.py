"""What a question asks, told by its words alone: whether it asks, its parts, the things it names. Pure."""
