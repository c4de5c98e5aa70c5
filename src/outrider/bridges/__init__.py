"""Connections to other programs: each knows messages and the bus, none can block a step."""
