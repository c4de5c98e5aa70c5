"""What environments of one kind share in a process: world, scene, meshes, and free places."""

import math
from functools import cached_property

import numpy as np

from outrider.core.errors import LearningError
from outrider.core.frames import Pose
from outrider.evaluation.measures.truth_grid import Region, ground_region
from outrider.evaluation.runs.map_accuracy import floors_of
from outrider.learning.free_ground import FreeGround, free_ground
from outrider.learning.options import RobotOptions
from outrider.loader.world import build_world
from outrider.scenarios.build import add_paths, world_spec
from outrider.scenarios.movers.actors import add_actors, make_actors
from outrider.scenarios.opening import find_scenario
from outrider.scene.scene import Scene
from outrider.sim.rig import Participant, static_scene
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.vehicles.robot import load_robot

ROBOT = "robot"
SCAN = "scan"
_MARGIN = 0.15  # m between a robot's circle and what stands around it


class SharedWorld:
    """Makes simulations of one robot in one world; all but the first take the scene over."""

    def __init__(self, options: RobotOptions) -> None:
        self.options = options
        scenario = find_scenario(options.world, options.robot)
        entry = scenario.robots[0]
        self._spec = world_spec(scenario)
        self.world = build_world(self._spec)
        self.robot = load_robot(entry.model, entry.args, entry.search, entry.robot)
        self._seed = scenario.seed
        self._scene: Scene = static_scene(self.world)  # then with the robot, for all
        self._first: Simulation | None = None

    def simulation(self) -> Simulation:
        """Return a simulation of its own state, with nothing on the robot but the scanner."""
        options = self.options
        actors = make_actors(self._spec, self._seed, self._scene, []) if self._spec.actors else None
        made = Simulation(
            self.world,
            [Participant(self.robot.bare(), ROBOT, sensors=(self._scanner(),))],
            engine=options.engine,
            step_s=options.step_s,
            seed=self._seed,
            scene=self._scene,
            actors=actors.models() if actors else (),
        )
        add_paths(made, self._spec)
        add_actors(made, actors)
        self._first = self._first or made
        self._scene = made.rig.scene
        return made

    @cached_property
    def free(self) -> FreeGround:
        """Where the robot can be; found when it is first asked for."""
        return free_ground(self.world, self._floors, self.region, self.radius + _MARGIN)

    @cached_property
    def radius(self) -> float:
        """The radius of the circle about the robot's root link that it lies within (m)."""
        first = self._first or self.simulation()
        root = first.rig.vehicles[0].root
        pose = first.robots[ROBOT].pose.inverse()
        reach = 0.0
        for part in first.rig.scene.movers:
            body = first.state.bodies[part.body]
            at = pose @ Pose(body["position"].copy(), body["rotation"].copy())
            if first.rig.assembly.bodies[part.body].model == first.rig.assembly.bodies[root].model:
                centre = at.apply(np.asarray(part.centre, np.float64)[None, :])[0]
                half = np.asarray(part.surface.high - part.surface.low, np.float64) / 2
                reach = max(reach, math.hypot(*centre[:2]) + math.hypot(*half[:2]))
        return reach

    @property
    def _floors(self) -> frozenset[str]:
        return floors_of(self._spec)

    @cached_property
    def region(self) -> Region:
        """The area of the episodes, as far as there is ground."""
        x0, y0, x1, y1 = ground_region(self.world, self._floors)
        x, y = self.options.centre or self.world.start.position[:2].tolist()
        area = self.options.area
        if not (x0 < x < x1 and y0 < y < y1):
            raise LearningError(
                f"world '{self.world.name}': centre: there is no ground at x = {x:g}, y = {y:g}"
            )
        return max(x0, x - area), max(y0, y - area), min(x1, x + area), min(y1, y + area)

    def _scanner(self) -> SensorEntry:
        """Return a scanner without errors: those are drawn from the episode's seed."""
        options = self.options
        values = {
            "samples": options.rays,
            "range_min": 0.05,
            "range_max": options.range_max,
            "noise": [],
            "resolution": 0.0,
            "range_at_10_percent": 0.0,
            "direction": "ccw",
        }
        pose = PoseSpec(z=options.scan_height)
        return SensorEntry(
            SCAN, "rplidar-a2", pose=pose, rate_hz=options.control_hz, frame_id=SCAN, set=values
        )
