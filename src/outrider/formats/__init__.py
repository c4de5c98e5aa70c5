"""Files: robots, worlds, meshes and materials, read into the world's types."""
