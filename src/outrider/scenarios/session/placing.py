"""Moving a robot or movable object without rebuilding anything."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose
from outrider.core.state import State
from outrider.loader.world import object_model
from outrider.physics.health import check_bounds
from outrider.scenarios.build import world_spec
from outrider.scenarios.scenario import Scenario
from outrider.sim.free_places import Height
from outrider.sim.simulation import Simulation
from outrider.sim.standing import stand
from outrider.sim.start_poses import check_placed
from outrider.sim.storeys import tell_of_a_floor_below
from outrider.specs.world import PoseSpec

_STILL = np.zeros(3)


def place_in(scenario: Scenario, name: str) -> PoseSpec | Pose | None:
    """Return where something that can be moved without a rebuild is in a scenario, in any thread.

    World files are read for it: that is not to be done between two steps.
    """
    for entry in scenario.robots:
        if entry.name == name and entry.pose is not None:
            return entry.pose
    spec = world_spec(scenario)
    for item in spec.objects:
        if item.name == name and item.mass > 0 and item.path is None:
            return object_model(item, spec).pose
    return None


def place_directly(
    simulation: Simulation, name: str, where: PoseSpec | Pose, before: State
) -> None:
    """Move a robot (by its entry's pose) or an object there, unless it were inside something.

    If so, the simulation goes on from the state ``before`` as if nothing had been asked for.
    """
    given: Height = "given"
    if isinstance(where, PoseSpec):
        given = "found" if where.z is None else "given"
        check_bounds(name, where.pose().position)
        where = robot_pose(simulation, name, where)
    check_bounds(name, where.position)
    with unless(simulation, lambda: check_placed(simulation.rig, name, given), before):
        place(simulation, name, where)
    for vehicle in simulation.rig.vehicles:
        if given == "found" and vehicle.name == name:
            tell_of_a_floor_below(simulation.rig, vehicle)


@contextmanager
def unless(
    simulation: Simulation, refused: Callable[[], None], before: State | None = None
) -> Iterator[None]:
    """Take back what is done to bodies and robots, to the last bit, if it is refused then."""
    placed = simulation.placed
    before = placed.get_state() if before is None else before
    yield
    try:
        refused()
    except ConfigError:
        placed.set_state(before)
        raise


def robot_pose(simulation: Simulation, name: str, asked: PoseSpec) -> Pose:
    """Return a robot's pose, on the ground if it has no height."""
    if asked.z is not None:
        return asked.pose()
    rig = simulation.rig
    return stand(rig.scene, rig.rows[name], asked.pose())


def place(simulation: Simulation, name: str, pose: Pose) -> None:
    """Put a robot or object somewhere, at rest."""
    rig = simulation.rig
    rig.engine.place(rig.assembly.root(name), pose, _STILL, _STILL)
    for vehicle in rig.vehicles:
        if vehicle.name == name:  # what its tyres held on to is not there any more
            vehicle.tyres["bristle"] = vehicle.tyres["force"] = 0.0
