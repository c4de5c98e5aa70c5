"""Terrain from recipes: heights, materials, colours, and scattered objects."""
