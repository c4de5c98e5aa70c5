"""What other programs may ask of a running simulation."""

PUBLIC = ("arguments", "control", "session", "whereabouts")
