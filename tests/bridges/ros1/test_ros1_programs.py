"""The bridge against the real ROS 1: rostopic, rosservice, rosparam, rosbag, tf2, rospy nodes."""

import json
import math
import re
import signal

import numpy as np
import pytest
from ros1_bench import generated, needs_ros1, program, ros, rospy, running
from rosbags.highlevel import AnyReader
from waiting import free_port, wait_until

from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

pytestmark = [pytest.mark.peer, needs_ros1]

ODOM = "/jackal_velocity_controller/odom"
BOX = ObjectSpec("box", pose=PoseSpec(6.0, 3.0), shape=BoxSpec(size=(0.5, 0.5, 0.5)), mass=10.0)
SCANNER = SensorEntry("scanner", "sick-lms111", pose=PoseSpec(0.2, 0.0, 0.25))


@pytest.fixture(scope="module")
def sim():
    jackal = RobotEntry("jackal", sensors=(SCANNER,))
    with running(robots=(jackal,), obstacles=(BOX,)) as found:
        yield found


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("ros")


def test_rostopic_lists_topics_and_types(sim, home):
    names = ros(sim.uri, home, "rostopic", "list").split()
    wanted = {"/clock", "/tf", "/tf_static", "/cmd_vel", ODOM, "/joint_states", "/rosout"}
    assert wanted <= set(names)
    kind = ros(sim.uri, home, "rostopic", "type", ODOM).strip()
    assert kind == "nav_msgs/Odometry"
    assert "/outrider" in ros(sim.uri, home, "rostopic", "info", ODOM)


def test_rostopic_echo_shows_what_the_simulation_says(sim, home):
    def same_height():  # once the robot has settled on its wheels
        said = ros(sim.uri, home, "rostopic", "echo", "-n1", "/ground_truth/state")
        assert "frame_id" in said
        z = float(re.search(r"position:\s+x: \S+\s+y: \S+\s+z: (\S+)", said)[1])
        return z == pytest.approx(sim.pose().position[2], abs=0.01)

    wait_until(same_height, "the height that the simulation has")


def test_rostopic_hz_measures_the_rate_in_simulated_time(sim, home):
    with program(sim.uri, home, "rostopic", "hz", "/joint_states", "-w", "100"):
        told = home / "rostopic.log"

        def measured():
            rates = re.findall(r"average rate: (\S+)", told.read_text())
            return rates and float(rates[-1]) == pytest.approx(50.0, rel=0.05)

        wait_until(measured, "a rate of 50 Hz")


def test_rosnode_finds_the_node_alive(sim, home):
    assert "/outrider" in ros(sim.uri, home, "rosnode", "list").split()
    assert "xmlrpc reply" in ros(sim.uri, home, "rosnode", "ping", "-c1", "/outrider")
    info = ros(sim.uri, home, "rosnode", "info", "/outrider")
    assert "/gazebo/set_model_state" in info


def test_rosservice_calls_ours(sim, home):
    said = ros(sim.uri, home, "rosservice", "call", "/outrider/pause")
    assert "success: True" in said
    assert sim.stands_still()
    ros(sim.uri, home, "rosservice", "call", "/gazebo/unpause_physics")
    assert sim.goes_on()
    assert "std_srvs/Trigger" in ros(sim.uri, home, "rosservice", "type", "/outrider/pause")


def test_rosparam_reads_and_writes(sim, home):
    assert ros(sim.uri, home, "rosparam", "get", "/use_sim_time").strip() == "true"
    assert "<robot name" in ros(sim.uri, home, "rosparam", "get", "/robot_description")
    ros(sim.uri, home, "rosparam", "set", "/mine/speed", "1.5")
    assert "speed: 1.5" in ros(sim.uri, home, "rosparam", "get", "/mine")
    ros(sim.uri, home, "rosparam", "delete", "/mine")
    assert "/mine/speed" not in ros(sim.uri, home, "rosparam", "list")


