"""File formats: robots, worlds, meshes and materials, read into the types of ``world``."""
