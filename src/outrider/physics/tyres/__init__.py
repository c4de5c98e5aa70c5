"""Wheels, belts and castors on the ground: rays into the scene, and the forces they give."""

PUBLIC = ("bumps", "data", "kernels", "tyres")
