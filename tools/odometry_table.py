"""How exact the odometries are: each path driven by truth, the stack listening, judged by evo.

    python tools/odometry_table.py                     # LiDAR-inertial, five worlds, seed 1
    python tools/odometry_table.py --kind stereo --seeds 5 --worlds hratc campus

Prints the rmse of the position after alignment (m), that of the rotation (degrees) and the mean
error without alignment. Needs `pip install evo`.
"""

import argparse
import sys
from dataclasses import replace

import numpy as np

from outrider.autonomy.assemble import assemble_stack
from outrider.autonomy.odometry.spec import LidarInertialSpec, VisualSpec
from outrider.autonomy.pipeline import StampedOutput
from outrider.autonomy.spec import AutonomySpec
from outrider.autonomy.stereo.spec import DepthSpec
from outrider.core.frames import Pose
from outrider.messages.plain_values import pose_from, pose_of, stamp_ns
from outrider.scenarios.build import build
from outrider.scenarios.load import load
from outrider.scenarios.localization import localization_errors
from outrider.scenarios.scenario import Scenario, Waypoints
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec

WORLDS = ("hratc", "agriculture", "campus", "inspection", "lunar")
WANTED = {  # m
    "lidar-inertial": dict(zip(WORLDS, (0.04, 0.07, 0.08, 0.07, 0.13), strict=True)),
    "stereo": dict(zip(WORLDS, (0.04, 0.04, 0.12, 0.03, 0.03), strict=True)),
}
Track = list[tuple[int, Pose]]


def spec_of(kind: str) -> AutonomySpec:
    """Return the stack that listens: odometry and SLAM."""
    if kind == "stereo":
        spec = AutonomySpec(odometry=VisualSpec(), stereo=DepthSpec(period_s=0.5))
    else:
        spec = AutonomySpec(odometry=LidarInertialSpec())
    return replace(spec, segmentation=None, mapping=None, navigation=None)


def still_at_first(world: str, kind: str, seed: int) -> Scenario:
    """Return the path of a world, with the sensors and two seconds of standing still."""
    scenario = load(f"{world}-path")
    entry = scenario.robots[0]
    assert isinstance(entry.motion, Waypoints)
    lidar = SensorEntry("velodyne", "platt-vlp16", pose=PoseSpec(z=0.3))
    entry = replace(
        entry,
        motion=replace(entry.motion, start_s=2.0),
        sensors=(*entry.sensors, lidar) if kind == "lidar-inertial" else entry.sensors,
    )
    return replace(scenario, robots=(entry,), end=(), expect=(), seed=seed)


class Listener:
    """Feeds a pipeline from the bus, and keeps what it says beside the truth."""

    def __init__(self, simulation: Simulation, kind: str) -> None:
        self._pipeline = assemble_stack(spec_of(kind))
        self._boxes = [
            (name, simulation.bus.subscribe(name, kept="all")) for name in self._pipeline.inputs
        ]
        self._correction = Pose()
        self.poses: Track = []
        self.truth: Track = []

    def step(self, simulation: Simulation) -> None:
        """Take what has come."""
        came = []
        for name, box in self._boxes:
            while (item := box.poll()) is not None:
                came.append((item[0], name, item[1]))
        for time_ns, name, message in sorted(came, key=lambda item: item[0]):
            for said in self._pipeline.feed(name, message, time_ns):
                self._hear(said)
        if simulation.steps % 2 == 0:
            robot = next(iter(simulation.robots.values()))
            self.truth.append((simulation.time_ns, robot.pose))

    def _hear(self, said: StampedOutput) -> None:
        if said.topic == "/odometry":
            pose = pose_from(said.message.pose.pose)
            self.poses.append((stamp_ns(said.message), self._correction @ pose))
        elif said.topic == "/tf":
            for item in said.message.transforms:
                if item.header.frame_id == "map":
                    self._correction = pose_of(item.transform)


def drive(world: str, kind: str, seed: int) -> Listener:
    """Drive a path to its end."""
    scenario = still_at_first(world, kind, seed)
    simulation = build(scenario)
    listener = Listener(simulation, kind)
    simulation.begin()
    assert scenario.duration_s is not None
    while simulation.time_s < scenario.duration_s + 2.0:
        simulation.step()
        listener.step(simulation)
    return listener


def judge(poses: Track, truth: Track) -> tuple[float, float]:
    """Return the rmse of position (m) and rotation (degrees) after alignment, by evo."""
    from evo.core import metrics, sync, trajectory

    def path(track: Track) -> trajectory.PoseTrajectory3D:
        places = np.array([pose.position for _, pose in track])
        turns = np.array([np.roll(pose.rotation, 1) for _, pose in track])
        return trajectory.PoseTrajectory3D(places, turns, np.array([t / 1e9 for t, _ in track]))

    true, estimated = sync.associate_trajectories(path(truth), path(poses), max_diff=0.004)
    estimated.align(true)
    found = []
    for relation in (
        metrics.PoseRelation.translation_part,
        metrics.PoseRelation.rotation_angle_deg,
    ):
        error = metrics.APE(relation)
        error.process_data((true, estimated))
        found.append(float(error.get_statistic(metrics.StatisticsType.rmse)))
    return found[0], found[1]


def main() -> None:
    """Print a row per run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=sorted(WANTED), default="lidar-inertial")
    parser.add_argument("--worlds", nargs="+", choices=WORLDS, default=list(WORLDS))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    options = parser.parse_args()
    print(f"{'world':14}{'seed':>5}{'rmse m':>9}{'wanted':>8}{'deg':>7}{'mean m':>9}{'poses':>7}")
    for world in options.worlds:
        for seed in range(options.first, options.first + options.seeds):
            run = drive(world, options.kind, seed)
            rmse, degrees = judge(run.poses, run.truth)
            errors = localization_errors(run.poses, run.truth)
            assert errors is not None
            mean, wanted = errors["position_m"]["mean"], WANTED[options.kind][world]
            print(
                f"{world:14}{seed:5d}{rmse:9.4f}{wanted:8.2f}{degrees:7.2f}{mean:9.4f}"
                f"{len(run.poses):7d}"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
