"""Geoms, meshes, height fields and materials of an MJCF file."""

import numpy as np

from outrider.core.frames import Pose
from outrider.formats.asset_folder import AssetFolder
from outrider.formats.picture import png_bytes
from outrider.formats.xml_source import Element
from outrider.formats.xml_write import child, is_identity, number, numbers
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Capsule, Cylinder, HeightField, Mesh, Plane, Shape, Sphere
from outrider.world.tessellate import tessellate

_SMALL = 64  # corners of a mesh that is written into the file itself
_FEWEST = 4  # corners that MuJoCo wants, also for a single triangle
_SHOWN, _FELT = "2", "3"  # groups: MuJoCo's viewer shows the former and hides the latter


def placed(pose: Pose, *, always: bool = False) -> dict[str, str]:
    """Return a pose as attributes; quaternions begin with w in MuJoCo."""
    if is_identity(pose) and not always:
        return {}
    return {"pos": numbers(pose.position), "quat": numbers(np.roll(pose.rotation, 1))}


class MjcfGeometryWriter:
    """Writes geoms into bodies, and what they refer to into the assets."""

    def __init__(self, asset: Element, files: AssetFolder) -> None:
        self.asset = asset
        self.files = files
        self._assets: dict[int, tuple[Shape, str]] = {}  # shapes are kept: numbers stay theirs
        self._names: set[str] = set()
        self._materials: dict[tuple[object, ...], str] = {}

    def visual(self, body: Element, geometry: Geometry, hint: str) -> None:
        """Append what is seen and never touched."""
        options = {"contype": "0", "conaffinity": "0", "group": _SHOWN}
        options |= self._looks(geometry.material)
        child(body, "geom", **self._shape(geometry, hint), **options)

    def collider(self, body: Element, geometry: Geometry, hint: str) -> None:
        """Append what is touched and not shown."""
        friction = numbers([geometry.material.friction, 0.005, 0.0001])
        child(body, "geom", **self._shape(geometry, hint), group=_FELT, friction=friction)

    def _shape(self, geometry: Geometry, hint: str) -> dict[str, str]:
        shape, pose = geometry.shape, geometry.pose
        match shape:
            case Plane(size=size):
                return {"type": "plane", "size": numbers([size / 2, size / 2, 1.0]), **placed(pose)}
            case Box(size=size):
                half = numbers(edge / 2 for edge in size)
                return {"type": "box", "size": half, **placed(pose)}
            case Sphere(radius=radius):
                return {"type": "sphere", "size": number(radius), **placed(pose)}
            case Cylinder() | Capsule():
                kind = "capsule" if isinstance(shape, Capsule) else "cylinder"
                measures = numbers([shape.radius, shape.length / 2])
                return {"type": kind, "size": measures, **placed(pose)}
            case HeightField():
                lowest = pose @ Pose(np.array([0.0, 0.0, float(shape.heights.min())]))
                return {"type": "hfield", "hfield": self._field(shape, hint), **placed(lowest)}
        return {"type": "mesh", "mesh": self._mesh(shape, hint), **placed(pose)}

    def _mesh(self, shape: Shape, hint: str) -> str:
        if id(shape) not in self._assets:
            mesh = shape if isinstance(shape, Mesh) else tessellate(shape)
            name = self._name(hint)
            # shell: flat pictures have no volume; masses are given, so it changes nothing else
            child(self.asset, "mesh", name=name, inertia="shell", **self._triangles(mesh, hint))
            self._assets[id(shape)] = shape, name
        return self._assets[id(shape)][1]

    def _triangles(self, mesh: Mesh, hint: str) -> dict[str, str]:
        """Return small meshes as text and others as a file: a world may have thousands of parts."""
        if mesh.uv is not None or len(mesh.vertices) > _SMALL:
            return {"file": self.files.mesh(mesh, hint)}
        faces = " ".join(map(str, mesh.faces.ravel().tolist()))
        corners = mesh.vertices
        if len(corners) < _FEWEST:
            corners = np.vstack([corners, corners.mean(axis=0)])
        return {"vertex": numbers(corners.ravel()), "face": faces}

    def _field(self, field: HeightField, hint: str) -> str:
        """Write heights in MuJoCo's own file: rows along y, 32-bit floats, over a base of 1 m."""
        if id(field) not in self._assets:
            name = self._name(hint)
            span = max(float(np.ptp(field.heights)), 1e-6)
            n_x, n_y = field.heights.shape
            scaled = (field.heights - field.heights.min()) / span
            data = np.array([n_y, n_x], "<i4").tobytes() + scaled.T.astype("<f4").tobytes()
            size = numbers([field.size[0] / 2, field.size[1] / 2, span, max(1.0, span)])
            file = self.files.data(data, hint, ".hfield")
            child(self.asset, "hfield", name=name, file=file, size=size)
            self._assets[id(field)] = field, name
        return self._assets[id(field)][1]

    def _looks(self, material: Material) -> dict[str, str]:
        if not material.texture:
            return {"rgba": numbers(material.colour)}
        key = (material.name, material.texture, material.colour)
        if key not in self._materials:
            self._materials[key] = self._textured(material)
        name = self._materials[key]
        return {"material": name} if name else {"rgba": numbers(material.colour)}

    def _textured(self, material: Material) -> str:
        picture = png_bytes(material.texture)
        if picture is None:
            return ""
        name = self._name(material.name)
        file = self.files.data(picture, material.name, ".png")
        child(self.asset, "texture", name=name, type="2d", file=file)
        child(self.asset, "material", name=name, texture=name, rgba=numbers(material.colour))
        return name

    def _name(self, hint: str) -> str:
        name, count = hint, 2
        while name in self._names:
            name, count = f"{hint}_{count}", count + 1
        self._names.add(name)
        return name
