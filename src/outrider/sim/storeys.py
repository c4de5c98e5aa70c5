"""Robots that stand above another floor: who leaves out the z may mean either."""

import logging

from outrider.scene.roof import above, below
from outrider.sim.rig import Rig
from outrider.vehicles.vehicle import Vehicle

_LOG = logging.getLogger("outrider")
_ROOM = 1.0  # m below a surface where another place to stand may begin
_HEADROOM = 0.2  # m: a robot's own frame may be a little below the ground it stands on
_NEAR = 0.05  # m above the floor


def tell_of_a_floor_below(rig: Rig, vehicle: Vehicle) -> None:
    """Say of a robot on a bridge or a roof that there is another place to stand under it.

    One on something solid, the top of a wide wall say, is told of as well.
    """
    x, y, z = rig.engine.state.bodies[vehicle.root]["position"].tolist()
    roof = below(rig.scene, x, y, z + _HEADROOM)
    floor = below(rig.scene, x, y, roof.height - _ROOM) if roof else None
    if roof is None or floor is None or floor.faces <= 0.0:
        return
    ceiling = above(rig.scene, x, y, floor.height + _NEAR)
    hollow = ceiling is not None and ceiling.faces < 0.0
    if hollow or roof.name != floor.name:
        _LOG.warning(
            "robot '%s' stands on '%s', %.1f m above '%s', as its pose has no z%s",
            vehicle.name,
            roof.name,
            roof.height - floor.height,
            floor.name,
            f"; with z: {z - roof.height + floor.height:.2f} it stands below" if hollow else "",
        )
