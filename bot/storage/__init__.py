"""What the bot keeps in DATA_DIR."""
