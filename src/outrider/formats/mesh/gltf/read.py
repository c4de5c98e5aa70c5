"""glTF 2.0 and GLB: nodes, meshes, materials. Its y axis points up, its unit is the metre."""

from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array, Pose
from outrider.core.structure import Data
from outrider.formats.mesh.gltf.document import GltfDocument
from outrider.formats.mesh.gltf.materials import gltf_look, texture_set, transformed_uv
from outrider.formats.mesh.polygons import as_faces, weld
from outrider.formats.mesh.raw import (
    MAX_TRIANGLES,
    Indices,
    RawAsset,
    RawGroup,
    RawMaterial,
    RawMesh,
    check_indices,
    mirrors,
)
from outrider.world.shapes import Faces

_DRACO = "KHR_draco_mesh_compression"
_HARMLESS = (
    "KHR_materials_",
    "KHR_texture_transform",
    "KHR_mesh_quantization",
    "KHR_lights_punctual",
    "KHR_texture_basisu",
    "EXT_texture_webp",
)
_MAX_DEPTH = 200
_TRIANGLES, _STRIP, _FAN = 4, 5, 6


def read_gltf(path: Path, data: bytes) -> RawAsset:
    """Return the meshes of the file's scene where its nodes put them."""
    document = GltfDocument(path, data)
    try:
        return _GltfReader(document).asset()
    except (TypeError, AttributeError, KeyError, ValueError, OverflowError) as error:
        # whatever shape of JSON was not foreseen; deeper errors name what they wanted
        raise document.fail(
            f"its JSON does not follow the glTF specification: {str(error)[:100]}"
        ) from None


