"""The simulated Husky beside real ones: recordings are replayed and compared."""

PUBLIC = ("recordings", "validate")
