"""Static triangle meshes, exactly: a tree over the triangles and a kernel in MuJoCo's table."""

PUBLIC = ("meshes",)