def test_rosbag_records_what_was_said(sim, home):
    bag = home / "run.bag"
    topics = ["/joint_states", "/tf", "/tf_static", "/scanner/scan"]
    topics = [t for t in topics if t in ros(sim.uri, home, "rostopic", "list").split()]
    said = sim.bridge.node.publications["/joint_states"]
    before = len(said.connections)
    record = ("rosbag", "record", "-O", str(bag), *topics, "__name:=recorder")
    with program(sim.uri, home, *record) as recorder:
        wait_until(lambda: len(said.connections) > before, "the recorder")
        begun = sim.run.simulation.time_s
        wait_until(lambda: sim.run.simulation.time_s > begun + 2.5, "simulated time to pass")
        recorder.send_signal(signal.SIGINT)
        recorder.wait(60)
    info = ros(sim.uri, home, "rosbag", "info", str(bag))
    assert re.search(r"/tf_static\s+1 msg", info)
    with AnyReader([bag]) as reader:
        stamps = [
            reader.deserialize(raw, connection.msgtype).header.stamp
            for connection, _, raw in reader.messages()
            if connection.topic == "/joint_states"
        ]
    assert len(stamps) > 50
    steps = np.diff([stamp.sec * 10**9 + stamp.nanosec for stamp in stamps])
    assert set(steps) == {20_000_000}  # none is missing


TF = """
import json, sys, rospy, tf2_ros
rospy.init_node("listener")
buffer = tf2_ros.Buffer()
listener = tf2_ros.TransformListener(buffer)
found = {}
for parent, child in [("odom", "base_link"), ("base_link", "front_left_wheel_link"),
                      ("base_link", "imu_link")]:
    t = buffer.lookup_transform(parent, child, rospy.Time(0), rospy.Duration(60.0)).transform
    found[child] = [t.translation.x, t.translation.y, t.translation.z]
print(json.dumps(found))
"""


def test_tf2_knows_the_robots_frames(sim, home):
    found = json.loads(rospy(sim.uri, home, TF).splitlines()[-1])
    assert found["front_left_wheel_link"][:2] == pytest.approx([0.131, 0.187795], abs=1e-3)
    assert found["base_link"][2] == pytest.approx(0.0, abs=0.2)
    assert found["imu_link"]


STATE_PUBLISHER = """
import json, time, rospy
from tf2_msgs.msg import TFMessage
rospy.init_node("compare")
ours, theirs = {}, {}
def take(message, into):
    for t in message.transforms:
        r, p = t.transform.rotation, t.transform.translation
        into[(t.header.stamp.to_nsec(), t.child_frame_id.strip("/"))] = [
            p.x, p.y, p.z, r.x, r.y, r.z, r.w]
rospy.Subscriber("/tf", TFMessage, take, ours)
rospy.Subscriber("/their_tf", TFMessage, take, theirs)
end = time.time() + 60
while time.time() < end:
    time.sleep(0.2)
    both = [key for key in list(theirs) if key in ours]
    if len(both) > 100 and len({k[1] for k in both}) >= 4:
        break
worst = 0.0
for key in both:
    a, b = ours[key], theirs[key]
    sign = 1 if sum(x * y for x, y in zip(a[3:], b[3:])) > 0 else -1
    worst = max([worst] + [abs(x - y) for x, y in zip(a[:3], b[:3])]
                + [abs(x - sign * y) for x, y in zip(a[3:], b[3:])])
print(json.dumps([len(both), len({k[1] for k in both}), worst]))
"""


def test_robot_state_publisher_agrees_with_our_frames(sim, home):
    executable = "/usr/lib/robot_state_publisher/robot_state_publisher"
    sim.run.simulation.robots["jackal"].drive(0.2)
    with program(sim.uri, home, executable, "tf:=/their_tf", "tf_static:=/their_static"):
        said = rospy(sim.uri, home, STATE_PUBLISHER).splitlines()[-1]
    count, frames, worst = json.loads(said)
    assert count > 100
    assert frames >= 4
    assert worst < 1e-6


DRIVER = """
import math, sys, rospy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
goal = float(sys.argv[1]), float(sys.argv[2])
rospy.init_node("driver")
out = rospy.Publisher("/cmd_vel", Twist, queue_size=1)
done = []
def on_odom(m):
    p, q = m.pose.pose.position, m.pose.pose.orientation
    yaw = math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))
    dx, dy = goal[0] - p.x, goal[1] - p.y
    turn = math.atan2(math.sin(math.atan2(dy, dx) - yaw), math.cos(math.atan2(dy, dx) - yaw))
    command = Twist()
    if math.hypot(dx, dy) < 0.1:
        done.append(True)
    else:
        command.linear.x = max(0.0, 1.0 * math.cos(turn)) * min(1.0, math.hypot(dx, dy) + 0.1)
        command.angular.z = 2.0 * turn
    out.publish(command)
rospy.Subscriber(sys.argv[3], Odometry, on_odom)
end = rospy.get_time() + 60.0
while not done and rospy.get_time() < end and not rospy.is_shutdown():
    rospy.sleep(0.1)
print("arrived" if done else "late")
"""


