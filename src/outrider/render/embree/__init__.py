"""The renderer that needs no graphics at all: rays by Embree, shading by compiled code."""

PUBLIC = ("renderer",)
