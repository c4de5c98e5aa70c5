"""Benchmarks: next to a peer or a limit in the same run, as medians with a spread."""
