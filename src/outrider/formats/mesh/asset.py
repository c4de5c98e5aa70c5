"""Mesh files with their looks: one part for each node and material, in metres, z up."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np

from outrider.core.bounded_cache import bounded_cache
from outrider.core.errors import FormatError, near_match
from outrider.core.frames import Array, Pose
from outrider.formats.files_read import note_read
from outrider.formats.mesh.adapted_texture import adapted_texture
from outrider.formats.mesh.backfaces import MAX_FACES, seen_faces
from outrider.formats.mesh.files import load_raw
from outrider.formats.mesh.foliage import is_cut_out
from outrider.formats.mesh.frame import Placing, placed
from outrider.formats.mesh.mtl import read_libraries
from outrider.formats.mesh.opacity_map import with_opacity_map
from outrider.formats.mesh.raw import GREY, RGBA, RawAsset, RawGroup, RawMaterial, RawMesh
from outrider.formats.mesh.seams import joined_parts, single_numbered
from outrider.formats.mesh.textures import find_texture
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Mesh

Scale: TypeAlias = tuple[float, float, float]

KEPT_BYTES = 256 << 20  # of meshes that may be asked for again


@dataclass(frozen=True, slots=True, eq=False)
class MeshPart:
    """Triangles of one look; ``texture`` is an absolute path or empty.

    ``bare`` ones have no look in their file: grey stands for it.
    """

    name: str
    mesh: Mesh
    colour: RGBA = GREY
    texture: str = ""
    opacity: float = 1.0
    double_sided: bool = False
    bare: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MeshAsset:
    """A mesh file as it looks; ``notes`` say what was guessed, missing or left out."""

    parts: tuple[MeshPart, ...]
    notes: tuple[str, ...] = ()


def read_mesh_asset(
    path: Path | str,
    scale: Scale = (1.0, 1.0, 1.0),
    *,
    submesh: str | None = None,
    centre: bool = False,
    welded: bool = False,
    keep_axes: bool = False,
) -> MeshAsset:
    """Return the parts of a mesh file, in metres and z up.

    ``submesh`` picks the parts of one name, ``centre`` puts the middle of their box at the origin,
    ``welded`` leaves out texture coordinates, which cut surfaces open: for contacts. ``keep_axes``
    passes over the axis that Collada says is up.
    """
    path = Path(path)
    note_read(path)
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(f"{path}: cannot read the mesh: {reason}") from None
    changed = (status.st_mtime_ns, status.st_size)
    read = partial(_read, path, changed, scale, submesh=submesh, centre=centre, keep_axes=keep_axes)
    asset = read(welded=False)
    return read(welded=True) if welded and _is_cut(asset) else asset


@bounded_cache(KEPT_BYTES)
def _read(
    path: Path,
    changed: tuple[int, int],
    scale: Scale,
    submesh: str | None,
    centre: bool,
    welded: bool,
    keep_axes: bool,
) -> MeshAsset:
    del changed  # part of the key only: a changed file is read anew
    raw = load_raw(path)
    notes_on_frame = list(_frame_notes(path, raw))
    if keep_axes and path.suffix.lower() == ".dae" and raw.up_axis != "Z":
        notes_on_frame[-1] = (
            f"{path}: the axis that it says is up is passed over, as in ROS and Gazebo;"
            " 'outrider import FILE --to FOLDER --collada-up file' turns it"
        )
        raw = replace(raw, up_axis="Z")
    placing = Placing.of(path, raw, scale)
    looks, bare, notes = _looks(path, raw)
    chosen = list(_chosen(path, raw, submesh))
    if welded:
        chosen = [(mesh, replace(group, uv_faces=None)) for mesh, group in chosen]
    parts = [
        replace(_part(path, mesh, group, placing, looks), bare=group.material in bare)
        for mesh, group in chosen
    ]
    notes = [*raw.notes, *notes_on_frame, *notes]
    return MeshAsset(_centred(parts) if centre else tuple(parts), tuple(dict.fromkeys(notes)))


def _is_cut(asset: MeshAsset) -> bool:
    """Return whether texture coordinates cut a surface open; no matter in a huge one, a ground."""
    faces = sum(len(part.mesh.faces) for part in asset.parts)
    return faces <= MAX_FACES and any(part.mesh.uv is not None for part in asset.parts)


def asset_geometry(
    asset: MeshAsset,
    pose: Pose | None = None,
    material: Material | None = None,
    bare: Material | None = None,
) -> tuple[Geometry, ...]:
    """Return a visual for each look: its own colour and texture, the rest of ``material``.

    Parts that look alike become one: a hundred leaves are drawn at once. Of faces in the same
    place, a front and a back, only one is left: two would flicker. Parts without a look of their
    own have that of ``bare``, if it is given, which is laid over them by the metre.
    """
    base = material or Material()
    alike: dict[tuple[object, ...], list[MeshPart]] = {}
    for part in without_backs(asset).parts:
        shown = _unmapped(part) if part.bare and bare else part
        key = (part.colour, part.texture, shown.mesh.uv is None, part.bare)
        alike.setdefault(key, []).append(shown)
    return tuple(
        Geometry(
            joined_parts([part.mesh for part in parts]),
            pose or Pose(),
            bare if bare and parts[0].bare else _painted(base, parts[0]),
            parts[0].name,
        )
        for parts in alike.values()
    )


def _unmapped(part: MeshPart) -> MeshPart:
    return replace(part, mesh=replace(part.mesh, uv=None))


def _painted(base: Material, part: MeshPart) -> Material:
    """Return a material with a part's own colour and texture."""
    soft = base.soft or is_cut_out(part.texture)
    return replace(base, colour=part.colour, texture=part.texture, soft=soft)


