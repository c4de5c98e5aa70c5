"""The AutoMiny over rosbridge, as its older simulator was driven: JSON, both sets of topics."""

from pathlib import Path

import pytest
from rosbridge_bench import Client, running
from waiting import wait_until

from outrider.scenarios.load import load

EXAMPLES = Path(__file__).parents[3] / "examples" / "autominy"
NORMALIZED = "autominy_msgs/NormalizedSpeedCommand"


def drive(client, topic, kind, message):
    client.send(op="advertise", topic=topic, type=kind)
    client.send(op="publish", topic=topic, msg=message)


def ticks(client, topic):
    """Return the ticks that each of the next messages counts."""
    client.send(op="subscribe", topic=topic)
    while True:
        yield client.take()["msg"]


def reaches(sim, name, speed):
    velocity = sim.run.simulation.robots[name]
    wait_until(lambda: velocity.velocity[0] == pytest.approx(speed, abs=0.01), f"{speed} m/s")


def test_plain_numbers_drive_the_car_of_the_older_topics_and_come_back_as_ticks():
    robots = load(EXAMPLES / "older_topics.yaml").robots
    with running("rosbridge:port=0", robots=robots) as sim:
        client = Client(f"ws://127.0.0.1:{sim.bridge.port}/")
        drive(client, "/manual_control/speed", "std_msgs/Int16", {"data": 200})
        drive(client, "/steering", "std_msgs/UInt8", {"data": 90})
        reaches(sim, "autominy", 0.5)
        counted = ticks(client, "/ticks")
        hundred = sum(next(counted)["data"] for _ in range(100))  # a second
        client.close()
    assert hundred == pytest.approx(0.5 * 173, abs=2)


def test_each_of_three_cars_is_driven_under_its_own_prefix():
    robots = load(EXAMPLES / "three_cars.yaml").robots
    with running("rosbridge:port=0", robots=robots) as sim:
        client = Client(f"ws://127.0.0.1:{sim.bridge.port}/")
        drive(client, "/car_1/actuators/speed_normalized", NORMALIZED, {"value": 0.1})
        names = list(sim.run.simulation.robots)
        reaches(sim, names[1], 0.2)
        still = [sim.run.simulation.robots[name].velocity[0] for name in (names[0], names[2])]
        counted = next(ticks(client, "/car_1/sensors/arduino/ticks"))
        client.close()
    assert still == pytest.approx([0.0, 0.0], abs=1e-6)
    assert counted["value"] in (0, 1)  # 0.76 in ten milliseconds
