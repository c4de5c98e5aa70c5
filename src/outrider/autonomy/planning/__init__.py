"""From a map and a goal to commands."""
