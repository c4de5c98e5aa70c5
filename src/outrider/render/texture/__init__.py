"""Textures for both renderers: mipmaps, coordinates, filtering."""

PUBLIC = ("coordinates", "derivatives", "directed", "halving", "kernels", "mipmaps", "planes")