class _GltfReader:
    """Walks the nodes of one document."""

    def __init__(self, document: GltfDocument) -> None:
        self.document = document
        self.notes: list[str] = []
        self.looks: dict[str, RawMaterial] = {}
        self.meshes: list[RawMesh] = []
        self.triangles = 0

    def asset(self) -> RawAsset:
        self._refuse_unknown()
        for number in self._roots():
            self._walk(number, np.eye(4), ())
        notes = tuple(dict.fromkeys(self.notes))
        return RawAsset(tuple(self.meshes), self.looks, notes=notes, up_axis="Y")

    def _refuse_unknown(self) -> None:
        for name in self.document.json.get("extensionsRequired") or []:
            if name == _DRACO:
                raise self.document.fail(
                    f"it is compressed with Draco ({_DRACO}); export it without compression"
                )
            if not str(name).startswith(_HARMLESS):
                raise self.document.fail(f"it needs the extension {str(name)[:60]}, not read here")

    def _roots(self) -> list[object]:
        document = self.document
        if document.json.get("scenes"):
            scene = document.item("scenes", document.json.get("scene", 0))
            return list(scene.get("nodes") or [])
        children = {
            c for node in document.json.get("nodes") or [] for c in node.get("children", [])
        }
        return [k for k in range(len(document.json.get("nodes") or [])) if k not in children]

    def _walk(self, number: object, T_scene_parent: Array, above: tuple[object, ...]) -> None:
        if number in above or len(above) > _MAX_DEPTH:
            raise self.document.fail(f"nodes[{number}] is its own descendant")
        node = self.document.item("nodes", number)
        T_scene_node = T_scene_parent @ self._transform(node)
        if node.get("mesh") is not None:
            mesh = self.document.item("meshes", node["mesh"])
            self._add_mesh(node, mesh, T_scene_node)
        for child in node.get("children") or []:
            self._walk(child, T_scene_node, (*above, number))

    def _transform(self, node: Data) -> Array:
        document = self.document
        if node.get("matrix") is not None:
            matrix = document.numbers(node["matrix"], 16, "matrix")
            return np.array(matrix).reshape(4, 4).T
        rotation = np.array(document.numbers(node.get("rotation", [0, 0, 0, 1]), 4, "rotation"))
        if not rotation.any():
            raise document.fail("a node's rotation is a quaternion of length zero")
        place = np.array(document.numbers(node.get("translation", [0, 0, 0]), 3, "translation"))
        out = Pose(place, rotation).matrix
        out[:3, :3] *= document.numbers(node.get("scale", [1, 1, 1]), 3, "scale")
        return out

    def _add_mesh(self, node: Data, mesh: Data, T: Array) -> None:
        if node.get("skin") is not None:
            self.notes.append(f"{self.document.path}: skins are read in their rest pose")
        name = str(node.get("name") or mesh.get("name") or "")
        aliases = tuple(str(n) for n in (mesh.get("name"),) if n)
        for primitive in mesh.get("primitives") or []:
            found = self._primitive(primitive, name, aliases, T)
            if found is not None:
                self.meshes.append(found)

    def _primitive(
        self, primitive: Data, name: str, aliases: tuple[str, ...], T: Array
    ) -> RawMesh | None:
        document = self.document
        if _DRACO in (primitive.get("extensions") or {}):
            raise document.fail(
                f"it is compressed with Draco ({_DRACO}); export it without compression"
            )
        mode = primitive.get("mode", _TRIANGLES)
        if mode not in (_TRIANGLES, _STRIP, _FAN):
            self.notes.append(f"{document.path}: points and lines were left out")
            return None
        attributes = primitive.get("attributes") or {}
        corners = document.array(attributes.get("POSITION")).astype(np.float64)
        if corners.shape[1] != 3:
            raise document.fail("POSITION must have three values")
        faces = self._faces(primitive, mode, len(corners))
        self.triangles += len(faces)
        if self.triangles > MAX_TRIANGLES:
            raise document.fail(f"its nodes repeat to more than {MAX_TRIANGLES} triangles")
        if mirrors(T):
            faces = faces[:, ::-1]
        with np.errstate(all="ignore"):  # what is not finite is refused later
            corners = corners @ T[:3, :3].T + T[:3, 3]
        points, number = weld(corners)
        material, uv = self._material(primitive), self._uv(primitive, attributes, len(corners))
        group = RawGroup(name, material, number[faces], None if uv is None else faces)
        return RawMesh(points, (group,), uv, aliases)

    def _faces(self, primitive: Data, mode: int, count: int) -> Faces:
        if primitive.get("indices") is None:
            order: Indices = np.arange(count)
        else:
            order = self.document.array(primitive["indices"])[:, 0].astype(np.int64)
        check_indices(self.document.path, order, count)
        return as_faces(_triangles(order, mode))

    def _material(self, primitive: Data) -> str:
        number = primitive.get("material")
        if number is None:
            return ""
        name = f"{self.document.whole(number, 'material')}"
        if name not in self.looks:
            self.looks[name] = gltf_look(self.document, int(name), self.notes)
        return name

    def _uv(self, primitive: Data, attributes: Data, count: int) -> Array | None:
        number = primitive.get("material")
        accessor = attributes.get(f"TEXCOORD_{texture_set(self.document, number)}")
        if accessor is None:
            return None
        uv = self.document.array(accessor).astype(np.float64)
        if uv.shape != (count, 2):
            raise FormatError(
                f"{self.document.path}: expected as many texture coordinates as vertices"
            )
        return transformed_uv(self.document, number, uv)


def _triangles(order: Indices, mode: int) -> Indices:
    """Return triangles (m, 3) of a list, strip or fan of corners."""
    if mode == _TRIANGLES:
        return order[: len(order) // 3 * 3].reshape(-1, 3)
    count = max(0, len(order) - 2)
    k = np.arange(count)
    if mode == _FAN:
        return np.stack([np.full(count, order[0] if count else 0), order[k + 1], order[k + 2]], 1)
    odd = k % 2  # every second triangle of a strip turns the other way
    return np.stack([order[k], order[k + 1 + odd], order[k + 2 - odd]], axis=1)
