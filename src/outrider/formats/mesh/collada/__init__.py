"""Collada (.dae)."""

PUBLIC = ()
