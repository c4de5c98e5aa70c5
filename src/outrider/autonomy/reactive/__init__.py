"""Brains of one idea each, for teaching: they need no map."""
