"""From our own files and the library to a World: worlds, grounds, terrain, models, materials."""
