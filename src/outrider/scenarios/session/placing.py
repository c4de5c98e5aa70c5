"""Moving a robot or movable object without rebuilding anything."""

from collections.abc import Callable

import numpy as np

from outrider.core.frames import Pose
from outrider.loader.world import object_model
from outrider.physics.engine import Places
from outrider.physics.health import check_bounds
from outrider.scenarios.build import world_spec
from outrider.scenarios.scenario import Scenario
from outrider.sim.free_places import Height
from outrider.sim.rig import Rig
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


def direct_placing(simulation: Simulation, name: str, where: PoseSpec | Pose) -> Callable[[], None]:
    """Return what moves a robot (by its entry's pose) or an object there, if that is free."""
    given: Height = "given"
    if isinstance(where, PoseSpec):
        given = "found" if where.z is None else "given"
        check_bounds(name, where.pose().position)
        where = robot_pose(simulation, name, where)
    check_bounds(name, where.position)
    rig, pose = simulation.rig, where
    trial = rig.trial()
    trial.places.place(rig.assembly.root(name), pose, _STILL, _STILL)
    check_placed(trial, name, given)

    def put() -> None:
        place(simulation, name, pose)
        for vehicle in rig.vehicles:
            if given == "found" and vehicle.name == name:
                tell_of_a_floor_below(rig, vehicle)

    return put


def place_if_free(
    simulation: Simulation, put: Callable[[Places], None], refuse: Callable[[Rig], None]
) -> None:
    """Put bodies and joints somewhere, unless a trial of it is refused: nothing is touched then."""
    trial = simulation.rig.trial()
    put(trial.places)
    refuse(trial)
    put(simulation.rig.engine)


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
