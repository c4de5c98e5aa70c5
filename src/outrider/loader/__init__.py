"""From Outrider's own files and the library to a World: ground, terrain, models, materials."""