@bounded_cache(KEPT_BYTES)
def without_backs(asset: MeshAsset) -> MeshAsset:
    """Return an asset without faces that lie in the place of others; textured ones stay."""
    meshes = [(part.mesh.vertices, part.mesh.faces) for part in asset.parts]
    seen = seen_faces(meshes, [int(bool(part.texture)) for part in asset.parts])
    if seen is None:
        return asset
    parts = tuple(
        replace(part, mesh=replace(part.mesh, faces=part.mesh.faces[own]), double_sided=True)
        for part, own in zip(asset.parts, seen, strict=True)
        if own.any()
    )
    return replace(asset, parts=parts)


def _chosen(path: Path, raw: RawAsset, submesh: str | None) -> Iterator[tuple[RawMesh, RawGroup]]:
    """Yield the groups of a file, or those of one name."""
    pairs = [(mesh, group) for mesh in raw.meshes for group in mesh.groups]
    if submesh is None:
        yield from pairs
        return
    found = [(m, g) for m, g in pairs if submesh == g.name or submesh in m.aliases]
    if not found:
        names = sorted({name for m, g in pairs for name in (g.name, *m.aliases) if name})
        known = ", ".join(names[:8]) or "none"
        hint = near_match(submesh, names)
        raise FormatError(f"{path}: it has no submesh '{submesh}'{hint}; there are {known}")
    yield from found


def _part(
    path: Path, mesh: RawMesh, group: RawGroup, placing: Placing, looks: dict[str, RawMaterial]
) -> MeshPart:
    points, faces, uv = single_numbered(mesh, group)
    if placing.mirrors:
        faces = faces[:, ::-1]
    solid = Mesh(placed(placing, points), faces, str(path), uv)
    look = looks.get(group.material, RawMaterial())
    opacity = look.colour[3]
    return MeshPart(group.name, solid, look.colour, look.texture, opacity, look.double_sided)


def _looks(path: Path, raw: RawAsset) -> tuple[dict[str, RawMaterial], set[str], list[str]]:
    """Return the materials with their textures found, which say nothing, and what was not found."""
    looks = dict(raw.looks)
    notes: list[str] = []
    if raw.libraries:
        more, notes = read_libraries(path, raw.libraries)
        looks |= more
    used = {group.material for mesh in raw.meshes for group in mesh.groups}
    bare = {name for name in used if _says_nothing(looks.get(name, RawMaterial()))}
    for name in sorted(used & set(looks)):
        address = looks[name].texture
        if address:
            found = find_texture(path, address)
            looks[name] = _textured(looks[name], found and adapted_texture(found, looks[name]))
            if not found:
                notes.append(f"{path}: there is no texture '{address[:200]}'; grey is used")
        looks[name] = _with_holes(path, looks[name], notes)
    return looks, bare, notes


def _says_nothing(look: RawMaterial) -> bool:
    return replace(look, double_sided=False) == RawMaterial()


def _with_holes(path: Path, look: RawMaterial, notes: list[str]) -> RawMaterial:
    """Return a look with its opacity map in its texture; one that cannot be had is noted."""
    if look.opacity is None:
        return look
    address = look.opacity.address
    found = look.opacity._replace(address=find_texture(path, address))
    if found.address and found.address == look.texture and found.channel in ("", "m"):
        return look  # the colours' own picture, whose opacity counts anyway
    try:
        if found.address:
            return _textured(look, with_opacity_map(look.texture, look.colour, found))
        notes.append(f"{path}: there is no opacity map '{address[:200]}'; it is left out")
    except (OSError, FormatError) as error:
        notes.append(f"{path}: the opacity map was left out: {error}")
    return look


def _textured(look: RawMaterial, texture: str) -> RawMaterial:
    """Return a look with its texture's file: white below it, grey where it is missing."""
    r, g, b = (1.0, 1.0, 1.0) if texture else GREY[:3]
    return replace(look, texture=texture, colour=(r, g, b, look.colour[3]))


def _centred(parts: list[MeshPart]) -> tuple[MeshPart, ...]:
    corners: Array = np.array(
        [f(part.mesh.vertices, axis=0) for part in parts for f in (np.min, np.max)]
    )
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    return tuple(
        replace(part, mesh=replace(part.mesh, vertices=part.mesh.vertices - middle))
        for part in parts
    )


def _frame_notes(path: Path, raw: RawAsset) -> Iterator[str]:
    if raw.unit != 1.0:
        yield f"{path}: unit {raw.unit:g} m applied"
    if not raw.up_axis:
        yield f"{path}: it has no up_axis; Y_UP is used, the default"
    elif raw.up_axis != "Z":
        yield f"{path}: {raw.up_axis} axis up rotated to Z"
