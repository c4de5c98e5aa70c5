"""Write the OBJ meshes of the library robots: metres, x forward, z up, in the link's frame.

Run `python tools/make_robot_meshes.py [FOLDER]`; the output is the same on every run. Colours are
not in the meshes: the URDF gives each one a material. Sizes come from the comments in the URDFs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Faces = NDArray[np.int64]
Point2 = tuple[float, float]
Point3 = tuple[float, float, float]

ROBOTS = Path(__file__).resolve().parents[1] / "src" / "outrider" / "library" / "robots"
CREASE_COS = np.cos(np.radians(38.0))  # edges sharper than this keep a hard shading line
TAU = 2.0 * np.pi


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles over shared points."""

    points: Array
    faces: Faces


# ---- putting meshes together -------------------------------------------------------------------


def join(parts: Iterable[Mesh]) -> Mesh:
    """Put all parts in one mesh."""
    parts = list(parts)
    starts = np.cumsum([0] + [len(p.points) for p in parts])
    faces = [p.faces + start for p, start in zip(parts, starts, strict=False)]
    return Mesh(np.concatenate([p.points for p in parts]), np.concatenate(faces))


def moved(mesh: Mesh, by: Point3) -> Mesh:
    """Shift the mesh."""
    return Mesh(mesh.points + np.asarray(by), mesh.faces)


def mirrored(mesh: Mesh, axis: int = 1) -> Mesh:
    """Negate one coordinate and keep the mesh facing outwards."""
    points = mesh.points.copy()
    points[:, axis] *= -1.0
    return Mesh(points, mesh.faces[:, ::-1])


def both_sides(mesh: Mesh, axis: int = 1) -> Mesh:
    """Add the mirror image of the mesh to it."""
    return join([mesh, mirrored(mesh, axis)])


def y_to_z(mesh: Mesh) -> Mesh:
    """Turn a mesh made around y so that it stands around z."""
    return Mesh(mesh.points[:, [2, 0, 1]], mesh.faces)


def y_to_x(mesh: Mesh) -> Mesh:
    """Turn a mesh made around y so that it lies around x."""
    return Mesh(mesh.points[:, [1, 2, 0]], mesh.faces)


def rolled(mesh: Mesh, angle: float) -> Mesh:
    """Turn the mesh about the y axis."""
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    return Mesh(mesh.points @ turn.T, mesh.faces)


def around(mesh: Mesh, count: int) -> Mesh:
    """Spread `count` copies evenly about the y axis."""
    return join(rolled(mesh, TAU * i / count) for i in range(count))


# ---- basic shapes ------------------------------------------------------------------------------


def outward(mesh: Mesh) -> Mesh:
    """Make the triangles face out (positive volume) and drop empty ones."""
    a, b, c = mesh.points[mesh.faces].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    faces = mesh.faces[np.linalg.norm(normals, axis=1) > 1e-12]
    return Mesh(mesh.points, faces if np.sum(a * normals) > 0.0 else faces[:, ::-1])


def sweep(rings: Array, closed: bool = False) -> Mesh:
    """Stretch a skin over rings of shape (rings, points, 3), with end caps unless closed."""
    count, size, _ = rings.shape
    ids = np.arange(count * size).reshape(count, size)
    if closed:
        ids = np.vstack([ids, ids[:1]])
    a, b = ids[:-1], ids[1:]
    next_a, next_b = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    sides = [np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, next_a, next_b), (a, next_b, b))]
    points = rings.reshape(-1, 3)
    if closed:
        return outward(Mesh(points, np.concatenate(sides)))
    ends = np.vstack([points, rings[0].mean(axis=0), rings[-1].mean(axis=0)])
    caps = [_cap(ids[0], len(points)), _cap(ids[-1], len(points) + 1)[:, ::-1]]
    return outward(Mesh(ends, np.concatenate(sides + caps)))


def _cap(ring: Faces, centre: int) -> Faces:
    return np.stack([np.roll(ring, -1), ring, np.full_like(ring, centre)], axis=-1)


def lathe(profile: Sequence[Point2], segments: int = 32) -> Mesh:
    """Turn a closed (radius, y) profile about the y axis."""
    radius, y = np.array(profile).T
    angle = TAU * np.arange(segments)[:, None] / segments
    rings = (radius * np.cos(angle), np.broadcast_to(y, (segments, len(y))), radius * np.sin(angle))
    return sweep(np.stack(rings, axis=-1), closed=True)


