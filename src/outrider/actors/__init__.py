"""People, cars and animals that move by themselves: their files, figures and behaviour."""
