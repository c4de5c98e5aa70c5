"""roslibpy, the library of Python programs: it drives a robot in a running simulation."""

import importlib.util
import json
import subprocess
import sys
from contextlib import ExitStack

import pytest
from rosbridge_bench import running, served

from outrider.messages.convert import from_dict
from outrider.scenarios.scenario import RobotEntry
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(
        importlib.util.find_spec("roslibpy") is None,
        reason="roslibpy is not installed (tools/peers/install)",
    ),
]

# Its reactor can be started once in a process: each program has one of its own.
HEAD = """
import json, sys, threading, time
import roslibpy
ros = roslibpy.Ros("127.0.0.1", int(sys.argv[1]))
def say(**found):
    print(json.dumps(found, default=dict), flush=True)
"""
RUN = "ros.run(timeout=60)\n"

DRIVE = (
    RUN
    + """
found = {}
def keep(name):
    return lambda message: found.setdefault(name, []).append(message)
odom = roslibpy.Topic(ros, "/jackal_velocity_controller/odom", "nav_msgs/Odometry")
odom.subscribe(keep("odom"))
scan = roslibpy.Topic(ros, "/front/scan", "sensor_msgs/LaserScan", throttle_rate=50)
scan.subscribe(keep("scan"))
command = roslibpy.Topic(ros, "/cmd_vel", "geometry_msgs/Twist")
command.advertise()
end = time.time() + 100
while time.time() < end and ros.is_connected:
    command.publish(roslibpy.Message({"linear": {"x": 0.5}, "angular": {"z": 0.1}}))
    at = found["odom"][-1]["pose"]["pose"]["position"]["x"] if "odom" in found else 0
    if at > 0.5 and "scan" in found:
        break
    time.sleep(0.02)
command.unadvertise()
scan = found["scan"][-1]
say(x=found["odom"][-1]["pose"]["pose"]["position"]["x"], ranges=len(scan["ranges"]),
    stamp=sorted(scan["header"]["stamp"]), nearest=min(r for r in scan["ranges"] if r))
ros.terminate()
"""
)

ASK = (
    RUN
    + """
say(topics=ros.get_topics(), type=ros.get_topic_type("/cmd_vel"), time=dict(ros.get_time()),
    nodes=ros.get_nodes(), services=ros.get_services(),
    of_type=ros.get_topics_for_type("geometry_msgs/Twist"),
    service_type=ros.get_service_type("/outrider/set_paused"),
    request=ros.get_service_request_details("std_srvs/SetBool"),
    response=ros.get_service_response_details("std_srvs/SetBool"),
    details=ros.get_message_details("geometry_msgs/Twist"))
ros.set_param("/mine/list", [1, 2.5, "x"])
say(param=ros.get_param("/mine/list"), names=ros.get_params())
ros.delete_param("/mine/list")
say(left=ros.get_params())
paused = roslibpy.Service(ros, "/outrider/set_paused", "std_srvs/SetBool")
say(paused=dict(paused.call(roslibpy.ServiceRequest({"data": True}))))
try:
    roslibpy.Service(ros, "/nope", "std_srvs/Trigger").call(roslibpy.ServiceRequest(), timeout=60)
except Exception as error:
    say(nope=str(error))
triple = roslibpy.Service(ros, "/triple", "example/Triple")
def handler(request, response):
    response["value"] = 3 * request["value"]
    return True
triple.advertise(handler)
end = time.time() + 60
while "/triple" not in ros.get_services() and time.time() < end:
    time.sleep(0.1)
caller = roslibpy.Service(ros, "/triple", "example/Triple")
got = threading.Event()
def answered(response):
    say(triple=response["value"])
    got.set()
caller.call(roslibpy.ServiceRequest({"value": 7}), answered, print)
got.wait(60)
done = threading.Event()
feedback = []
steps = roslibpy.ActionClient(ros, "/simulate_steps", "simulation_interfaces/action/SimulateSteps")
def reached(result):
    say(action=result["values"], status=result["status"].value)
    done.set()
steps.send_goal(roslibpy.Goal({"steps": 30}), reached, lambda f: feedback.append(dict(f)), print)
done.wait(60)
say(feedback=feedback)
ros.terminate()
"""
)

