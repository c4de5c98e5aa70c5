"""Worlds and robots built in Python: they become the same files that people write by hand."""
