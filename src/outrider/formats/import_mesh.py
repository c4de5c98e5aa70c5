"""Mesh files as the visuals and colliders of a link that is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from outrider.core.frames import Pose
from outrider.formats.import_notes import NoteKind, Notes
from outrider.formats.mesh_asset import MeshAsset, asset_geometry, read_mesh_asset
from outrider.world.materials import Material
from outrider.world.model import Geometry

_KINDS: tuple[tuple[str, NoteKind], ...] = (
    ("there is no", "missing"), ("not found", "missing"), ("unit", "applied"),
    ("axis", "applied"), ("taken", "guessed"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MeshUse:
    """A mesh as a model refers to it."""

    path: Path
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    submesh: str | None = None
    centre: bool = False


def mesh_visuals(
    use: MeshUse, pose: Pose, material: Material, own_look: bool, name: str, notes: Notes
) -> tuple[Geometry, ...]:
    """Return a mesh as it looks; without a look of its own it gets the material's."""
    found = asset_geometry(_asset(use, notes), pose, material)
    if own_look:
        return tuple(replace(g, name=name or g.name) for g in found)
    return tuple(replace(g, material=material, name=name or g.name) for g in found)


def mesh_colliders(
    use: MeshUse, pose: Pose, material: Material, name: str, notes: Notes
) -> tuple[Geometry, ...]:
    """Return a mesh as it is felt: part by part, so that ground and things on it stay apart."""
    parts = _asset(use, notes).parts
    return tuple(Geometry(part.mesh, pose, material, name or part.name) for part in parts)


def _asset(use: MeshUse, notes: Notes) -> MeshAsset:
    try:
        asset = read_mesh_asset(use.path, use.scale, submesh=use.submesh, centre=use.centre)
    except NotImplementedError:
        from outrider.formats.mesh_asset import MeshPart
        from outrider.formats.meshes import read_mesh
        asset = MeshAsset((MeshPart(use.path.stem, read_mesh(use.path, use.scale)),))
    for text in asset.notes:
        kind: NoteKind = next((kind for word, kind in _KINDS if word in text), "ignored")
        notes.add(kind, text if str(use.path) in text else f"{use.path}: {text}")
    return asset
