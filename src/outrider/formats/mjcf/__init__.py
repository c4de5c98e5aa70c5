"""MuJoCo's MJCF, read and written."""

PUBLIC = ("read", "write")
