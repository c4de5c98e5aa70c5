"""Textures for both renderers: mip maps, coordinates, filtering."""

PUBLIC = ("coordinates", "derivatives", "directed", "halving", "kernels", "mipmaps", "planes")
