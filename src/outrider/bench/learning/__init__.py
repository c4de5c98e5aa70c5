"""Benchmarks of the learning environments, next to one in PyBullet."""

PUBLIC = ("environments",)
