"""Robots with nothing below them: a world may mean it, its user rarely does."""

import logging

import numpy as np

from outrider.sim.rig import Rig
from outrider.vehicles.vehicle import Vehicle

_LOG = logging.getLogger("outrider")
_HEADROOM = 0.5  # m: a robot's own frame may be a little below the ground
_CORNERS = np.array([[0, 0], [1, 1], [1, -1], [-1, 1], [-1, -1]])
_EVERY = 200  # steps between two looks
_FALLING = 5.0  # m/s downward, after 1.3 m: no robot drives so


def will_fall(rig: Rig, vehicle: Vehicle) -> bool:
    """Return whether there is nothing below a robot that has a weight."""
    x, y, z = rig.engine.state.bodies[vehicle.root]["position"].tolist()
    _, footprint = rig.rows[vehicle.name].stance
    around = np.array([x, y]) + 0.5 * max(footprint) * _CORNERS  # it may stand astride a gap
    below = rig.scene.ground_below(around, z + _HEADROOM)
    return bool(np.isnan(below).all()) and any(rig.assembly.world.gravity)


def tell_of_a_void(rig: Rig, vehicle: Vehicle) -> None:
    """Say of a robot at its start that it will fall for ever."""
    if will_fall(rig, vehicle):
        x, y, _ = rig.engine.state.bodies[vehicle.root]["position"].tolist()
        _LOG.warning(
            "robot '%s' will fall: there is no ground below it at x = %g, y = %g; start it "
            "elsewhere, or give the world a ground",
            vehicle.name,
            x,
            y,
        )


class FallWatch:
    """Says once of each robot that it drove off the edge of the world."""

    def __init__(self, rig: Rig) -> None:
        """Watch the robots of a rig, except those that have no ground from the start."""
        self.rig = rig
        self._told: set[str] = set()

    def begin(self) -> None:
        """Leave out who falls already."""
        self._told = {v.name for v in self.rig.vehicles if will_fall(self.rig, v)}

    def look(self, steps: int) -> None:
        """Look now and then for who falls."""
        if steps % _EVERY:
            return
        for vehicle in self.rig.vehicles:
            body = self.rig.engine.state.bodies[vehicle.root]
            fast = body["velocity"][2] < -_FALLING
            if fast and vehicle.name not in self._told and will_fall(self.rig, vehicle):
                self._told.add(vehicle.name)
                x, y, _ = body["position"].tolist()
                _LOG.warning(
                    "robot '%s' fell off the ground near x = %.1f, y = %.1f: nothing is below it",
                    vehicle.name,
                    x,
                    y,
                )
