"""glTF 2.0 and GLB, read and written."""

PUBLIC = ("document", "write")
