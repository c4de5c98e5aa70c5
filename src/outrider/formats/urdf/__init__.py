"""URDF and xacro, read and written."""

PUBLIC = ("colours", "description", "read", "write")
