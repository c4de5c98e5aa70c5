"""The bodies of actors: visual and collision shapes, made by code."""

PUBLIC = ("car", "figure", "person", "sheep")
