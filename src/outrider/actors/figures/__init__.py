"""The bodies of actors: shapes to see and to bump into, made by code."""

PUBLIC = ("car", "figure", "person", "sheep")
