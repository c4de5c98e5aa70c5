"""Moving a robot or movable object without rebuilding anything."""

import numpy as np

from outrider.core.frames import Pose
from outrider.loader.world import object_model
from outrider.scenarios.build import world_spec
from outrider.scenarios.scenario import Scenario
from outrider.scene.ground_pose import place_on_ground
from outrider.sim.simulation import Simulation
from outrider.specs.world import ObjectSpec, PoseSpec
from outrider.vehicles.rows import RowMaker

_STILL = np.zeros(3)


def stays_built(scenario: Scenario, name: str) -> bool:
    """Return whether an object can be moved to its pose in the scenario in place."""
    robots = any(entry.name == name and entry.pose is not None for entry in scenario.robots)
    return robots or any(_is_movable(item, name) for item in world_spec(scenario).objects)


def _is_movable(item: ObjectSpec, name: str) -> bool:
    return item.name == name and item.mass > 0 and item.path is None


def place_directly(simulation: Simulation, scenario: Scenario, name: str) -> bool:
    """Move an object to its pose in the scenario; return whether that was possible in place."""
    for entry in scenario.robots:
        if entry.name == name and entry.pose is not None:
            place(simulation, name, robot_pose(simulation, name, entry.pose))
            return True
    spec = world_spec(scenario)
    for item in spec.objects:
        if _is_movable(item, name):
            place(simulation, name, object_model(item, spec).pose)
            return True
    return False


def robot_pose(simulation: Simulation, name: str, asked: PoseSpec) -> Pose:
    """Return a robot's pose, on the ground if it has no height."""
    if asked.z is not None:
        return asked.pose()
    rig = simulation.rig
    vehicle = next(v for v in rig.vehicles if v.name == name)
    height, footprint = RowMaker(vehicle.robot, name, rig.assembly).stance()
    return place_on_ground(rig.scene, asked.pose(), footprint, height)


def place(simulation: Simulation, name: str, pose: Pose) -> None:
    """Put a robot or object somewhere, at rest."""
    rig = simulation.rig
    rig.engine.place(rig.assembly.root(name), pose, _STILL, _STILL)
    for vehicle in rig.vehicles:
        if vehicle.name == name:  # what its tyres held on to is not there any more
            vehicle.tyres["bristle"] = vehicle.tyres["force"] = 0.0
