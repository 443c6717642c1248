"""How fast answers come, and what they cost: each figure beside its bound or its rival."""
