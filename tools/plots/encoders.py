"""A plot of wheel encoders, from the program itself: python tools/plots/encoders.py [FOLDER].

A Jackal drives off on concrete and on ice, harder than ice allows: what its encoders say against
where it is.
"""

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outrider.core.structure import from_data
from outrider.loader.world import build_world
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import WorldSpec
from outrider.vehicles.robot import load_robot

RADIUS = 0.098  # m


def drive_off(material: str, seconds: float = 3.0) -> NDArray[np.float64]:
    """Return rows of time, way by the encoders (mean of all wheels) and true way."""
    world = from_data(WorldSpec, {"ground": {"type": "flat", "material": material}}, material)
    sensors = (SensorEntry("encoders", "jackal-encoders"),)
    robot = Participant(load_robot("jackal").bare(), "jackal", sensors=sensors)
    sim = Simulation(build_world(world), [robot])
    box = sim.bus.subscribe("/wheel_encoders", kept="all", depth=10**5)
    rows = []
    while sim.time_s < seconds:
        if sim.steps % 20 == 0:
            sim.robots["jackal"].drive(2.0 if sim.time_s < seconds / 2 else 0.0)
        sim.step()
        while (item := box.poll()) is not None:
            way = float(np.mean(item[1].positions)) * RADIUS
            rows.append((sim.time_s, way, sim.robots["jackal"].pose.position[0]))
    return np.array(rows)


def plot(folder: Path) -> None:
    """Draw both drives."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    for axes, material in zip(figure.subplots(1, 2, sharey=True), ("concrete", "ice"), strict=True):
        time, counted, true = drive_off(material).T
        axes.plot(time, counted, label="by the encoders")
        axes.plot(time, true, label="true")
        axes.axvline(time[-1] / 2, color="0.8", lw=1)
        axes.set(title=f"2 m/s, then stop, on {material}", xlabel="time (s)", ylabel="way (m)")
        axes.legend()
    figure.savefig(folder / "encoders_slip.png", dpi=110)


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    target.mkdir(parents=True, exist_ok=True)
    plot(target)
