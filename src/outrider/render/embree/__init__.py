"""The renderer that needs no graphics driver: rays by Embree, shading by compiled code."""

PUBLIC = ("renderer",)
