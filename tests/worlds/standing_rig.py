"""How a Jackal stands: its wheels against what is seen below them, in rays of their own."""

from dataclasses import replace

import numpy as np

from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.world.materials import Roughness

REACH_DEG, RAYS = 75, 301


def world_of(name):
    """Return a world without the colour map of its land, which takes a while to draw."""
    spec = load_world_spec(name)
    if hasattr(spec.ground, "pixels"):
        spec = replace(spec, ground=replace(spec.ground, pixels=0))
    return build_world(spec)


def smooth(world):
    """Return a world without the roughness that only tyres feel, which the mesh does not show."""

    def flat(geometry):
        return tuple(
            replace(g, material=replace(g.material, roughness=Roughness())) for g in geometry
        )

    def still(link):
        return replace(link, visuals=flat(link.visuals), colliders=flat(link.colliders))

    models = tuple(replace(m, links=tuple(still(link) for link in m.links)) for m in world.models)
    return replace(world, models=models)


def halves(simulation):
    """Return how deep (m) both halves of each wheel reach into what is seen; below 0: above it."""
    return np.array([_depths(simulation, tyre) for tyre in simulation.rig.vehicles[0].tyres])


def stands(simulation):
    """Tell whether three wheels touch, and all are pressed in as their load does it, to 1 mm."""
    depths = halves(simulation)
    touching = (depths.max(axis=1) > -1e-3).sum()
    pressed = np.maximum(depths, 0.0).mean(axis=1)
    return touching >= 3 and np.abs(pressed - gives_way(simulation)).max() < 1e-3


def gives_way(simulation):
    """Return by how much (m) each wheel's load compresses its tyre and the ground, in series."""
    rig, tyres = simulation.rig, simulation.rig.vehicles[0].tyres
    static = rig.scene.static
    grounds = [rig.scene.materials[static.materials[max(t["ground"], 0)]] for t in tyres]
    soft = 1.0 / tyres["stiffness"] + 1.0 / np.array([g.stiffness for g in grounds])
    return tyres["load"] * soft


def _depths(simulation, tyre):
    axle = tyre["axle_world"] / np.linalg.norm(tyre["axle_world"])
    down = np.array([0.0, 0.0, -1.0]) + axle * axle[2]
    down /= np.linalg.norm(down)
    angle = np.radians(np.linspace(-REACH_DEG, REACH_DEG, RAYS))[:, None]
    ways = np.cos(angle) * down + np.sin(angle) * np.cross(axle, down)
    centre = simulation.state.bodies[tyre["body"]]["position"]
    sides = [centre + axle * side * tyre["half_width"] for side in (-0.5, 0.5)]
    return [_deepest(simulation, side, ways, tyre["radius"]) for side in sides]


def _deepest(simulation, centre, ways, radius):
    hits = simulation.rig.scene.static.surface.cast(
        np.tile(centre, (RAYS, 1)).astype(np.float32),
        ways.astype(np.float32),
        np.full(RAYS, 1.0, np.float32),
    )
    return float(radius) - float(hits.distance.min())
