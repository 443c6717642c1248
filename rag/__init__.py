"""Rules questions answered from a group's own rulebooks."""

__version__ = "0.3.0"
