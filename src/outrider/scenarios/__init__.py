"""Scenarios: their file format, how they are built, run and evaluated."""