def test_a_rospy_node_drives_a_jackal_to_a_goal(sim, home):
    sim.services["reset"]({})
    assert "arrived" in rospy(sim.uri, home, DRIVER, "2.5", "1.5", ODOM)
    x, y, _ = sim.pose().position
    assert math.hypot(x - 2.5, y - 1.5) < 0.35  # skid steering: odometry is not the truth


GAZEBO = """
import json, sys, rospy
from std_srvs.srv import Empty
from gazebo_msgs.srv import SetModelState, GetModelState, SpawnModel, DeleteModel
from gazebo_msgs.srv import ApplyBodyWrench, GetWorldProperties, GetPhysicsProperties
from gazebo_msgs.msg import ModelState, ModelStates
rospy.init_node("script")
def service(name, kind):
    rospy.wait_for_service("/gazebo/" + name, timeout=60)
    return rospy.ServiceProxy("/gazebo/" + name, kind)
service("pause_physics", Empty)()
state = ModelState(model_name="jackal", reference_frame="world")
state.pose.position.x, state.pose.position.z, state.pose.orientation.w = 4.0, 0.1, 1.0
moved = service("set_model_state", SetModelState)(state)
seen = service("get_model_state", GetModelState)("jackal", "")
missing = service("get_model_state", GetModelState)("jakal", "world")
service("unpause_physics", Empty)()
crate = open(sys.argv[1]).read()
pose = state.pose
pose.position.x, pose.position.z = -3.0, 1.0
spawned = service("spawn_urdf_model", SpawnModel)("crate", crate, "", pose, "world")
names = service("get_world_properties", GetWorldProperties)().model_names
states = rospy.wait_for_message("/gazebo/model_states", ModelStates, timeout=60)
pushed = service("apply_body_wrench", ApplyBodyWrench)(
    body_name="crate::body", duration=rospy.Duration(1.0))
deleted = service("delete_model", DeleteModel)("crate")
physics = service("get_physics_properties", GetPhysicsProperties)()
print(json.dumps([moved.success, seen.pose.position.x, missing.success, missing.status_message,
    spawned.success, "crate" in names, "crate" in states.name, pushed.success, deleted.success,
    physics.gravity.z, physics.time_step]))
"""

CRATE = """<robot name="crate"><link name="body"><inertial><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="0.4 0.4 0.4"/></geometry></collision></link></robot>"""


@pytest.fixture(scope="module")
def gazebo_msgs(home):
    return generated(home, "gazebo_msgs")


def test_a_gazebo_users_script_works(sim, home, gazebo_msgs):
    (home / "crate.urdf").write_text(CRATE)
    head = f"import sys; sys.path.insert(0, {str(gazebo_msgs)!r})\n"
    found = json.loads(rospy(sim.uri, home, head + GAZEBO, "crate.urdf").splitlines()[-1])
    assert found[:2] == [True, pytest.approx(4.0, abs=1e-6)]
    assert found[2] is False
    assert "did you mean 'jackal'" in found[3]
    assert found[4:9] == [True] * 5
    assert found[9] == pytest.approx(-9.80665)
    assert found[10] == pytest.approx(0.0025)


PERSISTENT = """
import rospy
from std_srvs.srv import SetBool
rospy.init_node("switch")
rospy.wait_for_service("/outrider/set_paused", timeout=60)
switch = rospy.ServiceProxy("/outrider/set_paused", SetBool, persistent=True)
print([switch(value).success for value in (True, False, True, False)])
"""


def test_a_persistent_service_connection_serves_many_calls(sim, home):
    assert "[True, True, True, True]" in rospy(sim.uri, home, PERSISTENT)
    assert sim.goes_on()


CACHED = """
import subprocess, time, rospy
rospy.init_node("cache")
rospy.set_param("/limits/speed", 1)
before = rospy.get_param_cached("/limits/speed")
subprocess.run(["rosparam", "set", "/limits/speed", "2"], check=True)
end = time.time() + 60
while rospy.get_param_cached("/limits/speed") != 2 and time.time() < end:
    time.sleep(0.05)
print(before, rospy.get_param_cached("/limits/speed"), rospy.search_param("limits"))
"""


