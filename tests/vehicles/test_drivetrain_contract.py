"""What every registered drivetrain must keep, one of a third party's package included."""

import pytest

from outrider.core.errors import ConfigError
from outrider.core.files.yaml_file import yaml_text
from outrider.core.structure import from_data, plain
from outrider.loader.library import library_names, library_path
from outrider.scenarios.build import build as build_scenario
from outrider.scenarios.load import loads
from outrider.vehicles.command import DriveCommand
from outrider.vehicles.controller import Controller
from outrider.vehicles.drivetrain import DRIVETRAINS, DrivetrainSpec, spec_class
from outrider.vehicles.odometry import WheelOdometry
from outrider.vehicles.robot import load_robot
from outrider.vehicles.spec import RobotSpec

ROBOTS = {load_robot(name).spec.drivetrain.type: name for name in library_names("robots")}
COMMANDS = [DriveCommand(0.5), DriveCommand(0.4, 0.2), DriveCommand(-0.3, 0.1), DriveCommand(0.0)]


@pytest.fixture(params=list(DRIVETRAINS))
def robot(request):
    assert request.param in ROBOTS, f"no robot of the library drives by '{request.param}'"
    return load_robot(ROBOTS[request.param])


def test_its_spec_is_a_frozen_dataclass_of_its_own_name(robot):
    spec = robot.spec.drivetrain
    assert type(spec) is spec_class(spec.type)
    assert isinstance(spec, DrivetrainSpec)
    assert type(spec).__dataclass_params__.frozen
    assert DRIVETRAINS.load(spec.type).Spec is type(spec)


def test_its_spec_is_written_and_read_again_alike(robot):
    assert from_data(RobotSpec, plain(robot.spec)) == robot.spec


def test_its_joints_are_the_robot_s(robot):
    joints = {joint.name for joint in robot.model.joints}
    drive = robot.drivetrain
    assert drive.driven
    assert {*drive.driven, *drive.steered} <= joints
    assert {belt.sprocket for belt in drive.belts} <= joints
    assert bool(drive.steered) == (drive.steering_rate > 0)


@pytest.mark.parametrize("command", COMMANDS)
def test_wheels_that_follow_their_set_points_move_the_base_as_told(robot, command):
    drive, seconds = robot.drivetrain, 0.1
    targets = drive.targets(drive.resolve(command, DriveCommand()))
    assert len(targets.wheel_speeds) == len(drive.driven)
    assert len(targets.steering) == len(drive.steered)
    travel = [speed * seconds for speed in targets.wheel_speeds]
    way, turn = drive.motion(travel, targets.steering)
    assert way == pytest.approx(targets.speed * seconds, abs=1e-12)
    assert turn == pytest.approx(targets.yaw_rate * seconds, abs=1e-9)
    assert targets.speed == command.speed


def test_controller_and_odometry_go_on_from_their_states_alike(robot):
    def run(control, odometry, since, until):
        found = []
        for step in range(since, until):
            if step == 3:
                control.input.twist(0.4, 0.3, step)
            targets = control.update(step, 0.01)
            odometry.update([v * step for v in targets.wheel_speeds], targets.steering, 0.01)
            found.append((targets, odometry.x, odometry.y, odometry.yaw))
        return found

    spec, drive = robot.spec, robot.drivetrain
    for split in (1, 4, 30):
        one = Controller(spec, drive), WheelOdometry(drive)
        two = Controller(spec, drive), WheelOdometry(drive)
        run(*one, 0, split)
        for part, other in zip(one, two, strict=True):
            other.set_state(part.get_state())
        assert run(*one, split, 60) == run(*two, split, 60)


_MODULE = """
from dataclasses import dataclass
from typing import ClassVar, Literal

from outrider.vehicles.drivetrain import Drivetrain, DrivetrainSpec, Targets


@dataclass(frozen=True, slots=True)
class PairSpec(DrivetrainSpec):
    type: Literal["pair"] = "pair"
    wheels: tuple[str, ...] = ()
    track: float = 0.4
    radius: float = 0.1


class Pair(Drivetrain):
    Spec: ClassVar[type] = PairSpec

    def __init__(self, spec):
        self.driven = spec.wheels
        self._spec = spec

    def targets(self, command):
        turn = command.yaw_rate * self._spec.track / 2
        sides = [(command.speed + side * turn) / self._spec.radius for side in (-1, 1, -1, 1)]
        return Targets(command.speed, command.yaw_rate, tuple(sides), ())

    def motion(self, wheel_travel, steering):
        left, right = wheel_travel[0], wheel_travel[1]
        radius = self._spec.radius
        return (left + right) / 2 * radius, (right - left) * radius / self._spec.track
"""


@pytest.fixture
def third_party(tmp_path, monkeypatch):
    """Install a package that brings a drivetrain, as pip would."""
    home = tmp_path / "site"
    info = home / "pair_drive-1.0.dist-info"
    info.mkdir(parents=True)
    (home / "pair_drive.py").write_text(_MODULE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pair-drive\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[outrider.drivetrains]\npair = pair_drive:Pair\n")
    monkeypatch.syspath_prepend(str(home))


def robot_file(folder):
    """Write a Jackal that drives by the third party's drivetrain."""
    data = plain(load_robot("jackal").bare().spec)
    wheels = [f"{end}_{side}_wheel" for end in ("front", "rear") for side in ("left", "right")]
    data |= {"name": "paired", "urdf": str(library_path("robots", "jackal").parent / "jackal.urdf")}
    data["drivetrain"] = {"type": "pair", "wheels": wheels, "track": 0.37, "radius": 0.098}
    path = folder / "paired.yaml"
    path.write_text(yaml_text(data))
    return path


def test_a_drivetrain_of_another_package_drives_a_robot_from_its_file(third_party, tmp_path):
    assert "pair" in list(DRIVETRAINS)
    path = robot_file(tmp_path)
    simulation = build_scenario(loads(f"robots: [{{model: {path}, name: it}}]"))
    simulation.robots["it"].drive(0.5)
    simulation.run(0.2)
    assert simulation.robots["it"].velocity[0] > 0.15
    kept = simulation.get_state()
    simulation.run(0.1)
    later = simulation.state_hash
    simulation.set_state(kept)
    simulation.run(0.1)
    assert simulation.state_hash == later


def test_without_that_package_the_error_names_what_there_is(tmp_path):
    with pytest.raises(ConfigError, match=r"drivetrain\.type: expected one of ackermann, diff"):
        load_robot(robot_file(tmp_path))
