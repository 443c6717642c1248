"""From understood queries to ranked pages: words and meaning, fused game by game."""
