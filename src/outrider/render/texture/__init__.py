"""Textures for both renderers: mipmaps, coordinates, filtering."""

PUBLIC = (
    "coordinates",
    "derivatives",
    "anisotropic",
    "downsampling",
    "kernels",
    "mipmaps",
    "planes",
)
