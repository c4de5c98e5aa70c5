"""Shapes that engines can collide, made from meshes and true to them."""

PUBLIC = ("coarse_ground", "gap", "shapes")
