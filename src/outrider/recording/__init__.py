"""Recordings of the bus, and their replay."""
