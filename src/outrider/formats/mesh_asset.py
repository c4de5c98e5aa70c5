"""Mesh files with their looks: one part for each node and material, in metres, z up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from outrider.core.frames import Pose
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Mesh

Scale: TypeAlias = tuple[float, float, float]
RGBA: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class MeshPart:
    """Triangles of one look; ``texture`` is an absolute path or empty."""

    name: str
    mesh: Mesh
    colour: RGBA = (0.6, 0.6, 0.6, 1.0)
    texture: str = ""
    opacity: float = 1.0
    double_sided: bool = False


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
    unit: float | None = None,
    up_axis: str | None = None,
) -> MeshAsset:
    """Return the parts of a mesh file; ``unit`` (m) and ``up_axis`` overrule what it says."""
    raise NotImplementedError


def asset_geometry(
    asset: MeshAsset, pose: Pose | None = None, material: Material | None = None
) -> tuple[Geometry, ...]:
    """Return one visual per part: its own colour and texture, the rest of ``material``."""
    base = material or Material()
    return tuple(
        Geometry(
            part.mesh,
            pose or Pose(),
            replace(base, colour=part.colour, texture=part.texture),
            part.name,
        )
        for part in asset.parts
    )
