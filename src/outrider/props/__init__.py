"""Things that stand in worlds, made by code from a seed: one file and one registry line each."""
