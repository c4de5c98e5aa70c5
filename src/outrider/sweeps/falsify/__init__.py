"""Searches for the smallest disturbance that makes a run fail."""

PUBLIC = ("falsify", "search")
