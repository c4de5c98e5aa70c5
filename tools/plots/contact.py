"""A plot of contact sensors, from the program itself: python tools/plots/contact.py [FOLDER].

A Create drives into a post on a table, turns away, and drives over the table's edge.
"""

import sys
from pathlib import Path
from typing import Any

from outrider.core.structure import from_data
from outrider.loader.world import build_world
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import WorldSpec
from outrider.vehicles.robot import load_robot

TABLE = {"type": "box", "size": [1.6, 1.2, 0.1]}
POST = {"type": "cylinder", "radius": 0.04, "length": 0.3}
WORLD = {
    "ground": {"type": "none"},
    "objects": [
        {"name": "table", "shape": TABLE, "pose": {"z": 0.65}},
        {"name": "post", "shape": POST, "pose": {"x": 0.5, "y": 0.12, "z": 0.85}},
    ],
}
# until (s), speed (m/s), yaw rate (rad/s)
DRIVE = ((2.0, 0.2, 0.0), (2.3, 0.0, 0.0), (3.3, -0.2, 0.0), (4.3, 0.0, -1.57), (9.0, 0.15, 0.0))


def record() -> dict[str, list[tuple[float, bool]]]:
    """Return the switches over time."""
    names = ("create-bumper", "create-cliff", "create-wheel-drop")
    sensors = tuple(SensorEntry(name.replace("-", "_"), name, link="base_link") for name in names)
    robot = Participant(load_robot("create").bare(), "create", sensors=sensors)
    sim = Simulation(build_world(from_data(WorldSpec, WORLD, "table")), [robot])
    topics = ("/bumper", "/cliff", "/wheel_drop")
    boxes = [sim.bus.subscribe(topic, kept="all", depth=10**5) for topic in topics]
    found: dict[str, list[tuple[float, bool]]] = {}
    while sim.time_s < DRIVE[-1][0] and sim.robots["create"].pose.position[2] > 0.4:
        speed, yaw_rate = next((v, w) for until, v, w in DRIVE if sim.time_s < until)
        if sim.steps % 20 == 0:
            sim.robots["create"].drive(speed, yaw_rate)
        sim.step()
        for box in boxes:
            while (item := box.poll()) is not None:
                for name, value in _switches(item[1]):
                    found.setdefault(name, []).append((sim.time_s, value))
    return found


def _switches(message: Any) -> list[tuple[str, bool]]:
    if hasattr(message, "left"):
        return [("bump left", message.left), ("bump right", message.right)]
    if hasattr(message, "cliffs"):
        names = [f"cliff {name.replace('_', ' ')}" for name in message.names]
        return list(zip(names, message.cliffs.tolist(), strict=True))
    names = [f"drop {name}" for name in message.names]
    return list(zip(names, message.dropped.tolist(), strict=True))


def plot(folder: Path) -> None:
    """Draw the switches as lines."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.8), layout="constrained")
    axes = figure.subplots()
    found = record()
    for row, (_, series) in enumerate(found.items()):
        time, value = zip(*series, strict=True)
        levels = [-row + 0.7 * v for v in value]
        axes.step(time, levels, where="post", color=f"C{row % 10}")
    axes.set_yticks([-row for row in range(len(found))], list(found))
    axes.set(xlabel="time (s)", title="A Create meets a post and drives off a table")
    axes.grid(axis="x", color="0.9")
    figure.savefig(folder / "contact_switches.png", dpi=110)


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    target.mkdir(parents=True, exist_ok=True)
    plot(target)
