"""SDF worlds and models, versions 1.4 to 1.11, read and written."""

PUBLIC = ("read", "write")
