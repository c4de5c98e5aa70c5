"""What other programs may ask of a running simulation."""

PUBLIC = ("handlers", "in_process", "whereabouts")