def disc(radius: float, y0: float, y1: float, segments: int = 24, bevel: float = 0.0) -> Mesh:
    """Make a cylinder about y with bevelled rims."""
    rim = [(radius - bevel, y0), (radius, y0 + bevel), (radius, y1 - bevel), (radius - bevel, y1)]
    return lathe([(0.0, y0), *rim, (0.0, y1)], segments)


def ring(r_in: float, r_out: float, y0: float, y1: float, segments: int = 32) -> Mesh:
    """Make a hollow cylinder about y."""
    return lathe([(r_in, y0), (r_out, y0), (r_out, y1), (r_in, y1)], segments)


def chamfered(length: float, width: float, corner: float) -> list[Point2]:
    """Outline a rectangle round the origin with cut corners."""
    x, y, c = length / 2, width / 2, corner
    quarter = [(x, y - c), (x - c, y)]
    left = [(-u, v) for u, v in reversed(quarter)]
    return quarter + left + [(-u, -v) for u, v in quarter] + [(-u, -v) for u, v in left]


def bevelled_box(size: Point3, bevel: float, at: Point3 = (0.0, 0.0, 0.0)) -> Mesh:
    """Make a box with all edges cut, centred on `at`."""
    sx, sy, sz = size
    inner = chamfered(sx - 2 * bevel, sy - 2 * bevel, bevel * 0.6)
    outer = chamfered(sx, sy, bevel)
    heights = (-sz / 2, -sz / 2 + bevel, sz / 2 - bevel, sz / 2)
    outlines = (inner, outer, outer, inner)
    rings = [[(x, y, z) for x, y in o] for o, z in zip(outlines, heights, strict=True)]
    return moved(sweep(np.array(rings)), at)


def box(size: Point3, at: Point3 = (0.0, 0.0, 0.0)) -> Mesh:
    """Make a plain box centred on `at`."""
    return moved(sweep(_rectangles(size)), at)


def _rectangles(size: Point3) -> Array:
    x, y, z = np.array(size) / 2
    flat = [(x, y), (-x, y), (-x, -y), (x, -y)]
    return np.array([[(u, v, w) for u, v in flat] for w in (-z, z)])


def slab(outline_xz: Sequence[Point2], y0: float, y1: float, bevel: float = 0.0) -> Mesh:
    """Pull a side outline (x, z), all of it visible from its middle, from y0 to y1."""
    outline = np.array(outline_xz)
    middle = outline.mean(axis=0)
    reach = np.linalg.norm(outline - middle, axis=1, keepdims=True)
    small = middle + (outline - middle) * (1.0 - bevel / reach)
    ends = [(small, y0), (outline, y0 + bevel), (outline, y1 - bevel), (small, y1)]
    rings = [[(x, y, z) for x, z in o] for o, y in (ends if bevel else ends[1:3])]
    return sweep(np.array(rings))


def arch(centre: Point2, radii: Point2, angles_deg: Point2, y: Point2, steps: int = 10) -> Mesh:
    """Bend a plate between two radii about (x, z) = centre, from angle to angle, y to y."""
    rings = []
    for angle in np.radians(np.linspace(*angles_deg, steps)):
        inner, outer = (
            np.array(centre) + r * np.array([np.cos(angle), np.sin(angle)]) for r in radii
        )
        corners = [(inner, y[0]), (outer, y[0]), (outer, y[1]), (inner, y[1])]
        rings.append([(p[0], v, p[1]) for p, v in corners])
    return sweep(np.array(rings))


