"""Procedural textures for props, cached under the hash of their recipe."""

PUBLIC = (
    "facade",
    "images",
    "lanes",
    "leaves",
    "masonry",
    "metal",
    "outline",
    "recipe",
    "tiling",
    "wood",
)