SIGN = """
import hashlib
now = int(time.time())
fields = ["10.0.0.1", "10.0.0.2", "random", now, "user", now + 100]
mac = hashlib.sha512(("sesame" + "".join(map(str, fields))).encode()).hexdigest()
ros.authenticate(mac, *fields)
ros.run(timeout=60)
say(topics=ros.get_topics())
ros.terminate()
"""

STAY = (
    RUN
    + """
topic = roslibpy.Topic(ros, "/odom", "nav_msgs/Odometry")
topic.subscribe(lambda message: say(x=message["pose"]["pose"]["position"]["x"]))
time.sleep(200)
"""
)


def started(port, text):
    return subprocess.Popen(
        [sys.executable, "-c", HEAD + text, str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(port, text):
    program = started(port, text)
    try:
        out, errors = program.communicate(timeout=200)
    except subprocess.TimeoutExpired:
        program.kill()
        out, errors = program.communicate()
    found = {}
    for line in out.splitlines():
        found |= json.loads(line)
    assert found, errors
    return found


def test_it_drives_a_robot_and_reads_its_scan():
    scanner = SensorEntry("scanner", "sick-lms111", pose=PoseSpec(0.2, 0.0, 0.25))
    jackal = RobotEntry("jackal", sensors=(scanner,))
    wall = ObjectSpec("wall", pose=PoseSpec(4.0), shape=BoxSpec(size=(0.2, 6.0, 2.0)))
    with running("rosbridge:port=0", robots=(jackal,), obstacles=(wall,)) as sim:
        found = said(sim.bridge.port, DRIVE)
        assert sim.pose().position[0] > 0.4
        assert sim.goes_on()
    assert found["x"] > 0.5
    assert found["ranges"] == 541
    assert found["stamp"] == ["nsecs", "secs"]
    assert 1.0 < found["nearest"] < 3.7  # the wall, from where the scanner is by then


def test_it_asks_for_all_that_rosapi_knows_and_calls_services():
    with served() as server:
        found = said(server.bridge.port, ASK)
    assert "/cmd_vel" in found["topics"]
    assert found["type"] == "geometry_msgs/msg/Twist"
    assert found["time"] == {"secs": 12, "nsecs": 34}
    assert "/outrider" in found["nodes"]
    assert "/gazebo/pause_physics" in found["services"]
    assert found["of_type"] == ["/cmd_vel"]
    assert found["service_type"] == "std_srvs/srv/SetBool"
    assert found["request"]["typedefs"][0]["fieldnames"] == ["data"]
    assert found["response"]["typedefs"][0]["fieldnames"] == ["success", "message"]
    assert found["details"]["typedefs"][1]["type"] == "geometry_msgs/Vector3"
    assert found["param"] == [1, 2.5, "x"]
    assert "/mine/list" in found["names"]
    assert "/mine/list" not in found["left"]
    assert found["paused"] == {"success": True, "message": '{"paused": true}'}
    assert "no such service" in found["nope"]
    assert found["triple"] == 21
    assert [one["completed_steps"] for one in found["feedback"]] == [20, 30]
    assert found["action"]["result"]["result"] == 1
    assert found["status"] == 4


def test_it_signs_with_the_token_as_rosauth_does():
    with served(",token=sesame") as server:
        assert "/cmd_vel" in said(server.bridge.port, SIGN)["topics"]


def test_it_comes_back_after_the_server_was_away():
    odometry = from_dict("nav_msgs/msg/Odometry", {"pose": {"pose": {"position": {"x": 1.0}}}})
    with ExitStack() as opened:
        with served() as first:
            port = first.bridge.port
            program = opened.enter_context(started(port, STAY))
            opened.callback(program.kill)
            first.listened("/odom")
            first.bus.publish("/odom", odometry, 0)
            assert json.loads(program.stdout.readline()) == {"x": 1.0}
        with served(port=port) as second:
            second.listened("/odom")
            second.bus.publish("/odom", odometry, 0)
            assert json.loads(program.stdout.readline()) == {"x": 1.0}
