"""Measured runs: one, or a series in separate processes, with result files."""

PUBLIC = ("facts", "figures", "folder", "mapped", "measured", "series", "statistics", "worker")
