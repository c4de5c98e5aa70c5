"""Planning: from a map and a goal to commands."""
