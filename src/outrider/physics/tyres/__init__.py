"""Wheels, belts and castors on the ground: rays into the scene, and the resulting forces."""

PUBLIC = ("bumps", "data", "kernels", "settling", "tyres")
