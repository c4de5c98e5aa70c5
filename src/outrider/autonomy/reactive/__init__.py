"""Reactive controllers for teaching, one idea each: they need no map."""