def tube(path: Sequence[Point3], radius: float, across: Point3, sides: int = 8) -> Mesh:
    """Bend a round bar along a flat path; `across` is the normal of the plane of the path."""
    line, normal = np.array(path), np.array(across)
    tangent = np.gradient(line, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    angle = TAU * np.arange(sides) / sides
    sideways = np.cross(tangent, normal)[:, None] * np.sin(angle)[None, :, None]
    return sweep(line[:, None] + radius * (normal * np.cos(angle)[None, :, None] + sideways))


# ---- wheels ------------------------------------------------------------------------------------


def lug(radii: Point2, y: Point2, half_angle: float, skew: float) -> Mesh:
    """Make a tread block on the +x side of a wheel, leaning by `skew` rad from y[0] to y[1]."""
    rings = []
    for radius, spread in zip(radii, (half_angle, half_angle * 0.75), strict=True):
        corners = [(-spread, y[0]), (spread, y[0]), (skew + spread, y[1]), (skew - spread, y[1])]
        rings.append([(radius * np.cos(a), v, radius * np.sin(a)) for a, v in corners])
    return sweep(np.array(rings))


def tyre(radius: float, width: float, bore: float, lug_height: float, lugs: int) -> Mesh:
    """Make a tyre about y with a chevron tread whose lugs reach exactly `radius`."""
    carcass, half = radius - lug_height, width / 2
    wall = [
        (bore, half * 0.8),
        (bore + 0.35 * (carcass - bore), half),
        (carcass * 0.93, half * 0.97),
    ]
    profile = [*wall, (carcass, half * 0.72)]
    body = lathe(profile + [(r, -y) for r, y in reversed(profile)], 2 * lugs)
    step = TAU / lugs
    block = lug((carcass * 0.96, radius), (half * 0.1, half * 0.96), step * 0.26, step * 0.35)
    other = rolled(mirrored(block), step / 2)
    return join([body, around(block, lugs), around(other, lugs)])


def rim(radius: float, width: float, hub: float, spokes: int, segments: int = 32) -> Mesh:
    """Make a spoked wheel rim about y; both faces look the same."""
    half, inner = width / 2, radius * 0.86
    lip = [(inner, -half * 0.7), (radius, -half), (radius, half), (inner, half * 0.7)]
    centre = disc(hub, -half * 0.95, half * 0.95, 16, hub * 0.15)
    return join([lathe(lip, segments), centre, around(_spoke(hub, inner, half), spokes)])


def _spoke(hub: float, inner: float, half: float) -> Mesh:
    rings = []
    for radius, wide, deep in (
        (hub * 0.8, hub * 0.42, half * 0.75),
        (inner * 1.03, hub * 0.3, half * 0.5),
    ):
        rings.append(
            [(radius, y * deep, z * wide) for y, z in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
        )
    return sweep(np.array(rings, dtype=float))


def bolts(count: int, circle: float, radius: float, y: Point2) -> Mesh:
    """Make a ring of bolt heads about y."""
    return around(moved(disc(radius, *y, segments=6), (circle, 0.0, 0.0)), count)


# ---- tracks ------------------------------------------------------------------------------------


def gear(pitch: float, teeth: int, depth: float, y: Point2) -> Mesh:
    """Make a toothed plate about y; half the depth of the teeth is beyond the pitch circle."""
    shape = ((0.0, -0.5), (0.25, -0.5), (0.42, 0.5), (0.58, 0.5), (0.75, -0.5))
    outline = []
    for tooth in range(teeth):
        for turn, rise in shape:
            angle, radius = TAU * (tooth + turn) / teeth, pitch + rise * depth
            outline.append((radius * np.cos(angle), radius * np.sin(angle)))
    return slab(outline, *y)


def sprocket(pitch: float, width: float, teeth: int) -> Mesh:
    """Make a drive sprocket: two toothed plates, a drum and a bolted hub."""
    half = width / 2
    plate = gear(pitch, teeth, pitch * 0.16, (half * 0.45, half * 0.75))
    drum = disc(pitch * 0.72, -half * 0.7, half * 0.7, 20)
    hub = disc(pitch * 0.45, -half, half, 16, pitch * 0.06)
    heads = bolts(8, pitch * 0.58, pitch * 0.055, (-half * 0.95, half * 0.95))
    return join([both_sides(plate), drum, hub, heads])


def dished_wheel(radius: float, width: float) -> Mesh:
    """Make a pressed steel road wheel: a rim on each side, dished to a hub, with bolts."""
    half, r = width / 2, radius
    face = [(r, half), (r * 0.86, half), (r * 0.72, half * 0.55), (r * 0.42, half * 0.65)]
    hub = [(r * 0.3, half * 1.08), (0.0, half * 1.1)]
    profile = [(r, half * 0.2), *face, *hub]
    middle = [(r * 0.75, half * 0.1)]
    full = profile[::-1] + middle + [(r * 0.75, -half * 0.1)] + [(a, -y) for a, y in profile]
    return join([lathe(full, 28), bolts(8, r * 0.5, r * 0.05, (-half * 0.8, half * 0.8))])


def hull_path(circles: Sequence[Point3], links: int) -> tuple[Array, Array]:
    """Find points and outward normals, evenly along the line round circles (x, z, radius)."""
    angle = TAU * np.arange(180) / 180
    spots = [(x + r * np.cos(angle), z + r * np.sin(angle)) for x, z, r in circles]
    loop = _convex_hull(np.concatenate([np.stack(s, axis=-1) for s in spots]))
    loop = np.vstack([loop, loop[:1]])
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(loop, axis=0), axis=1))])
    at = np.linspace(0.0, run[-1], links, endpoint=False)
    points = np.stack([np.interp(at, run, loop[:, k]) for k in (0, 1)], axis=-1)
    along = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    return points, np.stack([along[:, 1], -along[:, 0]], axis=-1)


