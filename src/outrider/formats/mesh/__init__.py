"""Mesh files: one reader per format, all giving the same raw triangles; looks, repair, writing."""

PUBLIC = ("asset", "foliage", "gltf.write", "link_geometry", "polygons", "write")
