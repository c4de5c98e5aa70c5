"""The constant description of the world, and its current state as arrays."""
