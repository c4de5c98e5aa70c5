import math
from xml.etree import ElementTree

import pytest
import yaml

from outrider.core.structure import from_data
from outrider.messages.topics import TOPICS
from outrider.vehicles.ackermann import AckermannSpec
from outrider.vehicles.controller import Controller
from outrider.vehicles.curves import CURVES, find_curve
from outrider.vehicles.drivetrain import make_drivetrain
from outrider.vehicles.spec import RobotSpec
from outrider.vehicles.tracked import TrackedSpec

ROBOTS = CURVES.parent / "robots"
NAMES = ["autominy", "create", "husky", "jackal", "tank", "tracked_ugv"]
G = 9.81


def load(name):
    path = ROBOTS / name / f"{name}.yaml"
    return from_data(RobotSpec, yaml.safe_load(path.read_text()), str(path))


def urdf(name):
    return ElementTree.parse(ROBOTS / name / load(name).urdf).getroot()


def origin(root, child):
    """Add up the joint origins from a link to the root (no rotations in these robots)."""
    x = y = z = 0.0
    while (
        joint := next((j for j in root.iter("joint") if is_parent_of(j, child)), None)
    ) is not None:
        place = joint.find("origin")
        dx, dy, dz = map(float, ("0 0 0" if place is None else place.get("xyz")).split())
        x, y, z = x + dx, y + dy, z + dz
        child = joint.find("parent").get("link")
    return x, y, z


def is_parent_of(joint, link):
    return joint.find("child").get("link") == link


def wheel(root, joint):
    """Return place and radius of the wheel that a joint spins."""
    link = root.find(f"joint[@name='{joint}']").find("child").get("link")
    shape = root.find(f"link[@name='{link}']").find("collision/geometry/cylinder")
    return origin(root, link), float(shape.get("radius"))


def mass(root):
    return sum(float(m.get("value")) for m in root.iter("mass"))


def test_all_six_robots_are_there():
    assert sorted(path.parent.name for path in ROBOTS.glob("*/*.yaml")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_robot_file_loads_and_drives(name):
    spec = load(name)
    assert spec.name == name
    drivetrain = make_drivetrain(spec.drivetrain)
    control = Controller(spec, drivetrain)
    control.input.twist(0.2, 0.1, 0)
    for _ in range(200):
        targets = control.update(0, 0.01)
    assert (targets.speed, targets.yaw_rate) == pytest.approx((0.2, 0.1))
    assert len(targets.wheel_speeds) == len(drivetrain.driven)


@pytest.mark.parametrize("name", NAMES)
def test_every_joint_and_link_it_names_is_in_the_urdf(name):
    spec, root = load(name), urdf(name)
    drivetrain = make_drivetrain(spec.drivetrain)
    joints = {joint.get("name") for joint in root.iter("joint")}
    links = {link.get("name") for link in root.iter("link")}
    named = {*drivetrain.driven, *drivetrain.steered, *spec.idle_wheels, *spec.suspension}
    assert named <= joints
    assert {castor.link for castor in spec.castors} <= links
    if isinstance(spec.drivetrain, TrackedSpec):
        assert {spec.drivetrain.left.link, spec.drivetrain.right.link} <= links


@pytest.mark.parametrize("name", ["create", "husky", "jackal"])
def test_track_and_wheel_radius_are_the_urdf_s(name):
    spec, root = load(name).drivetrain, urdf(name)
    for side, joints in ((1, spec.left), (-1, spec.right)):
        for joint in joints:
            (_, y, _), radius = wheel(root, joint)
            assert y == pytest.approx(side * spec.track / 2)
            assert radius == spec.wheel_radius


@pytest.mark.parametrize("name", ["tank", "tracked_ugv"])
def test_belts_lie_where_their_links_do(name):
    spec, root = load(name).drivetrain, urdf(name)
    for side, belt in ((1, spec.left), (-1, spec.right)):
        _, y, _ = origin(root, belt.link)  # a belt's figures are in its link's frame
        assert y + belt.y == pytest.approx(side * spec.track / 2)
        widths = root.findall(f"link[@name='{belt.link}']/collision/geometry/box")
        assert float(widths[0].get("size").split()[1]) == belt.width


def test_autominy_s_geometry_is_its_urdf_s():
    spec, root = load("autominy").drivetrain, urdf("autominy")
    assert isinstance(spec, AckermannSpec)
    (x, y, _), radius = wheel(root, spec.driven[0])
    assert (x, y, radius) == pytest.approx((0.0, spec.drive_track / 2, spec.wheel_radius))
    (x, y, _), _ = wheel(root, "frontwheel_left")
    assert (x, y) == pytest.approx((spec.wheelbase, spec.steer_track / 2))
    limit = float(root.find(f"joint[@name='{spec.steer_left}']/limit").get("upper"))
    curvature = math.tan(spec.max_steering_rad) / spec.wheelbase
    assert max(make_drivetrain(spec).wheel_angles(curvature)) < limit


@pytest.mark.parametrize("name", NAMES)
def test_brakes_hold_the_robot_and_motors_move_it_on_thirty_degrees(name):
    spec, root = load(name), urdf(name)
    drivetrain = spec.drivetrain
    tracked = isinstance(drivetrain, TrackedSpec)
    radius = drivetrain.left.radius if tracked else drivetrain.wheel_radius
    needed = mass(root) * G * math.sin(math.radians(30)) * radius
    needed /= len(make_drivetrain(drivetrain).driven)
    assert spec.motor.brake_nm > 1.5 * needed
    assert spec.motor.torque_nm > 1.5 * needed


@pytest.mark.parametrize("name", NAMES)
def test_a_tyre_gives_way_by_millimetres_and_is_damped(name):
    spec, root = load(name), urdf(name)
    contacts = len(make_drivetrain(spec.drivetrain).driven) + len(spec.idle_wheels)
    if isinstance(spec.drivetrain, TrackedSpec):
        contacts *= spec.drivetrain.left.contacts
    share = mass(root) / contacts
    assert 0.001 < share * G / spec.tyre.stiffness < 0.011
    assert 0.05 < spec.tyre.damping / (2 * math.sqrt(spec.tyre.stiffness * share)) < 0.35


@pytest.mark.parametrize("name", NAMES)
def test_topics_and_rates_have_keys_of_the_topic_table(name):
    spec = load(name)
    assert set(spec.topics) | set(spec.rates) <= set(TOPICS)


@pytest.mark.parametrize("name", NAMES)
def test_every_curve_it_names_exists(name):
    for key, file in getattr(load(name).drivetrain, "curves", {}).items():
        assert key in TOPICS
        find_curve(file, ROBOTS / name)


@pytest.mark.parametrize(
    ("name", "limits", "multiplier", "timeout_s", "odometry"),
    [
        ("jackal", (2.0, 20.0, 4.0, 25.0), 1.5, 0.25, "jackal_velocity_controller/odom"),
        ("husky", (1.0, 3.0, 2.0, 6.0), 1.875, 0.25, "husky_velocity_controller/odom"),
        ("create", (0.5, 1.8, 4.25, 0.0), 1.0, 0.2, "odom"),
    ],
)
def test_published_figures_are_kept(name, limits, multiplier, timeout_s, odometry):
    spec = load(name)
    found = spec.limits
    assert (found.speed, found.acceleration, found.yaw_rate, found.yaw_acceleration) == limits
    assert spec.drivetrain.track_multiplier == multiplier
    assert spec.command_timeout_s == timeout_s
    assert spec.topics["odometry"] == odometry