def _convex_hull(points: Array) -> Array:
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]
    return np.array(_half_hull(ordered)[:-1] + _half_hull(ordered[::-1])[:-1])


def _half_hull(points: Array) -> list[Array]:
    chain: list[Array] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 1e-12:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def belt(
    circles: Sequence[Point3],
    width: float,
    band: float,
    cleat: float,
    links: int,
    fill: float = 0.45,
) -> Mesh:
    """Lay a belt round circles (x, z, inner radius): a band with a cleat on every link."""
    points, normals = hull_path(circles, links)
    half = width / 2
    rings = [_belt_ring(p, n, (0.0, band), half) for p, n in zip(points, normals, strict=True)]
    pitch = float(np.linalg.norm(points[1] - points[0]))
    cleats = [
        _cleat(p, n, (band * 0.5, band + cleat), half, pitch * fill / 2)
        for p, n in zip(points, normals, strict=True)
    ]
    return join([sweep(np.array(rings), closed=True), *cleats])


def _belt_ring(p: Array, n: Array, lift: Point2, half: float) -> list[Point3]:
    low, high = p + n * lift[0], p + n * lift[1]
    corners = [(low, -half), (high, -half), (high, half), (low, half)]
    return [(float(q[0]), y, float(q[1])) for q, y in corners]


def _cleat(p: Array, n: Array, lift: Point2, half: float, reach: float) -> Mesh:
    along = np.array([-n[1], n[0]])
    base = (
        _belt_ring(p - along * reach, n, lift, half),
        _belt_ring(p + along * reach, n, lift, half),
    )
    rings = np.array(base)
    middle = rings[:, [1, 2]].mean(axis=0)
    rings[:, [1, 2]] = middle + (rings[:, [1, 2]] - middle) * 0.7  # the top is narrower
    return sweep(rings)


# ---- the robots --------------------------------------------------------------------------------


def jackal() -> dict[str, Mesh]:
    """Jackal: chunky tyres, dark chassis, yellow end fenders, drilled deck."""
    stud = y_to_z(disc(0.004, 0.005, 0.0075, 6))
    grid = [(x, y) for x in np.linspace(-0.15, 0.15, 6) for y in (-0.1, -0.04, 0.04, 0.1)]
    dots = [moved(stud, (x, y, 0.0)) for x, y in grid]
    deck = bevelled_box((0.40, 0.27, 0.012), 0.004)
    return {
        "tyre": tyre(0.098, 0.040, 0.062, 0.008, 18),
        "rim": rim(0.063, 0.036, 0.022, 6),
        "chassis": _jackal_chassis(),
        "deck": join([deck, *dots]),
        "fender": _jackal_fender(),
    }


def _jackal_chassis() -> Mesh:
    outline = [(-0.19, 0.0), (0.19, 0.0), (0.21, 0.025), (0.21, 0.125), (0.185, 0.172)]
    outline += [(-0.185, 0.172), (-0.21, 0.125), (-0.21, 0.025)]
    ribs = [box((0.006, 0.314, 0.09), (x, 0.0, 0.095)) for x in (-0.03, -0.015, 0.0, 0.015, 0.03)]
    return join([slab(outline, -0.155, 0.155, 0.012), *ribs])


def _jackal_fender() -> Mesh:
    nose = [(0.206, 0.028), (0.236, 0.028), (0.254, 0.05), (0.254, 0.098), (0.222, 0.152)]
    nose += [(0.196, 0.16), (0.196, 0.125)]
    guard = arch((0.131, 0.0345), (0.108, 0.116), (2.0, 112.0), (0.15, 0.214), 12)
    skirt = arch((0.131, 0.0345), (0.108, 0.123), (2.0, 68.0), (0.206, 0.214), 10)
    return join([slab(nose, -0.16, 0.16, 0.006), both_sides(guard), both_sides(skirt)])


def husky() -> dict[str, Mesh]:
    """Husky: big lugged tyres, black tub, yellow shell, bumpers, rails and top plate."""
    return {
        "tyre": tyre(0.1651, 0.1143, 0.085, 0.014, 20),
        "rim": rim(0.087, 0.096, 0.032, 5),
        "tub": _husky_tub(),
        "shell": _husky_shell(),
        "bumper": _husky_bumper(),
        "rails": _husky_rails(),
        "top_plate": _husky_top_plate(),
    }


