"""Moving a robot or movable object without rebuilding anything."""

from collections.abc import Container, Iterator
from contextlib import contextmanager

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose
from outrider.loader.world import object_model
from outrider.physics.health import check_bounds
from outrider.scenarios.build import world_spec
from outrider.scenarios.scenario import Scenario
from outrider.sim.rig import Rig
from outrider.sim.simulation import Simulation
from outrider.sim.standing import stand
from outrider.sim.start_poses import check_starts
from outrider.specs.world import PoseSpec
from outrider.vehicles.rows import RowMaker

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


def place_directly(simulation: Simulation, name: str, where: PoseSpec | Pose) -> None:
    """Move a robot (by its entry's pose) or an object there, unless a robot were inside something.

    If so, the simulation goes on as if nothing had been asked for.
    """
    pose = robot_pose(simulation, name, where) if isinstance(where, PoseSpec) else where
    check_bounds(name, pose.position)
    with unless_inside(simulation.rig, {name}, "give it another pose"):
        place(simulation, name, pose)


@contextmanager
def unless_inside(rig: Rig, names: Container[str], advice: str) -> Iterator[None]:
    """Take back what is done to bodies and robots, if one of these is inside something then."""
    engine = rig.engine.get_state()
    vehicles = [(vehicle, vehicle.get_state()) for vehicle in rig.vehicles]
    yield
    try:
        check_starts(rig, names, advice=advice)
    except ConfigError:
        rig.engine.set_state(engine)
        for vehicle, before in vehicles:
            vehicle.set_state(before)
        raise


def robot_pose(simulation: Simulation, name: str, asked: PoseSpec) -> Pose:
    """Return a robot's pose, on the ground if it has no height."""
    if asked.z is not None:
        return asked.pose()
    rig = simulation.rig
    vehicle = next(v for v in rig.vehicles if v.name == name)
    return stand(rig.scene, RowMaker(vehicle.robot, name, rig.assembly), asked.pose())


def place(simulation: Simulation, name: str, pose: Pose) -> None:
    """Put a robot or object somewhere, at rest."""
    rig = simulation.rig
    rig.engine.place(rig.assembly.root(name), pose, _STILL, _STILL)
    for vehicle in rig.vehicles:
        if vehicle.name == name:  # what its tyres held on to is not there any more
            vehicle.tyres["bristle"] = vehicle.tyres["force"] = 0.0
