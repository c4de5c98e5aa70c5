"""Benchmarks of the UDP Bridge, next to rosbridge and bare sockets in separate processes."""

PUBLIC = ("udp",)
