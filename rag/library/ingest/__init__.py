"""From files to a published index."""
