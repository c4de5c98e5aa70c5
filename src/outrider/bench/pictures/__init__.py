"""Benchmarks of images: cameras on a drive, and what a lookup in a texture costs."""

PUBLIC = ("cameras", "filming")
