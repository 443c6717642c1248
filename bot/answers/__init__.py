"""What is kept of an answer, and the buttons under it."""
