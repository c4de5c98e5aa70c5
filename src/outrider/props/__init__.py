"""Props: procedural objects for worlds, one file and one registry line each."""
