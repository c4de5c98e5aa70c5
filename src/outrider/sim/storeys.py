"""Robots that stand above another floor: who leaves out the z may mean either."""

import logging

import numpy as np

from outrider.scene.scene import Scene
from outrider.sim.rig import Rig
from outrider.vehicles.vehicle import Vehicle

_LOG = logging.getLogger("outrider")
_ROOM = 1.0  # m below a surface where another place to stand may begin
_ABOVE = 0.2  # m: a robot's own frame may be a little below the ground it stands on
_NEAR = 0.05  # m above the floor
_FAR = 1e4  # m
_UP, _DOWN = 1.0, -1.0


def tell_of_a_floor_below(rig: Rig, vehicle: Vehicle) -> None:
    """Say of a robot on a bridge or a roof that there is another place to stand under it."""
    x, y, z = rig.engine.state.bodies[vehicle.root]["position"].tolist()
    roof, top, _ = _hit(rig.scene, x, y, z + _ABOVE, _DOWN)
    floor, level, faces = _hit(rig.scene, x, y, top - _ROOM, _DOWN)
    if not (roof and floor and faces > 0.0):
        return
    _, _, ceiling = _hit(rig.scene, x, y, level + _NEAR, _UP)
    if ceiling < 0.0:  # else the floor is the inside of something solid
        _LOG.warning(
            "robot '%s' stands on '%s', %.1f m above '%s', as its pose has no z; with z: %.2f it "
            "stands below",
            vehicle.name,
            roof,
            top - level,
            floor,
            level + z - top,
        )


def _hit(scene: Scene, x: float, y: float, z: float, way: float) -> tuple[str, float, float]:
    """Return what is straight above or below a point, how high, and whether its face looks up."""
    if scene.static is None:
        return "", z, 0.0
    hits = scene.static.surface.cast(
        np.array([[x, y, z]], np.float32),
        np.array([[0.0, 0.0, way]], np.float32),
        np.full(1, _FAR, np.float32),
    )
    shape = int(hits.shape[0])
    if shape < 0:
        return "", z, 0.0
    height = z + way * float(hits.distance[0])
    return scene.static.names[shape], height, float(hits.normal[0, 2])
