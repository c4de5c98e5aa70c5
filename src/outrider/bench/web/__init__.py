"""Benchmarks of the rosbridge server, with its clients in separate processes."""

PUBLIC = ("web",)
