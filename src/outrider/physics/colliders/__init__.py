"""Collision shapes made from meshes, accurate to them."""

PUBLIC = ("gap", "shapes")
