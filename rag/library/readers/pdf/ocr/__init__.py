"""Pages that are pictures, read by optical character recognition."""
