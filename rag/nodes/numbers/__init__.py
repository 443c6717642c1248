"""Whether the lines that a statement cites print its numbers, or what they are calculated from."""
