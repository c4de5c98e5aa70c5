"""Collision shapes made from meshes, accurate to them."""

PUBLIC = ("coarse_ground", "gap", "shapes")
