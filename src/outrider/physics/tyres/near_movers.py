"""Compiled search for what tyres might touch: moving parts near a vehicle's wheels."""

import math

import numpy as np

from outrider.core.compiled import compiled
from outrider.core.vector_kernels import rotate
from outrider.physics.tyres.data import Record, Records
from outrider.physics.tyres.kernels import Floats, Ints


@compiled
def _tyre_reach(t: Record, reach: float) -> float:  # pragma: no cover - compiled
    """Return how far from the hub a ray of a tyre can end: its rows lie beside the hub."""
    return math.hypot(t.radius * reach, 0.5 * t.half_width)


@compiled
def near_movers(
    tyres: Records, vehicles: Ints, bodies: Records, movers: Records, reach: float
) -> int:  # pragma: no cover - compiled
    """Mark the moving parts that a tyre might touch; return how many there are.

    Rows of ``vehicles`` are a vehicle's model, first tyre and end. A sphere around all its tyres is
    tested first, and only of vehicles that are near along x.
    """
    if vehicles.shape[0] == 0:
        return 0
    spheres = np.empty((vehicles.shape[0], 4))
    for v in range(vehicles.shape[0]):
        _surround(tyres[vehicles[v, 1] : vehicles[v, 2]], reach, spheres[v])
    order = np.argsort(spheres[:, 0])
    along, widest = spheres[order, 0], spheres[:, 3].max()
    count = 0
    centre = np.empty(3)
    for m in range(movers.shape[0]):
        part = movers[m]
        _place_centre(part, bodies[part.body], centre)
        part.near = 0
        k = np.searchsorted(along, centre[0] - part.radius - widest)
        while k < along.shape[0] and along[k] <= centre[0] + part.radius + widest:
            v = order[k]
            k += 1
            if vehicles[v, 0] == part.model or not _is_near(
                spheres[v, :3], centre, part.radius + spheres[v, 3]
            ):
                continue
            for i in range(vehicles[v, 1], vehicles[v, 2]):
                near = part.radius + _tyre_reach(tyres[i], reach)
                if _is_near(tyres[i].hub_world, centre, near):
                    part.near = 1
        count += part.near
    return count


@compiled
def near_tyres(
    tyres: Records, bodies: Records, part: Record, reach: float, found: Ints
) -> int:  # pragma: no cover - compiled
    """List the tyres of others that might touch a moving part; return how many there are."""
    centre = np.empty(3)
    _place_centre(part, bodies[part.body], centre)
    count = 0
    for i in range(tyres.shape[0]):
        near = part.radius + _tyre_reach(tyres[i], reach)
        if tyres[i].model != part.model and _is_near(tyres[i].hub_world, centre, near):
            found[count] = i
            count += 1
    return count


@compiled
def _surround(tyres: Records, reach: float, sphere: Floats) -> None:  # pragma: no cover - compiled
    """Put a sphere (centre, radius) around all that some tyres can reach."""
    sphere[:] = 0.0
    for i in range(tyres.shape[0]):
        for k in range(3):
            sphere[k] += tyres[i].hub_world[k] / tyres.shape[0]
    for i in range(tyres.shape[0]):
        hub = tyres[i].hub_world
        x, y, z = hub[0] - sphere[0], hub[1] - sphere[1], hub[2] - sphere[2]
        far = math.sqrt(x * x + y * y + z * z) + _tyre_reach(tyres[i], reach)
        sphere[3] = max(sphere[3], far)


@compiled
def _place_centre(part: Record, body: Record, centre: Floats) -> None:  # pragma: no cover
    """Set where the centre of a moving part is now."""
    centre[0], centre[1], centre[2] = rotate(body.rotation, part.centre)
    for k in range(3):
        centre[k] += body.position[k]


@compiled
def _is_near(a: Floats, b: Floats, far: float) -> bool:  # pragma: no cover - compiled
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return bool(x * x + y * y + z * z < far * far)
