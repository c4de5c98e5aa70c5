"""Way points: one goal after another, from a file or a scenario."""
