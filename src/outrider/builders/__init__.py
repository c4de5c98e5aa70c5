"""Worlds and robots built in Python; they become the same specs that files are read into."""