def _husky_tub() -> Mesh:
    outline = [(-0.40, 0.0), (0.40, 0.0), (0.455, 0.045), (0.455, 0.13), (-0.455, 0.13)]
    axles = [moved(disc(0.03, -0.23, 0.23, 16), (x, 0.0, 0.03282)) for x in (-0.256, 0.256)]
    return join([slab([*outline, (-0.455, 0.045)], -0.205, 0.205, 0.008), *axles])


def _husky_shell() -> Mesh:
    outline = [(-0.465, 0.125), (0.465, 0.125), (0.455, 0.165), (0.36, 0.225), (0.33, 0.232)]
    outline += [(-x, z) for x, z in reversed(outline[2:])]
    body = slab(outline, -0.222, 0.222, 0.012)
    eave = slab([(-0.4, 0.2), (0.4, 0.2), (0.362, 0.226), (-0.362, 0.226)], -0.272, 0.272, 0.008)
    return join([body, eave])


def _husky_bumper() -> Mesh:
    """In the bumper frame: x = 0 is its mounting plane, 0.48 m ahead of base_link."""
    plan = [(-0.02, -0.28), (0.0, -0.28), (0.045, -0.2), (0.045, 0.2), (0.0, 0.28), (-0.02, 0.28)]
    rings = [[(x * s, y * s, z) for x, y in plan] for s, z in _bumper_levels()]
    stays = box((0.05, 0.05, 0.04), (-0.03, 0.12, 0.0))
    return join([sweep(np.array(rings)), both_sides(stays)])


def _bumper_levels() -> list[Point2]:
    return [(0.94, -0.055), (1.0, -0.04), (1.0, 0.04), (0.94, 0.055)]


def _husky_rails() -> Mesh:
    """In user_rail_link, 0.272 m ahead of base_link: a low tube frame over the shell."""
    side = [(0.0, 0.2, -0.03), (0.0, 0.2, 0.02), (-0.03, 0.2, 0.05), (-0.52, 0.2, 0.05)]
    side += [(-0.55, 0.2, 0.02), (-0.55, 0.2, -0.03)]
    bars = [[(x, -0.2, 0.05), (x, 0.2, 0.05)] for x in (-0.04, -0.51)]
    across = [tube(bar, 0.0095, (0.0, 0.0, 1.0)) for bar in bars]
    return join([both_sides(tube(side, 0.0095, (0.0, 1.0, 0.0))), *across])


def _husky_top_plate() -> Mesh:
    """In top_plate_link: a drilled aluminium plate."""
    grid = [(x, y) for x in np.linspace(-0.3, 0.14, 8) for y in (-0.12, -0.04, 0.04, 0.12)]
    dot = y_to_z(disc(0.005, 0.0, 0.0084, 6))
    plate = bevelled_box((0.50, 0.34, 0.00635), 0.002, (-0.08, 0.0, 0.00318))
    return join([plate, *(moved(dot, (x, y, 0.0)) for x, y in grid)])


def autominy() -> dict[str, Mesh]:
    """AutoMiny: 1:10 car chassis, board, rotating lidar, stereo camera."""
    return {
        "tyre": tyre(0.0325, 0.025, 0.021, 0.0018, 24),
        "rim": rim(0.0215, 0.024, 0.007, 5, 24),
        "chassis": _autominy_chassis(),
        "bumper": _autominy_bumper(),
        "board": _autominy_board(),
        "lidar": _autominy_lidar(),
        "camera": _autominy_camera(),
        "spring": _autominy_spring(),
    }


def _autominy_chassis() -> Mesh:
    half = [(-0.045, 0.03), (-0.03, 0.045), (0.04, 0.045), (0.06, 0.055), (0.19, 0.055)]
    half += [(0.215, 0.04), (0.285, 0.035), (0.3, 0.025)]
    outline = [*half, *((x, -y) for x, y in reversed(half))]
    floor = np.array([[(x, y, z) for x, y in outline] for z in (0.016, 0.024)])
    walls = both_sides(slab([(0.05, 0.02), (0.2, 0.02), (0.19, 0.042), (0.06, 0.042)], 0.05, 0.055))
    boxes = [
        box((0.05, 0.04, 0.028), (0.0, 0.0, 0.035)),
        box((0.045, 0.04, 0.024), (0.255, 0, 0.035)),
    ]
    return join([sweep(floor), walls, *boxes])


