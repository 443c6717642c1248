"""Rules questions answered from a group's own rulebooks."""