def test_our_master_tells_who_subscribed_to_a_parameter(sim, home):
    assert rospy(sim.uri, home, CACHED).split()[-3:] == ["1", "2", "/limits"]


LATE = """
import rospy
from tf2_msgs.msg import TFMessage
rospy.init_node("late")
print(len(rospy.wait_for_message("/tf_static", TFMessage, timeout=60).transforms))
"""


def test_a_late_joiner_gets_latched_topics(sim, home):
    assert int(rospy(sim.uri, home, LATE).split()[-1]) > 3


def test_a_renamed_topic_moves_at_the_master(sim, home):
    sim.services["rename_topic"]({"robot": "jackal", "key": "joint_states", "name": "wheels"})

    def listed():
        names = ros(sim.uri, home, "rostopic", "list", "-p").split()
        return "/wheels" in names and "/joint_states" not in names

    wait_until(listed, "the new name")
    assert "name:" in ros(sim.uri, home, "rostopic", "echo", "-n1", "/wheels")


def test_two_robots_have_namespaces_and_descriptions_of_their_own(home):
    robots = (RobotEntry("jackal", name="a"), RobotEntry("husky", name="b", pose=PoseSpec(0, 3)))
    with running(robots=robots, options=",namespace=site,remap=/site/b/odom:=/b_odom") as two:
        names = ros(two.uri, home, "rostopic", "list").split()
        assert {"/site/a/cmd_vel", "/site/b/cmd_vel", "/clock", "/tf"} <= set(names)
        assert "husky" in ros(two.uri, home, "rosparam", "get", "/site/b/robot_description")
        ros(
            two.uri,
            home,
            "rostopic",
            "pub",
            "-1",
            "/site/a/cmd_vel",
            "geometry_msgs/Twist",
            "{linear: {x: 0.5}}",
        )
        wait_until(lambda: two.pose("a").position[0] > 0.05, "the first robot")
        assert two.pose("b").position[0] == pytest.approx(0.0, abs=0.02)


def test_the_bridge_joins_debians_master_and_returns_when_that_does(home):
    port = free_port()
    uri = f"http://localhost:{port}/"
    command = ["rosmaster", "--core", "-p", str(port)]
    scenario = Scenario(duration_s=None, bridges=(f"ros1:master={uri}",))
    with program(uri, home, *command) as master, running(scenario) as sim:
        assert "/clock" in ros(uri, home, "rostopic", "list").split()
        master.kill()
        master.wait()
        wait_until(lambda: not sim.bridge.node.registrar.registered.is_set(), "the loss")
        assert sim.goes_on()
        with program(uri, home, *command):
            wait_until(sim.bridge.node.registrar.registered.is_set, "its return")
            assert "/clock" in ros(uri, home, "rostopic", "list").split()
            assert ros(uri, home, "rosparam", "get", "/use_sim_time").strip() == "true"


_LAUNCH = """<launch>
  <param name="speed" value="0.7"/>
  <rosparam>{gains: {p: 1.5, i: 2}}</rosparam>
  <node pkg="rostopic" type="rostopic" name="listener" args="echo -n 1 /clock" required="true"/>
</launch>
"""


def test_roslaunch_sets_parameters_and_starts_nodes_at_our_master(sim, home):
    path = home / "two.launch"
    path.write_text(_LAUNCH)
    ros(sim.uri, home, "roslaunch", str(path), timeout=150)
    assert ros(sim.uri, home, "rosparam", "get", "/speed").strip() == "0.7"
    assert ros(sim.uri, home, "rosparam", "get", "/gains/i").strip() == "2"


def test_what_nodes_log_is_gathered_on_rosout_agg(sim, home):
    text = """
import time
import rospy
from rosgraph_msgs.msg import Log
rospy.init_node("speaker")
heard = []
rospy.Subscriber("/rosout_agg", Log, lambda m: heard.append(m.msg))
end = time.monotonic() + 60
while not any("seen again" in m for m in heard) and time.monotonic() < end:
    rospy.logwarn("seen again")
    time.sleep(0.2)
print(any("seen again" in m for m in heard))
"""
    assert rospy(sim.uri, home, text).strip().endswith("True")