def _autominy_bumper() -> Mesh:
    plan = [(0.292, -0.06), (0.315, -0.045), (0.327, 0.0), (0.315, 0.045), (0.292, 0.06)]
    inner = [(x - 0.018, y * 0.85) for x, y in reversed(plan)]
    levels = [(0.019, 0.985), (0.024, 1.0), (0.038, 1.0), (0.043, 0.985)]
    rings = [[(x * s, y * s, z) for x, y in plan + inner] for z, s in levels]
    return sweep(np.array(rings))


def _autominy_board() -> Mesh:
    """In the board frame: an acrylic plate over the whole car, 0.3875 m long with the bumper."""
    plate = np.array(
        [[(x, y, z) for x, y in chamfered(0.37, 0.13, 0.02)] for z in (-0.0025, 0.0025)]
    )
    return moved(sweep(plate), (0.125, 0.0, 0.0))


def _autominy_lidar() -> Mesh:
    """In lidar_base_link: base, neck and the turning head whose beam is at z 0.03086."""
    base = [(0.0, 0.0), (0.035, 0.0), (0.0375, 0.003), (0.0375, 0.012)]
    base += [(0.034, 0.017), (0.028, 0.018)]
    head = [(0.028, 0.0205), (0.0345, 0.0205), (0.0355, 0.022), (0.0355, 0.037), (0.033, 0.0405)]
    return y_to_z(lathe([*base, *head, (0.0, 0.0405)], 36))


def _autominy_camera() -> Mesh:
    """In camera_link: a bar 90 mm wide with a rounded back, x forward."""
    plan = [(0.0, 0.045), (0.0, -0.045), (-0.012, -0.045), (-0.025, -0.034), (-0.025, 0.034)]
    plan += [(-0.012, 0.045)]
    levels = [(-0.0125, 0.94), (-0.0105, 1.0), (0.0105, 1.0), (0.0125, 0.94)]
    return sweep(np.array([[(x * s, y * s, z) for x, y in plan] for z, s in levels]))


def _autominy_spring() -> Mesh:
    """Make a shock absorber along z, its coils as rings."""
    coils = [
        moved(ring(0.0045, 0.0065, -0.0009, 0.0009, 10), (0, y, 0))
        for y in np.arange(-3, 4) * 0.004
    ]
    return y_to_z(join([disc(0.0035, -0.022, 0.022, 8), *coils]))


def create() -> dict[str, Mesh]:
    """Create 2: a round body, the sprung front bumper, a light face plate."""
    return {
        "body": _create_body(),
        "bumper": _create_bumper(),
        "bin": _create_bin(),
        "face": y_to_z(
            lathe([(0.0, 0.074), (0.122, 0.074), (0.122, 0.0765), (0.117, 0.078), (0, 0.079)], 48)
        ),
        "ring": y_to_z(
            lathe([(0.121, 0.074), (0.133, 0.0735), (0.131, 0.0775), (0.123, 0.079)], 48)
        ),
        "tyre": tyre(0.036, 0.024, 0.022, 0.0025, 20),
        "rim": rim(0.0225, 0.022, 0.009, 5, 24),
    }


def _create_body() -> Mesh:
    side = [(0.0, 0.004), (0.15, 0.004), (0.162, 0.012), (0.166, 0.022), (0.1662, 0.06)]
    top = [(0.1635, 0.069), (0.155, 0.0745), (0.0, 0.0755)]
    return y_to_z(lathe([*side, *top], 64))


def _create_bumper() -> Mesh:
    """Make the front half ring, 0.3485 m across, a little proud of the body."""
    profile = [(0.1668, 0.008), (0.171, 0.009), (0.17425, 0.016), (0.17425, 0.05), (0.1715, 0.061)]
    return _sector([*profile, (0.1668, 0.064)], (-88.0, 88.0), 33)


def _create_bin() -> Mesh:
    """Make the lid of the dust bin in the rear wall."""
    profile = [(0.150, 0.014), (0.166, 0.018), (0.1685, 0.022), (0.1685, 0.058), (0.166, 0.064)]
    return _sector([*profile, (0.150, 0.066)], (150.0, 210.0), 13)


def _sector(profile: Sequence[Point2], angles_deg: Point2, steps: int) -> Mesh:
    turns = np.radians(np.linspace(*angles_deg, steps))
    rings = [[(r * np.cos(a), r * np.sin(a), z) for r, z in profile] for a in turns]
    return sweep(np.array(rings))


