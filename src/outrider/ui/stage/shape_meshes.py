"""Shapes as meshes with normals and texture coordinates; those of large shapes are cached."""

from collections import OrderedDict

import numpy as np

from outrider.core.cache import content_key
from outrider.render.normals import smooth_normals
from outrider.render.texture.coordinates import texture_coordinates
from outrider.scene.surface import Floats32
from outrider.ui.stage.mesh import WebMesh
from outrider.world.model import Geometry
from outrider.world.shapes import Faces

_MOST_KEPT = 256


class ShapeMeshes:
    """Makes meshes of shapes, cached by content."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, WebMesh] = OrderedDict()

    def piece(self, geometry: Geometry, vertices: Floats32, faces: Faces, label: int) -> WebMesh:
        """Return a shape's mesh: smooth up to a crease, sharp along it."""
        material = geometry.material
        key = content_key(vertices, faces, material.texture, material.texture_size, label)
        if key not in self._kept:
            self._kept[key] = _piece(geometry, vertices, faces, label)
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def _piece(geometry: Geometry, vertices: Floats32, faces: Faces, label: int) -> WebMesh:
    places = texture_coordinates(geometry, vertices, faces)
    uv_faces = faces if places is None else places[1]
    normals, source, uv_source, new_faces = smooth_normals(vertices, faces, uv_faces)
    uv = None if places is None else places[0][uv_source]
    indices = new_faces.reshape(-1).astype(np.uint32)
    return WebMesh(vertices[source], normals, uv, indices, ((0, label),))
