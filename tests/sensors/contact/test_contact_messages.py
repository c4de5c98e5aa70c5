"""What encoders, distance and contact sensors say can go over any wire."""

import numpy as np
import pytest
from sensor_stand import drive, heard, listen, simulate

from outrider.messages.types import store
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec

MODELS = {
    "create": (
        "create-encoders",
        "create-odometer",
        "create-bumper",
        "create-cliff",
        "create-wheel-drop",
        "collision",
        "ping",
        "maxbotix-ez3",
        "sonar",
        "radar",
        "sharp-gp2d12",
        "sharp-gp2y0a21",
    ),
    "autominy": ("autominy-ticks",),
    "jackal": ("jackal-encoders",),
    "husky": ("husky-encoders",),
}
BLOCK = {"type": "box", "size": [0.3, 0.8, 0.8]}
WORLD = {"objects": [{"name": "block", "shape": BLOCK, "pose": {"x": 0.9}}]}


@pytest.mark.parametrize("robot", MODELS)
def test_every_message_survives_the_wire(robot: str) -> None:
    mounts = PoseSpec(z=0.2)
    entries = [SensorEntry(m.replace("-", "_"), m, pose=mounts) for m in MODELS[robot]]
    sim = simulate(robot, *entries, world=WORLD)
    boxes = {
        channel.name: (listen(sim, channel.name), channel.type)
        for sampled in sim._mounting.sensors
        for channel, _ in sampled.outputs
    }
    drive(sim, 0.4, seconds=2.5)
    for topic, (box, kind) in boxes.items():
        message = next((m for m in reversed(heard(box)) if getattr(m, "collisions", True)), None)
        assert message is not None, topic
        raw = store().serialize_cdr(message, kind)
        back = store().deserialize_cdr(raw, kind)
        assert bytes(store().serialize_cdr(back, kind)) == bytes(raw), topic
        assert bytes(store().cdr_to_ros1(raw, kind))


def test_arrays_have_the_types_of_their_messages() -> None:
    names = ("create-encoders", "create-cliff", "create-wheel-drop")
    sim = simulate("create", *(SensorEntry(n.replace("-", "_"), n) for n in names))
    boxes = [listen(sim, topic) for topic in ("/wheel_encoders", "/cliff", "/wheel_drop")]
    sim.run(0.1)
    encoders, cliffs, drops = (heard(box)[-1] for box in boxes)
    assert encoders.ticks.dtype == np.int64
    assert encoders.velocities.dtype == np.float64
    assert cliffs.cliffs.dtype == drops.dropped.dtype == np.bool_
    assert cliffs.signals.dtype == np.uint16
