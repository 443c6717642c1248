"""A question's way through Discord."""
