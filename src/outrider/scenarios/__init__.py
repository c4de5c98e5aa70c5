"""Scenarios: their file, how they are built, run and judged."""
