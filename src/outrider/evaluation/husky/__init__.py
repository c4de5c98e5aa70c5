"""Comparison of the simulated Husky with real ones: recordings are replayed."""

PUBLIC = ("recordings", "validate")
