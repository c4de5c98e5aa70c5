"""What the mesh readers give: triangles as a file numbers them, with the file's own unit and axes.

Corners name a point and a texture coordinate separately, as most formats do: welded points for
contacts, and texture seams for pictures, both come out of the same data.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError
from outrider.core.frames import AnyArray, Array
from outrider.core.structure import Data
from outrider.formats.mesh.opacity import OpacityMap
from outrider.world.shapes import Faces

RGBA: TypeAlias = tuple[float, float, float, float]
Indices: TypeAlias = NDArray[np.int64]

GREY: RGBA = (0.6, 0.6, 0.6, 1.0)
WHITE: RGBA = (1.0, 1.0, 1.0, 1.0)
MAX_TRIANGLES = 50_000_000
FARTHEST = 1e12


@dataclass(frozen=True, slots=True)
class RawMaterial:
    """A material: ``texture`` is the address as written, the colour's last value the opacity.

    ``tint`` is what a texture's light is multiplied by; ``cut`` the opacity below which nothing of
    it is there, and all of it from there on (None: as the picture says); ``opacity`` is a picture
    that decides about it in place of the texture's own.
    """

    colour: RGBA = GREY
    texture: str = ""
    double_sided: bool = False
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    cut: float | None = None
    opacity: OpacityMap | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RawGroup:
    """Triangles of a node and material: ``faces`` index points, ``uv_faces`` the uv."""

    name: str
    material: str
    faces: Faces
    uv_faces: Faces | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RawMesh:
    """Groups that share their points; ``aliases`` are the other names it can be asked for by."""

    points: Array
    groups: tuple[RawGroup, ...]
    uv: Array | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RawAsset:
    """One mesh file; ``libraries`` are files beside it that define more materials."""

    meshes: tuple[RawMesh, ...]
    looks: dict[str, RawMaterial] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unit: float = 1.0
    up_axis: str = "Z"  # empty where a Collada file does not say


Reader: TypeAlias = Callable[[Path, bytes], RawAsset]


def checked(path: Path, asset: RawAsset) -> RawAsset:
    """Refuse what cannot be a surface, and leave out groups without triangles."""
    notes: list[str] = []
    meshes = [_checked_mesh(path, mesh, notes) for mesh in asset.meshes]
    meshes = [mesh for mesh in meshes if mesh.groups]
    if not meshes:
        raise FormatError(f"{path}: it contains no triangles")
    return replace(asset, meshes=tuple(meshes), notes=asset.notes + tuple(dict.fromkeys(notes)))


def _checked_mesh(path: Path, mesh: RawMesh, notes: list[str]) -> RawMesh:
    groups = tuple(group for group in mesh.groups if len(group.faces))
    if not np.isfinite(mesh.points).all():
        raise FormatError(f"{path}: some vertices are not finite")
    if mesh.points.size and max(mesh.points.max(), -mesh.points.min()) > FARTHEST:
        raise FormatError(f"{path}: some vertices are more than {FARTHEST:g} units away")
    for group in groups:
        check_indices(path, group.faces, len(mesh.points))
    uv = mesh.uv
    if uv is not None and not np.isfinite(uv).all():
        notes.append(f"{path}: some texture coordinates are not finite and were set to 0")
        uv = np.where(np.isfinite(uv), uv, 0.0)
    if uv is None or any(not _fits(group.uv_faces, len(uv)) for group in groups):
        if uv is not None:
            notes.append(f"{path}: texture coordinates that do not exist were left out")
        uv, groups = None, tuple(replace(group, uv_faces=None) for group in groups)
    return replace(mesh, groups=groups, uv=uv)


def _fits(uv_faces: Faces | None, count: int) -> bool:
    return uv_faces is None or (int(uv_faces.min()) >= 0 and int(uv_faces.max()) < count)


def check_indices(path: Path, faces: NDArray[np.integer], count: int) -> None:
    """Refuse triangles that name points that do not exist."""
    if faces.size and (faces.min() < 0 or faces.max() >= count):
        worst = int(faces.min() if faces.min() < 0 else faces.max())
        raise FormatError(f"{path}: a triangle names vertex {worst}, there are {count}")


def mirrors(T: Array) -> bool:
    """Return whether a 4x4 transform turns triangles inside out."""
    with np.errstate(all="ignore"):
        return bool(np.linalg.det(T[:3, :3]) < 0)


def reversed_faces(group: RawGroup) -> RawGroup:
    """Return triangles that turn the other way, as a mirror image needs."""
    uv_faces = None if group.uv_faces is None else group.uv_faces[:, ::-1]
    return replace(group, faces=group.faces[:, ::-1], uv_faces=uv_faces)


def pack(asset: RawAsset) -> dict[str, NDArray[np.generic]]:
    """Return an asset as named arrays, for the cache on disk."""
    arrays: dict[str, NDArray[np.generic]] = {}
    meshes: list[Data] = []
    for i, mesh in enumerate(asset.meshes):
        arrays[f"points{i}"] = mesh.points
        if mesh.uv is not None:
            arrays[f"uv{i}"] = mesh.uv
        for j, group in enumerate(mesh.groups):
            arrays[f"faces{i}_{j}"] = group.faces
            if group.uv_faces is not None:
                arrays[f"uv_faces{i}_{j}"] = group.uv_faces
        groups = [(group.name, group.material) for group in mesh.groups]
        meshes.append({"groups": groups, "aliases": mesh.aliases})
    about = {
        "meshes": meshes,
        "looks": {name: asdict(look) for name, look in asset.looks.items()},
        "rest": (asset.libraries, asset.notes, asset.unit, asset.up_axis),
    }
    return {**arrays, "about": np.frombuffer(json.dumps(about).encode(), np.uint8)}


def unpack(arrays: dict[str, AnyArray]) -> RawAsset:
    """Return the asset that ``pack`` made these arrays of."""
    about = json.loads(arrays["about"].tobytes())
    meshes = tuple(
        RawMesh(
            arrays[f"points{i}"],
            tuple(
                RawGroup(name, material, arrays[f"faces{i}_{j}"], arrays.get(f"uv_faces{i}_{j}"))
                for j, (name, material) in enumerate(mesh["groups"])
            ),
            arrays.get(f"uv{i}"),
            tuple(mesh["aliases"]),
        )
        for i, mesh in enumerate(about["meshes"])
    )
    looks = {name: _look(look) for name, look in about["looks"].items()}
    libraries, notes, unit, up_axis = about["rest"]
    return RawAsset(meshes, looks, tuple(libraries), tuple(notes), unit, up_axis)


def _look(look: Data) -> RawMaterial:
    kept = look["opacity"]
    opacity = None if kept is None else OpacityMap(*kept)
    colour, tint = tuple(look["colour"]), tuple(look["tint"])
    return RawMaterial(**look | {"colour": colour, "tint": tint, "opacity": opacity})
