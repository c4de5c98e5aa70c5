"""How far colliders deviate from visible surfaces, part by part."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from outrider.core.errors import WorldError
from outrider.core.frames import Array
from outrider.core.structure import Data
from outrider.formats.mesh.foliage import solid_geometry
from outrider.physics.colliders.gap import surface_gap
from outrider.physics.colliders.shapes import colliders
from outrider.scene.triangles import triangles
from outrider.world.assembly import Body, StaticPart, assemble
from outrider.world.materials import is_unseen
from outrider.world.model import Geometry, World
from outrider.world.shapes import Mesh, Plane

RAYS = 1000
SHOWN = 0.001  # m: smaller differences are not told one by one
MOST_SHOWN = 12
APART = 0.05  # m: what an import tells


def surface_facts(world: World) -> Data:
    """Return the largest difference between colliders and what rays and cameras see."""
    assembly = assemble(world)
    parts: list[StaticPart | Body] = [*assembly.static, *assembly.bodies]
    found = [_difference(part) for part in parts]
    gaps = sorted((item for item in found if item["gap"] is not None), key=lambda i: -i["gap"])
    largest = gaps[0] if gaps else None
    alone = [text for part in parts if (text := _one_sided(part))]
    return {
        "collider_shapes": sum(item["pieces"] for item in found),
        "largest_difference_m": round(largest["gap"], 4) if largest else 0.0,
        "differences": (alone + [i["text"] for i in gaps if i["gap"] > SHOWN])[:MOST_SHOWN],
        "collider_notes": sorted({note for item in found for note in item["notes"]}),
    }


def apart(world: World) -> list[str]:
    """Return where what is seen and what is felt differ by more than ``APART``, the largest first.

    Compared as the file gives them, before an engine makes convex parts of what moves. A world
    that cannot be put together, such as a robot without masses, can still be imported.
    """
    try:
        assembly = assemble(world)
    except WorldError:
        return []
    parts: list[StaticPart | Body] = [*assembly.static, *assembly.bodies]
    alone = [text for part in parts if (text := _one_sided(part))]
    gaps = [
        _gap(part, solid_geometry(_seen(part)), part.colliders)
        for part in parts
        if _seen(part) and part.colliders
    ]
    wide = sorted((gap for gap in gaps if gap[0] > APART), reverse=True)
    return alone + [text for _, text in wide]


def _gap(
    part: StaticPart | Body, visuals: Sequence[Geometry], colliders: Sequence[Geometry]
) -> tuple[float, str]:
    """Return the largest difference of a part's two surfaces, and a sentence about it."""
    seen, felt = _bounded(visuals, colliders)
    if not seen or not felt or [id(g) for g in seen] == [id(g) for g in felt]:
        return 0.0, ""
    gap, where = surface_gap(seen, felt, RAYS)
    place = ", ".join(f"{value:.2f}" for value in where)
    return gap, f"{part.name}: {gap:.3g} m at {place}"


def _one_sided(part: StaticPart | Body) -> str:
    """Return a sentence about a part that sensors see but nothing touches, or the reverse."""
    if not part.apart or bool(part.colliders) == bool(_seen(part)):
        return ""
    if part.colliders:
        return f"{part.name}: solid but invisible: its file gives no visual"
    return f"{part.name}: visible but not solid: its file gives no collision shape"


def _difference(part: StaticPart | Body) -> Data:
    name, touching = part.name, part.colliders
    static = isinstance(part, StaticPart)
    made = [colliders(geometry, static=static) for geometry in touching]
    pieces = [piece for item in made for piece in item.pieces]
    notes = [f"{name}: {note}" for item in made for note in item.notes]
    solid = solid_geometry(_seen(part))  # leaves are seen, not touched
    facts: Data = {"gap": None, "text": "", "notes": notes, "pieces": len(pieces)}
    gap, text = _gap(part, solid or touching, pieces)
    return facts | {"gap": gap, "text": text} if text else facts


def _seen(part: StaticPart | Body) -> tuple[Geometry, ...]:
    return tuple(g for g in part.visuals if not is_unseen(g.material))


def _bounded(
    seen: Sequence[Geometry], felt: Sequence[Geometry]
) -> tuple[list[Geometry], list[Geometry]]:
    """Cut planes, which have no end, to what else there is; two planes alone do not differ."""
    limited = [g for g in (*seen, *felt) if not isinstance(g.shape, Plane)]
    if not limited:
        return [], []
    corners = np.concatenate([g.pose.apply(triangles(g.shape).vertices) for g in limited])
    box = np.array(list(product(*zip(corners.min(axis=0), corners.max(axis=0), strict=True))))
    first, second = ([_cut(g, box) for g in shapes] for shapes in (seen, felt))
    return first, second


def _cut(geometry: Geometry, box: Array) -> Geometry:
    """Return a plane as the rectangle of it around a box of eight corners; all else as it is."""
    if not isinstance(geometry.shape, Plane):
        return geometry
    around = geometry.pose.inverse().apply(box)
    (x0, y0), (x1, y1) = around[:, :2].min(axis=0), around[:, :2].max(axis=0)
    sheet = np.array([[x0, y0, 0.0], [x1, y0, 0.0], [x1, y1, 0.0], [x0, y1, 0.0]])
    return replace(geometry, shape=Mesh(sheet, np.array([[0, 1, 2], [0, 2, 3]], np.int32)))
