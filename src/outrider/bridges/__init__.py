"""Ways to the outside: each knows messages and the bus, none can block a step."""
