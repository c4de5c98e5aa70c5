"""Which points are ground, and which are in the way."""
