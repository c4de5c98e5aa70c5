"""Benchmarks of the rosbridge server, with its clients in processes of their own."""

PUBLIC = ("web",)
