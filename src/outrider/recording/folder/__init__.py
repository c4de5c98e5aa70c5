"""Recordings as plain folders: files that any program reads."""

PUBLIC = ("kitti", "writer")
