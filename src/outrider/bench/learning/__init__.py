"""Benchmarks of environments for learning beside one of PyBullet's."""

PUBLIC = ("environments",)
