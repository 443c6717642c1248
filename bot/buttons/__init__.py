"""Buttons, each a class with what it does; they carry the id of an answer, so they work after a restart."""
