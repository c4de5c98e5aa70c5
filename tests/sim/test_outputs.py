import math
import shutil

import numpy as np
import pytest

from outrider.core.errors import ConfigError
from outrider.core.files.package_files import LIBRARY
from outrider.core.frames import Pose
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.scenarios.build import build
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot


def simulate(*robots: str, world: str = "empty", **options) -> Simulation:
    taking_part = [
        Participant(
            load_robot(model),
            f"{model}_{i}" if len(robots) > 1 else model,
            Pose(np.array([0.0, 3.0 * i, 0.0])),
            namespace=f"{model}_{i}" if len(robots) > 1 else "",
        )
        for i, model in enumerate(robots)
    ]
    return Simulation(build_world(load_world_spec(world)), taking_part, **options)


def matrix(transform) -> np.ndarray:
    t, q = transform.translation, transform.rotation
    return Pose(np.array([t.x, t.y, t.z]), np.array([q.x, q.y, q.z, q.w])).matrix


def test_between_two_messages_of_odometry_its_frame_moves_on_evenly() -> None:
    """The Create's odometry comes at 10 Hz, /tf at 50 Hz: a pose 80 ms old would be 3 cm off."""
    sim = simulate("create", engine="kinematic")
    moving = sim.bus.subscribe("/tf", kept="all")
    odometry = sim.bus.subscribe("/odom", kept="all")
    for _ in range(6):
        sim.robots["create"].drive(0.4, 0.2)
        sim.run(0.1)
    poses = {}
    for time_ns, message in iter(moving.poll, None):
        for t in message.transforms:
            if t.header.frame_id == "odom":
                poses[time_ns] = t.transform.translation.x, t.transform.translation.y
    steps = np.diff([poses[time_ns] for time_ns in sorted(poses) if time_ns > 300_000_000], axis=0)
    assert len(steps) >= 8
    assert np.linalg.norm(steps, axis=1) == pytest.approx(0.4 / 50, rel=1e-3)
    for time_ns, message in iter(odometry.poll, None):
        if time_ns in poses:
            at = message.pose.pose.position
            assert poses[time_ns] == pytest.approx((at.x, at.y), abs=1e-12)


@pytest.mark.parametrize("model", ["jackal", "husky", "autominy", "create", "tracked_ugv", "tank"])
def test_the_tree_of_frames_leads_to_where_every_body_really_is(model: str) -> None:
    sim = simulate(model)
    moving, fixed = sim.bus.subscribe("/tf"), sim.bus.subscribe("/tf_static")
    robot = sim.robots[model]
    for _ in range(4):
        robot.drive(0.3, 0.4)
        sim.run(0.2)
    frames = {t.child_frame_id: t for t in fixed.latest[1].transforms}
    frames |= {t.child_frame_id: t for t in moving.latest[1].transforms}
    assembly = sim.rig.assembly
    root = assembly.bodies[assembly.root(model)].name.split("/")[1]

    def pose_in_root(frame: str) -> np.ndarray:
        if frame == root:
            return np.eye(4)
        step = frames[frame]
        return pose_in_root(step.header.frame_id) @ matrix(step.transform)

    truth = robot.pose.matrix
    for index, body in enumerate(assembly.bodies):
        state = sim.state.bodies[index]
        want = np.linalg.inv(truth) @ Pose(state["position"], state["rotation"]).matrix
        got = pose_in_root(body.name.split("/")[1])
        np.testing.assert_allclose(got, want, atol=1e-9)
    assert frames[root].header.frame_id == "odom"


def test_odometry_follows_the_robot_as_long_as_it_does_not_turn() -> None:
    sim = simulate("jackal")
    topic = sim.robots["jackal"].topics["odometry"]
    assert topic == "/jackal_velocity_controller/odom"
    box = sim.bus.subscribe(topic)
    for _ in range(20):
        sim.robots["jackal"].drive(0.5)
        sim.run(0.1)
    odometry = box.latest[1]
    true = sim.robots["jackal"].pose.position[0]
    assert odometry.pose.pose.position.x == pytest.approx(true, rel=0.01)
    assert odometry.twist.twist.linear.x == pytest.approx(0.5, rel=0.01)
    assert odometry.header.frame_id == "odom"
    assert odometry.child_frame_id == "base_link"
    assert odometry.pose.covariance.reshape(6, 6)[5, 5] == 0.03


def test_a_topic_that_a_robot_does_not_have_is_told_with_those_it_has():
    sim = simulate("jackal")
    with pytest.raises(ConfigError, match=r"did you mean 'odometry'\?.*it has:.*cmd_vel"):
        sim.robots["jackal"].topics["odometri"]


def test_ground_truth_says_where_the_robot_is_and_how_it_moves_in_its_own_axes() -> None:
    sim = simulate("husky")
    box = sim.bus.subscribe("/ground_truth/state")
    for _ in range(30):
        sim.robots["husky"].drive(0.3, 0.5)
        sim.run(0.1)
    truth = box.latest[1]
    robot = sim.robots["husky"]
    p = truth.pose.pose.position
    np.testing.assert_allclose([p.x, p.y, p.z], robot.pose.position, atol=1e-12)
    assert truth.twist.twist.linear.x == pytest.approx(robot.velocity[0], abs=1e-12)
    assert truth.twist.twist.angular.z == pytest.approx(robot.angular_velocity[2], abs=1e-12)
    assert truth.header.frame_id == "map"


