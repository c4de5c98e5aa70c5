"""The OpenGL renderer, on a GPU or in software."""

PUBLIC = ("renderer",)
