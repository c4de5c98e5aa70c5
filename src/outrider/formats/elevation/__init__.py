"""Elevation: images, ESRI ASCII grids, SRTM tiles and GeoTIFF as heights on a grid."""

PUBLIC = ("heightmap", "image", "write")
