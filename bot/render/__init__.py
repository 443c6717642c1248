"""How things look in Discord."""
