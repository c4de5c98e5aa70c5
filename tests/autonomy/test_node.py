"""The stack as a node of its own, beside a robot that is somewhere else."""

import room

from outrider.autonomy.assemble import assemble_stack
from outrider.autonomy.node import StackNode
from outrider.bridges.bridge import Outside, make_bridge
from outrider.bus.bus import Bus

KINDS = {
    "/tf_static": "tf2_msgs/msg/TFMessage",
    "/wheels": "nav_msgs/msg/Odometry",
    "/imu": "sensor_msgs/msg/Imu",
}


def speak(bus: Bus, k: int) -> None:
    now_ns = 1_000_000_000 + k * 20_000_000
    bus.publish("/tf_static", room.frames_message(), now_ns)
    bus.publish("/wheels", room.wheel_message(now_ns, 0.5), now_ns)
    bus.publish("/imu", room.imu_message(now_ns), now_ns)


def test_it_answers_in_the_time_of_the_robot() -> None:
    node = StackNode(assemble_stack(room.DEAD_RECKONING))
    box = node.bus.subscribe("/odometry", kept="all")
    node.step()
    assert box.poll() is None
    for k in range(60):
        speak(node.bus, k)
        node.step()
    said = []
    while (item := box.poll()) is not None:
        said.append(item)
    assert node.now_ns == 1_000_000_000 + 59 * 20_000_000
    assert said[-1][0] == node.now_ns
    assert abs(said[-1][1].pose.pose.position.x - 0.5 * 59 * 0.02) < 0.03


def test_over_ros_1_the_robot_and_the_stack_are_two_nodes() -> None:
    robot = Bus()
    for name, kind in KINDS.items():
        robot.declare(name, kind, latched=name == "/tf_static")
    robot.declare("/odometry", "nav_msgs/msg/Odometry", direction="in")
    box = robot.subscribe("/odometry", kept="all")
    node = StackNode(assemble_stack(room.DEAD_RECKONING))
    first = make_bridge("ros1:master=own,port=0,gazebo=false", Outside(robot, {}, lambda: 0, list))
    uri = first.master.uri
    text = f"ros1:master={uri},node=outrider_autonomy,gazebo=false,sim_time=false"
    second = make_bridge(text, Outside(node.bus, {}, lambda: node.now_ns, list))
    try:
        first.start()
        second.start()
        assert _heard(robot, node, box)
    finally:
        second.close()
        first.close()


def _heard(robot: Bus, node: StackNode, box) -> bool:
    """Speak until the stack is heard: connections take a moment."""
    import time

    for k in range(1500):
        speak(robot, k)
        node.step()
        if box.poll() is not None:
            return True
        time.sleep(0.02)
    return False