def tracked_ugv() -> dict[str, Mesh]:
    """Tracked UGV: belts round two wheels a side, a body, a fluid tank, a spray arm."""
    wheels = [(-0.25, 0.01855, 0.0745), (0.25, 0.01855, 0.0745)]
    return {
        "belt": belt(wheels, 0.09728, 0.008, 0.00797, 44),
        "sprocket": sprocket(0.0785, 0.104, 14),
        "idler": dished_wheel(0.0735, 0.1),
        "road_wheel": dished_wheel(0.04, 0.09),
        "body": _ugv_body(),
        "pump": _ugv_pump(),
        "tank": _ugv_tank(),
        "nozzle": _ugv_nozzle(),
        "guard": _ugv_guard(),
    }


def _ugv_body() -> Mesh:
    low, high = 0.0485, 0.1875
    outline = [(-0.35, low), (0.13, low), (0.13, high), (-0.33, high)]
    outline += [(-0.372, 0.15), (-0.372, 0.075)]
    vents = [box((0.012, 0.16, 0.006), (-0.33 + 0.02 * i, 0.0, high + 0.001)) for i in range(4)]
    return join([slab(outline, -0.1205, 0.1205, 0.008), *vents])


def _ugv_pump() -> Mesh:
    """In pump_link, at x 0.21 z 0.12: the housing in the front bay, with a sloped nose."""
    outline = [(-0.08, -0.07), (0.06, -0.07), (0.11, -0.03), (0.11, 0.01)]
    outline += [(0.06, 0.068), (-0.08, 0.068)]
    return slab(outline, -0.12, 0.12, 0.008)


def _ugv_tank() -> Mesh:
    """In tank_link: a lying pressure tank, 0.34 m long, radius 0.085, with two weld rings."""
    half = [(0.0, 0.17), (0.04, 0.163), (0.068, 0.148), (0.085, 0.12), (0.085, 0.085)]
    half += [(0.088, 0.082), (0.088, 0.072), (0.085, 0.069)]
    return y_to_x(lathe(half + [(r, -y) for r, y in reversed(half)], 32))


def _ugv_nozzle() -> Mesh:
    """In nozzle_link: the spray head along x, its tip in the origin."""
    outline = [(0.0, -0.075), (0.012, -0.075), (0.012, -0.04), (0.02, -0.03), (0.02, -0.018)]
    return y_to_x(
        lathe([*outline, (0.026, -0.004), (0.026, 0.0), (0.008, -0.003), (0.0, -0.003)], 20)
    )


def _ugv_guard() -> Mesh:
    """In the track's frame: the plate over the upper run of the belt."""
    plate = [(-0.26, 0.113), (0.26, 0.113), (0.30, 0.104), (0.303, 0.11)]
    plate += [(0.262, 0.12), (-0.262, 0.12)]
    return slab([*plate, (-0.303, 0.11), (-0.30, 0.104)], -0.053, 0.053)


def tank() -> dict[str, Mesh]:
    """Light tank: 5.5 m hull, five road wheels a side, turret and gun."""
    return {
        "belt": belt(_tank_wheels(), 0.42, 0.035, 0.025, 92, 0.6),
        "sprocket": sprocket(0.29, 0.40, 13),
        "idler": dished_wheel(0.265, 0.36),
        "road_wheel": dished_wheel(0.285, 0.36),
        "tyre": both_sides(ring(0.284, 0.33, 0.03, 0.185)),
        "hull": _tank_hull(),
        "fender": _tank_fender(),
        "turret": _tank_turret(),
        "mantlet": _tank_mantlet(),
        "barrel": _tank_barrel(),
        "grille": join(box((0.03, 0.9, 0.05), (0.07 * i, 0.0, 0.0)) for i in range(-5, 6)),
    }


def _tank_wheels() -> list[Point3]:
    road = [(x, -0.03, 0.33) for x in (-1.5, -0.75, 0.0, 0.75, 1.5)]
    return [(-2.25, 0.33, 0.2725), (2.25, 0.30, 0.27), *road]


def _tank_hull() -> Mesh:
    low = [(-2.3, 0.0), (1.9, 0.0), (2.6, 0.42), (2.6, 0.72), (-2.7, 0.74), (-2.7, 0.35)]
    high = [(-2.72, 0.72), (2.62, 0.70), (1.15, 1.13), (-2.35, 1.15), (-2.72, 0.95)]
    return join([slab(low, -0.85, 0.85, 0.02), slab(high, -1.22, 1.22, 0.03)])


