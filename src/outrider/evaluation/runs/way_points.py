"""Way points that cannot be reached are refused before a run, not after its time is over."""

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose
from outrider.scenarios.driven import driven
from outrider.scenarios.motions import motions_of
from outrider.scenarios.scenario import RobotEntry, Scenario, Waypoints
from outrider.scene.free_place import in_the_way
from outrider.scene.standing import place_on_ground
from outrider.sim.simulation import Simulation
from outrider.vehicles.rows import RowMaker


def check_way_points(scenario: Scenario, simulation: Simulation) -> None:
    """Refuse points where something that stands still is inside the robot's footprint."""
    for entry in scenario.robots:
        for number, (x, y) in enumerate(_points(entry, scenario)):
            found = _blocked(simulation, entry.name, x, y)
            if found:
                raise ConfigError(
                    f"{scenario.name}: way point {number} ({x:g}, {y:g}) of '{entry.name}' lies"
                    f" inside '{found}'; move it"
                )


def _points(entry: RobotEntry, scenario: Scenario) -> list[tuple[float, float]]:
    points = [p for m in motions_of(entry) if isinstance(m, Waypoints) for p in m.points]
    spec = scenario.autonomy
    if spec is not None and spec.waypoints is not None and driven(scenario).name == entry.name:
        points += [(point.x, point.y) for point in spec.waypoints.load()]
    return points


def _blocked(simulation: Simulation, robot: str, x: float, y: float) -> str:
    rig = simulation.rig
    vehicle = next(v for v in rig.vehicles if v.name == robot)
    height, footprint = RowMaker(vehicle.robot, robot, rig.assembly).stance()
    pose = place_on_ground(rig.scene, Pose(np.array([x, y, 0.0])), footprint, height)
    return in_the_way(rig.scene, pose, footprint)
