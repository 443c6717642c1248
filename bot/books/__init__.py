"""What the bot knows of the books: lists, channels' games, and where a question is answered from."""
