"""Mesh files: one reader per format, all giving raw triangles; materials, repair, writing."""

PUBLIC = ("asset", "foliage", "gltf.write", "link_geometry", "polygons", "write")
