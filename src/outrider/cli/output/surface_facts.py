"""How far colliders deviate from visible surfaces, part by part."""

from outrider.core.structure import Data
from outrider.formats.mesh.foliage import solid_geometry
from outrider.physics.colliders.gap import surface_gap
from outrider.physics.colliders.shapes import colliders
from outrider.world.assembly import assemble
from outrider.world.model import Geometry, World
from outrider.world.shapes import Plane

RAYS = 1000
SHOWN = 0.001  # m: smaller differences are not told one by one
MOST_SHOWN = 12


def surface_facts(world: World) -> Data:
    """Return the largest difference between colliders and what rays and cameras see."""
    assembly = assemble(world)
    parts = [(part.name, part.visuals, part.colliders, True) for part in assembly.static]
    parts += [(body.name, body.visuals, body.colliders, False) for body in assembly.bodies]
    found = [_difference(*part) for part in parts]
    gaps = sorted((item for item in found if item["gap"] is not None), key=lambda i: -i["gap"])
    largest = gaps[0] if gaps else None
    return {
        "collider_shapes": sum(item["pieces"] for item in found),
        "largest_difference_m": round(largest["gap"], 4) if largest else 0.0,
        "differences": [i["text"] for i in gaps if i["gap"] > SHOWN][:MOST_SHOWN],
        "collider_notes": sorted({note for item in found for note in item["notes"]}),
    }


def _difference(
    name: str, visuals: tuple[Geometry, ...], touching: tuple[Geometry, ...], static: bool
) -> Data:
    made = [colliders(geometry, static=static) for geometry in touching]
    pieces = [piece for item in made for piece in item.pieces]
    notes = [f"{name}: {note}" for item in made for note in item.notes]
    solid = solid_geometry(visuals)  # leaves are seen, not touched
    seen, touched = _bounded(solid or touching), _bounded(pieces)
    facts: Data = {"gap": None, "text": "", "notes": notes, "pieces": len(pieces)}
    if not seen or not touched or [id(g) for g in seen] == [id(g) for g in touched]:
        return facts
    gap, where = surface_gap(seen, touched, RAYS)
    place = ", ".join(f"{value:.2f}" for value in where)
    return facts | {"gap": gap, "text": f"{name}: {gap:.3g} m at {place}"}


def _bounded(geometry: tuple[Geometry, ...] | list[Geometry]) -> list[Geometry]:
    """Leave out planes, which are the same for all and have no end."""
    return [item for item in geometry if not isinstance(item.shape, Plane)]
