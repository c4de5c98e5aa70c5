"""Recordings as plain folders: files that any program can read."""

PUBLIC = ("kitti", "writer")
