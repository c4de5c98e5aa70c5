"""The same place seen again: key frames, loops, and a trajectory without contradictions."""
