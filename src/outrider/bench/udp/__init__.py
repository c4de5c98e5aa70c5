"""Benchmarks of the UDP Bridge beside rosbridge and bare sockets, receivers in own processes."""

PUBLIC = ("udp",)
