"""Which books there are, what they are called, and the types of their pages."""
