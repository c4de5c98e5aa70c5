"""Models and worlds as they look, in one GLB file: a node for every link, pictures inside."""

import math

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.core.structure import Data
from outrider.formats.mesh.gltf.buffer import GltfBuffer
from outrider.formats.mesh.srgb import linear_from_srgb
from outrider.formats.picture import picture
from outrider.formats.textures import alpha_mode
from outrider.formats.xml_write import is_identity
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Mesh, Shape
from outrider.world.tessellate import tessellate

_HALF = math.sqrt(0.5)
_Z_TO_Y = [-_HALF, 0.0, 0.0, _HALF]  # glTF's y points up
_WHITE = (1.0, 1.0, 1.0)
_CUT_OFF = 0.5  # less opaque pixels of leaves and fences are not there


def write_glb(of: World | Model) -> bytes:
    """Return a world or model as a GLB file; colliders stand in where a model has no visuals."""
    models = of.models if isinstance(of, World) else (of,)
    return _GltfWriter().write(of.name, models)


class _GltfWriter:
    def __init__(self) -> None:
        self.buffer = GltfBuffer()
        self.tables: dict[str, list[Data]] = {
            name: [] for name in ("nodes", "meshes", "materials", "textures", "images")
        }
        self._meshes: dict[tuple[int, int], tuple[Shape, int]] = {}  # shapes are kept alive
        self._arrays: dict[int, Data] = {}
        self._materials: dict[tuple[object, ...], int] = {}
        self._textures: dict[str, tuple[int, str] | None] = {}

    def write(self, name: str, models: tuple[Model, ...]) -> bytes:
        tops = [self._model(model) for model in models]
        if not tops:
            raise FormatError(f"world '{name}' has nothing in it to write")
        top = self._add("nodes", {"name": name, "rotation": _Z_TO_Y, "children": tops})
        document: Data = {
            "asset": {"version": "2.0", "generator": "Outrider"},
            "scene": 0,
            "scenes": [{"name": name, "nodes": [top]}],
            **{table: rows for table, rows in self.tables.items() if rows},
        }
        if self.tables["textures"]:
            document["samplers"] = [{"wrapS": 10497, "wrapT": 10497}]  # repeat
        try:
            return self.buffer.file(document)
        except OverflowError as error:
            raise FormatError(str(error)) from None

    def _model(self, model: Model) -> int:
        if not model.links:
            raise FormatError(f"model '{model.name}' has no links")
        seen = "visuals" if any(link.visuals for link in model.links) else "colliders"
        first = [self._link(model, root, Pose(), seen) for root in model.roots]
        inner = [self._model(item) for item in model.children]
        return self._node(model.name, model.pose, [*first, *inner])

    def _link(self, model: Model, link: Link, pose: Pose, seen: str) -> int:
        below = [
            self._link(model, model.link(joint.child), joint.origin, seen)
            for joint in model.joints
            if joint.parent == link.name
        ]
        shapes = [self._shape(geometry, link.name) for geometry in getattr(link, seen)]
        return self._node(link.name, pose, [*shapes, *below])

    def _shape(self, geometry: Geometry, link: str) -> int:
        mesh = self._mesh(geometry)
        return self._node(geometry.name or f"{link}_shape", geometry.pose, [], mesh)

    def _node(self, name: str, pose: Pose, children: list[int], mesh: int | None = None) -> int:
        node: Data = {"name": name}
        if not is_identity(pose):
            node["translation"], node["rotation"] = pose.position.tolist(), pose.rotation.tolist()
        if children:
            node["children"] = children
        if mesh is not None:
            node["mesh"] = mesh
        return self._add("nodes", node)

    def _mesh(self, geometry: Geometry) -> int:
        shape = geometry.shape
        textured = isinstance(shape, Mesh) and shape.uv is not None
        key = id(shape), self._material(geometry.material, textured=textured)
        if key not in self._meshes:
            primitive = {**self._triangles(shape), "material": key[1]}
            number = self._add("meshes", {"primitives": [primitive]})
            self._meshes[key] = shape, number
        return self._meshes[key][1]

    def _triangles(self, shape: Shape) -> Data:
        if id(shape) not in self._arrays:
            mesh = tessellate(shape)
            if not len(mesh.faces):
                raise FormatError(f"mesh {mesh.source} has no triangles".replace("  ", " "))
            attributes = {"POSITION": self.buffer.array(mesh.vertices, bounds=True)}
            if mesh.uv is not None:
                # glTF counts from the top of the picture
                coordinates = np.column_stack([mesh.uv[:, 0], 1.0 - mesh.uv[:, 1]])
                attributes["TEXCOORD_0"] = self.buffer.array(coordinates)
            indices = self.buffer.array(mesh.faces.reshape(-1))
            self._arrays[id(shape)] = {"attributes": attributes, "indices": indices}
        return self._arrays[id(shape)]

    def _material(self, material: Material, *, textured: bool) -> int:
        texture = material.texture if textured else ""
        key = material.name, material.colour, texture
        if key not in self._materials:
            self._materials[key] = self._add("materials", self._looks(material, texture))
        return self._materials[key]

    def _looks(self, material: Material, texture: str) -> Data:
        found = self._texture(texture) if texture else None
        r, g, b, opacity = material.colour
        colour = (r, g, b) if found is None else _WHITE  # a texture is not tinted
        surface: Data = {
            "baseColorFactor": _factor((*colour, opacity)),
            "metallicFactor": 0.0,
            "roughnessFactor": 1.0,
        }
        looks = {"name": material.name, "pbrMetallicRoughness": surface, "doubleSided": True}
        if found is not None:
            surface["baseColorTexture"] = {"index": found[0]}
        if opacity < 1 or (found is not None and found[1] == "BLEND"):
            looks["alphaMode"] = "BLEND"
        elif found is not None and found[1] == "MASK":
            looks |= {"alphaMode": "MASK", "alphaCutoff": _CUT_OFF}
        return looks

    def _texture(self, path: str) -> tuple[int, str] | None:
        """Return the number of a texture and its ``alphaMode``; None if it cannot be read."""
        if path not in self._textures:
            found = picture(path)
            number = -1
            if found is not None:
                view = self.buffer.view(found.data)
                image = self._add("images", {"bufferView": view, "mimeType": found.mime})
                number = self._add("textures", {"source": image, "sampler": 0})
            self._textures[path] = (number, alpha_mode(path, found)) if found else None
        return self._textures[path]

    def _add(self, table: str, row: Data) -> int:
        self.tables[table].append(row)
        return len(self.tables[table]) - 1


def _factor(colour: tuple[float, float, float, float]) -> list[float]:
    """Return a colour as glTF counts it: in proportion to light, not as screens show it."""
    r, g, b, a = (min(max(float(part), 0.0), 1.0) for part in colour)
    return [linear_from_srgb(r), linear_from_srgb(g), linear_from_srgb(b), a]