def _tank_fender() -> Mesh:
    """Make the shelves and side skirts over the tracks."""
    shelf = [(-2.75, 0.60), (-2.62, 0.72), (2.45, 0.72), (2.75, 0.52), (2.77, 0.56), (2.46, 0.755)]
    shelf += [(-2.64, 0.755), (-2.77, 0.62)]
    skirt = [(-2.5, 0.73), (-2.35, 0.52), (2.2, 0.52), (2.42, 0.73)]
    return both_sides(join([slab(shelf, 0.86, 1.32), slab(skirt, 1.32, 1.345)]))


def _tank_turret() -> Mesh:
    """In turret_link, on the turret ring: a wedge-nosed octagon with a bustle."""
    plan = [(1.0, 0.35), (0.62, 0.82), (-0.55, 0.86), (-1.15, 0.6)]
    outline = np.array(plan + [(x, -y) for x, y in reversed(plan)])
    levels = (
        (0.0, 0.93, 0.0),
        (0.06, 1.0, 0.0),
        (0.3, 0.97, -0.02),
        (0.54, 0.72, -0.1),
        (0.57, 0.66, -0.1),
    )
    rings = [[(x * s + dx, y * s, z) for x, y in outline] for z, s, dx in levels]
    return sweep(np.array(rings))


def _tank_mantlet() -> Mesh:
    """In gun_link: the rounded block that closes the slot in the turret."""
    outline = [(-0.25, -0.17), (0.12, -0.18), (0.24, -0.1), (0.24, 0.1)]
    outline += [(0.12, 0.18), (-0.25, 0.17)]
    return slab(outline, -0.3, 0.3, 0.04)


def _tank_barrel() -> Mesh:
    """In gun_link: barrel with a bore evacuator and a muzzle brake, along x."""
    outline = [(0.0, 0.1), (0.11, 0.1), (0.1, 0.5), (0.07, 0.6)]
    outline += [(0.062, 1.35), (0.09, 1.4), (0.09, 1.75)]
    outline += [
        (0.058, 1.8),
        (0.05, 2.6),
        (0.075, 2.62),
        (0.075, 2.68),
        (0.055, 2.7),
        (0.055, 2.74),
    ]
    outline += [(0.08, 2.76), (0.08, 2.84), (0.045, 2.86), (0.038, 2.86), (0.038, 2.7), (0.0, 2.7)]
    return y_to_x(lathe(outline, 20))


ROBOT_MESHES: dict[str, Callable[[], dict[str, Mesh]]] = {
    "jackal": jackal,
    "husky": husky,
    "autominy": autominy,
    "create": create,
    "tracked_ugv": tracked_ugv,
    "tank": tank,
}


# ---- OBJ ---------------------------------------------------------------------------------------


def obj_text(mesh: Mesh, decimals: int = 4) -> str:
    """Write the mesh as OBJ text: points and normals shared, rounded, no materials."""
    points, index = np.unique(mesh.points.round(decimals), axis=0, return_inverse=True)
    faces = index.reshape(-1)[mesh.faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    normals, corner = np.unique(
        _corner_normals(points, faces).round(2), axis=0, return_inverse=True
    )
    lines = [f"v {_numbers(p)}" for p in points] + [f"vn {_numbers(n)}" for n in normals]
    pairs = zip(faces + 1, corner.reshape(-1, 3) + 1, strict=True)
    lines += ["f " + " ".join(f"{v}//{n}" for v, n in zip(*pair, strict=True)) for pair in pairs]
    return "\n".join(lines) + "\n"


def _corner_normals(points: Array, faces: Faces) -> Array:
    """Per corner: the area-weighted mean of the faces there that are not across a crease."""
    a, b, c = points[faces].transpose(1, 0, 2)
    area = np.cross(b - a, c - a)
    unit = area / np.maximum(np.linalg.norm(area, axis=1, keepdims=True), 1e-15)
    users: list[list[int]] = [[] for _ in points]
    for face, corners in enumerate(faces):
        for point in corners:
            users[point].append(face)
    sums = [
        area[near][unit[near] @ unit[f] > CREASE_COS].sum(axis=0)
        for f, corners in enumerate(faces)
        for near in (users[p] for p in corners)
    ]
    total: Array = np.array(sums)
    total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-15)
    return total


def _numbers(values: Array) -> str:
    return " ".join(f"{v + 0.0:g}" for v in values)


def main(folder: Path) -> None:
    """Write every mesh of every robot below the folder."""
    for robot, build in ROBOT_MESHES.items():
        target = folder / robot / "meshes"
        target.mkdir(parents=True, exist_ok=True)
        for name, mesh in build().items():
            (target / f"{name}.obj").write_text(obj_text(mesh))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROBOTS)
