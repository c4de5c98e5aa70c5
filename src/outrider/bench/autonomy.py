"""The autonomy stack: how fast each part is on one core, on messages of a short drive."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from outrider.autonomy.assemble import assemble_stack
from outrider.autonomy.component import Output
from outrider.autonomy.mapping.map_files import GridMap
from outrider.autonomy.odometry.spec import VisualSpec
from outrider.autonomy.odometry.visual import VisualOdometry
from outrider.autonomy.pipeline import Incoming
from outrider.autonomy.planning.footprint import FootprintSpec
from outrider.autonomy.planning.global_planner import GlobalPlanner
from outrider.autonomy.planning.navigator import Navigator
from outrider.autonomy.planning.spec import GlobalPlannerSpec, InflationSpec, NavigationSpec
from outrider.autonomy.spec import AutonomySpec
from outrider.autonomy.waypoints.spec import WaypointsSpec
from outrider.bench.measurement import Measurement, median_time, middle
from outrider.messages.types import Message
from outrider.scenarios.build import build
from outrider.scenarios.load import load
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Drive, Scenario

_LIDAR = "hratc-lidar"
_SECONDS = 12.0
_EYES = {
    "/tf_static": "tf_static",
    "/front/left/camera_info": "left_info",
    "/front/right/camera_info": "right_info",
    "/front/left/image_raw": "left",
    "/front/right/image_raw": "right",
    "/imu/data": "imu",
    "/jackal_velocity_controller/odom": "wheels",
}


class Autonomy:
    """Benchmarks of the stack, from single parts to a whole scenario."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other."""
        yield self._lidar()
        yield self._stereo()
        yield self._planning()
        yield self._cycle()
        yield self._scenario()

    def _lidar(self) -> Measurement:
        """Odometry, segmentation, SLAM and mapping for each scan."""
        pipeline = assemble_stack(AutonomySpec(navigation=None))
        spent = []
        for topic, message, now_ns in recorded(load(_LIDAR), set(pipeline.inputs), _SECONDS):
            began = time.process_time()
            pipeline.feed(topic, message, now_ns)
            spent.append((topic, time.process_time() - began))
        scans = [i for i, (topic, _) in enumerate(spent) if topic == "/mid/points"]
        # what came between two scans belongs to the second one
        costs = [sum(cost for _, cost in spent[a + 1 : b + 1]) for a, b in pairwise(scans[20:])]
        return _rate("LiDAR odometry, SLAM and mapping, 16x900, processor time", costs, 25.0)

    def _stereo(self) -> Measurement:
        odometry = VisualOdometry(VisualSpec(), ("odom", "base_link"))
        costs = []
        for topic, message, now_ns in recorded(load("hratc-path"), set(_EYES), 5.0):
            began = time.process_time()
            said = list(odometry.take(_EYES[topic], message, now_ns))
            if said and topic.endswith("image_raw"):
                costs.append(time.process_time() - began)
        return _rate("stereo odometry, 1024x768, processor time", costs[5:], 20.0)

    def _planning(self) -> Measurement:
        """Plan over 30 x 30 m with scattered obstacles."""
        values = np.zeros((600, 600), np.int8)
        random = np.random.default_rng(1)
        for x, y in random.integers(20, 580, (60, 2)).tolist():
            values[y - 4 : y + 4, x - 4 : x + 4] = 100
        planner = GlobalPlanner(GlobalPlannerSpec(), FootprintSpec(), InflationSpec())
        grid = GridMap(values, 0.05, np.zeros(3))
        start, goal = np.array([1.0, 1.0]), np.array([29.0, 28.0])
        planner.plan(grid, start, goal)
        seconds, spread = median_time(lambda: planner.plan(grid, start, goal), 9)
        return Measurement(
            "global plan over 40 m", seconds * 1e3, "ms", "lower", spread * 1e3, limit=50.0
        )

    def _cycle(self) -> Measurement:
        """Take clouds into the local map and choose a command; every tenth cycle plans anew."""
        spec = AutonomySpec(waypoints=WaypointsSpec(points=((1.0, 6.0),)))
        timed = _TimedNavigator(NavigationSpec(), watched="lidar-inertial odometry")
        pipeline = assemble_stack(spec, own=[timed])
        messages = recorded(load(_LIDAR), set(pipeline.inputs), _SECONDS)
        for _ in pipeline.run(messages):
            pass
        mid, spread = middle(timed.cycles[20:])
        return Measurement(
            "navigation cycle, processor time", mid * 1e3, "ms", "lower", spread * 1e3, limit=50.0
        )

    def _scenario(self) -> Measurement:
        """Run simulation and stack together, as 'outrider scenario run' has them."""
        scenario = replace(load(_LIDAR), duration_s=15.0)
        run = Run(scenario, speed=0.0)
        result = run.go()
        return Measurement(
            "real-time factor, LiDAR scenario with its stack",
            float(result["real_time_factor"]),
            "x",
            "higher",
            limit=2.0,
        )


def _rate(name: str, costs: list[float], limit: float) -> Measurement:
    """Return how often a second something can be done that took so long."""
    mid, spread = middle(costs)
    return Measurement(name, 1.0 / mid, "Hz", "higher", spread / mid**2, limit=limit)


class _TimedNavigator(Navigator):
    """Counts the processor time from one command to the next."""

    def __init__(self, spec: NavigationSpec, watched: str) -> None:
        super().__init__(spec, watched=watched)
        self.cycles: list[float] = []
        self._spent = 0.0

    def take(self, port: str, message: Message, time_ns: int) -> Iterable[Output]:
        """Take a message, and time it."""
        began = time.process_time()
        said = super().take(port, message, time_ns)
        self._spent += time.process_time() - began
        return said

    def tick(self, now_ns: int) -> Iterable[Output]:
        """Act, and note the time if that was a cycle."""
        began = time.process_time()
        said = list(super().tick(now_ns))
        self._spent += time.process_time() - began
        if said:
            self.cycles.append(self._spent)
            self._spent = 0.0
        return said


def recorded(scenario: Scenario, topics: set[str], seconds: float) -> list[Incoming]:
    """Return the messages of a drive: two seconds of standing, then an arc."""
    entry = scenario.robots[0]
    motion = Drive(speed=0.4, yaw_rate_deg=6.0, start_s=2.0)
    robots = (replace(entry, motion=motion),)
    simulation = build(replace(scenario, robots=robots, autonomy=None, end=()))
    boxes = [(name, simulation.bus.subscribe(name, kept="all")) for name in sorted(topics)]
    simulation.begin()
    out = []
    while simulation.time_s < seconds:
        for name, box in boxes:
            while (item := box.poll()) is not None:
                out.append((name, item[1], item[0]))
        simulation.step()
    return out