def test_joint_states_name_all_wheels_and_turn_at_the_commanded_speed() -> None:
    sim = simulate("jackal")
    box = sim.bus.subscribe("/joint_states")
    for _ in range(20):
        sim.robots["jackal"].drive(0.49)
        sim.run(0.1)
    joints = box.latest[1]
    assert sorted(joints.name) == [
        "front_left_wheel",
        "front_right_wheel",
        "rear_left_wheel",
        "rear_right_wheel",
    ]
    np.testing.assert_allclose(joints.velocity, 0.49 / 0.098, rtol=0.01)


def test_several_robots_speak_under_their_own_names_and_share_tf() -> None:
    sim = simulate("jackal", "jackal", "autominy")
    names = {topic.name for topic in sim.bus.topics()}
    for robot in ("jackal_0", "jackal_1", "autominy_2"):
        assert f"/{robot}/cmd_vel" in names
        assert f"/{robot}/joint_states" in names
    assert "/jackal_1/ground_truth/state" in names
    assert "/autominy_2/simulation/odom_ground_truth" in names
    box = sim.bus.subscribe("/tf", kept="all")
    sim.run(0.02)
    children = set()
    while (item := box.poll()) is not None:
        children |= {t.child_frame_id for t in item[1].transforms}
    assert {"jackal_0/base_link", "jackal_1/base_link", "autominy_2/base_link"} <= children


def test_the_clock_is_published_every_step() -> None:
    sim = simulate("jackal")
    box = sim.bus.subscribe("/clock", kept="all")
    sim.run(0.1)
    times = []
    while (item := box.poll()) is not None:
        times.append(item[1].clock.sec * 10**9 + item[1].clock.nanosec)
    assert times == [2_500_000 * k for k in range(1, 41)]


@pytest.mark.parametrize("topic", ["/cmd_vel", "/cmd_vel_stamped"])
def test_commands_come_by_twist_with_and_without_a_stamp(topic: str) -> None:
    from outrider.messages.convert import from_dict

    sim = simulate("jackal")
    twist = {"linear": {"x": 0.3}}
    kind = "geometry_msgs/msg/Twist" + ("Stamped" if "stamped" in topic else "")
    message = from_dict(kind, {"twist": twist} if "stamped" in topic else twist)
    for _ in range(10):
        sim.bus.publish(topic, message, sim.time_ns)
        sim.run(0.1)
    assert sim.robots["jackal"].velocity[0] == pytest.approx(0.3, rel=0.02)


def test_a_command_that_is_not_a_number_is_ignored_and_counted() -> None:
    sim = simulate("jackal")
    robot = sim.robots["jackal"]
    for _ in range(10):
        robot.drive(0.3)
        sim.run(0.05)
        robot.drive(math.nan)
        sim.run(0.05)
    assert robot.velocity[0] == pytest.approx(0.3, rel=0.02)
    assert robot.ignored_commands == 10


def test_autominy_drives_by_its_own_actuator_topics() -> None:
    from outrider.messages.types import header, message_class

    sim = simulate("autominy")
    steer = message_class("autominy_msgs/msg/NormalizedSteeringCommand")
    speed = message_class("autominy_msgs/msg/SpeedCommand")
    sim.bus.publish("/actuators/steering_normalized", steer(header(0, ""), 1.0), 0)
    sim.bus.publish("/actuators/speed", speed(header(0, ""), 0.5), 0)
    sim.run(4.0)
    robot = sim.robots["autominy"]
    assert robot.velocity[0] == pytest.approx(0.5, rel=0.05)
    turning = robot.angular_velocity[2]
    assert turning == pytest.approx(0.5 / (0.255 / math.tan(0.512)), rel=0.1)


def test_a_robot_without_commands_stands_still_after_its_time_out() -> None:
    sim = simulate("jackal")
    sim.robots["jackal"].drive(0.5)
    sim.run(0.25)
    assert sim.robots["jackal"].velocity[0] == pytest.approx(0.5, rel=0.05)
    sim.run(1.0)
    assert abs(sim.robots["jackal"].velocity[0]) < 1e-3


def test_two_of_a_kind_need_other_topics_only_for_what_they_say() -> None:
    from outrider.core.errors import ConfigError
    from outrider.specs.sensor import SensorEntry

    world = build_world(load_world_spec("empty"))
    two = [SensorEntry(name, "velodyne-vlp16", topics={"points": name}) for name in ("a", "b")]
    sim = Simulation(world, [Participant(load_robot("jackal"), "jackal", sensors=tuple(two))])
    assert {"/a", "/b"} <= {topic.name for topic in sim.bus.topics()}
    same = [SensorEntry(name, "velodyne-vlp16") for name in ("a", "b")]
    with pytest.raises(ConfigError, match="would publish on /velodyne"):
        Simulation(world, [Participant(load_robot("jackal"), "jackal", sensors=tuple(same))])


def test_a_curve_for_a_topic_that_takes_no_commands_is_refused_with_a_near_match(tmp_path):
    shutil.copytree(LIBRARY / "robots" / "autominy", tmp_path / "car")
    file = tmp_path / "car" / "autominy.yaml"
    file.write_text(file.read_text().replace("steering_normalized:", "steering_normalised:"))
    with pytest.raises(ConfigError, match="did you mean 'steering_normalized'"):
        build(Scenario(robots=(RobotEntry(str(file)),)))
