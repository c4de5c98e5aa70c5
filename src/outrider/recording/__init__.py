"""Recordings of what the bus carries, and their replay."""
