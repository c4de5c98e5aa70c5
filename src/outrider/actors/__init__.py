"""People, cars and animals that move by themselves: their file format, bodies and behaviour."""
