"""Runs that are measured: one, or a series in processes of their own, with files beside them."""

PUBLIC = ("facts", "figures", "folder", "mapped", "measured", "series", "statistics", "worker")
