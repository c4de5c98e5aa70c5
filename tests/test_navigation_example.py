"""The example for gmapping, amcl and move_base fits the robot that it is for."""

import subprocess
from pathlib import Path

import pytest
import yaml

from outrider.scenarios.api import open_

FOLDER = Path(__file__).parents[1] / "examples" / "ros1-navigation"
LAUNCH = {
    "mapping.launch": ["/slam_gmapping", "/move_base"],
    "navigation.launch": ["/map_server", "/amcl", "/move_base"],
}


def parameters(name):
    return yaml.safe_load((FOLDER / "parameters" / f"{name}.yaml").read_text())


@pytest.fixture(scope="module")
def sim():
    found = open_(FOLDER / "jackal.yaml")
    found.robots["jackal"].sensors["front_laser"]  # whoever asks for it gets it
    found.run(0.1)
    return found


def test_topics_and_frames_are_those_of_the_robot(sim):
    jackal = sim.robots["jackal"]
    laser = parameters("costmap")["obstacles"]["laser"]
    scan = jackal.sensors["front_laser"].latest
    assert (laser["topic"], laser["sensor_frame"]) == ("/front/scan", scan.header.frame_id)
    assert laser["topic"] in sim.topics()
    odometry = jackal.sensors["odometry"].latest
    for name in ("gmapping", "amcl"):
        told = {
            v for k, v in parameters(name).items() if k.startswith(("base_frame", "odom_frame"))
        }
        assert told == {odometry.header.frame_id, odometry.child_frame_id}
    launched = "".join(path.read_text() for path in FOLDER.glob("*.launch"))
    assert jackal.topics["odometry"] in launched
    assert 'from="scan" to="/front/scan"' in launched


def test_limits_are_within_those_of_scanner_and_robot(sim):
    scan = sim.robots["jackal"].sensors["front_laser"].latest
    assert parameters("amcl")["laser_min_range"] == scan.range_min
    assert parameters("gmapping")["maxUrange"] < scan.range_max
    assert "maxRange" not in parameters("gmapping")  # or beams that saw something close would clear
    planner = parameters("move_base")["TrajectoryPlannerROS"]
    limits = sim.rig.vehicles[0].robot.spec.limits
    assert planner["max_vel_x"] <= limits.speed
    assert planner["max_vel_theta"] <= limits.yaw_rate


def test_recoveries_clear_the_layer_that_the_scans_fill():
    """By default they clear the one called so, and no other."""
    shared = parameters("costmap")
    for name in ("global_costmap", "local_costmap"):
        layers = {layer["name"]: layer["type"] for layer in parameters(name)["plugins"]}
        assert layers["obstacles"] == "costmap_2d::ObstacleLayer"
        assert {"obstacles", "inflation"} <= set(layers) & set(shared)


@pytest.mark.parametrize(("publishes", "frames"), [("true", 1), ("false", 0)])
def test_the_odometry_frame_can_be_left_to_a_filter(publishes, frames):
    sim = open_(FOLDER / "jackal.yaml", f"robots.0.publish_tf={publishes}")
    moving = sim.bus.subscribe("/tf")
    sim.run(0.1)
    told = moving.poll()[1].transforms
    assert sum(transform.header.frame_id == "odom" for transform in told) == frames


@pytest.mark.peer
@pytest.mark.parametrize("name", sorted(LAUNCH))
def test_roslaunch_understands_the_files(name):
    try:
        done = subprocess.run(
            ["roslaunch", "--nodes", str(FOLDER / name), "map:=room.yaml"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("roslaunch is not installed")
    assert done.stdout.split() == LAUNCH[name], done.stderr
