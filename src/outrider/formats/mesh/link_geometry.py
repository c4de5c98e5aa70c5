"""Mesh files as the visuals and colliders of a link that is read."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from outrider.core.bounded_cache import bounded_cache
from outrider.core.frames import Pose
from outrider.formats.mesh.asset import (
    KEPT_BYTES,
    MeshAsset,
    asset_geometry,
    read_mesh_asset,
    without_backs,
)
from outrider.formats.mesh.foliage import is_cut_out
from outrider.formats.notes import NoteKind, Notes
from outrider.world.materials import Material
from outrider.world.model import Geometry

_KINDS: tuple[tuple[str, NoteKind], ...] = (
    ("there is no", "missing"),
    ("not found", "missing"),
    ("unit", "applied"),
    ("axis", "applied"),
    ("taken", "guessed"),
)

# RViz, MoveIt and Gazebo pass over the axis that Collada says is up, and most models are made to
# look right there; other viewers turn meshes as their file says
ColladaUp: TypeAlias = Literal["ros", "file"]


@dataclass(frozen=True, slots=True)
class MeshUse:
    """A mesh as a model refers to it."""

    path: Path
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    submesh: str | None = None
    centre: bool = False
    collada_up: ColladaUp = "ros"


def mesh_visuals(
    use: MeshUse, pose: Pose, material: Material, own_look: bool, name: str, notes: Notes
) -> tuple[Geometry, ...]:
    """Return a mesh as it looks; without a look of its own it gets the material's."""
    painted = replace(material, soft=material.soft or is_cut_out(material.texture))
    return tuple(
        Geometry(g.shape, pose, _looking(material, g) if own_look else painted, name or g.name)
        for g in _looks(_asset(use, notes))
    )


def _looking(material: Material, of: Geometry) -> Material:
    """Return a material that feels as told and looks as the mesh does, as far as it is opaque."""
    look = of.material
    r, g, b, a = look.colour
    faded = (r, g, b, a * material.colour[3])
    return replace(material, colour=faded, texture=look.texture, soft=look.soft)


def mesh_colliders(
    use: MeshUse, pose: Pose, material: Material, name: str, notes: Notes
) -> tuple[Geometry, ...]:
    """Return a mesh as it is felt: part by part, so that ground and things on it stay apart."""
    parts = without_backs(_asset(use, notes, welded=True)).parts
    felt = [part for part in parts if not is_cut_out(part.texture)]
    if len(felt) < len(parts):
        triangles = sum(len(part.mesh.faces) for part in parts if part not in felt)
        notes.add(
            "applied",
            f"{use.path}: {triangles} triangles with transparent textures (foliage) do not collide",
        )
    return tuple(Geometry(part.mesh, pose, material, name or part.name) for part in felt)


@bounded_cache(KEPT_BYTES)
def _looks(asset: MeshAsset) -> tuple[Geometry, ...]:
    """Return a mesh as it looks; a hundred trees of one file share their triangles."""
    return asset_geometry(asset)


def _asset(use: MeshUse, notes: Notes, *, welded: bool = False) -> MeshAsset:
    asset = read_mesh_asset(
        use.path,
        use.scale,
        submesh=use.submesh,
        centre=use.centre,
        welded=welded,
        keep_axes=use.collada_up == "ros",
    )
    for text in asset.notes:
        kind: NoteKind = next((kind for word, kind in _KINDS if word in text), "ignored")
        key = "up axis" if "up is passed over" in text else ""
        notes.add(kind, text if str(use.path) in text else f"{use.path}: {text}", key)
    return asset
