"""The pictures of docs/actors.md, from the program: python tools/actors_pictures.py [FOLDER].

The scenario ``street``; walkers from near by; and the same walkers in the cloud of a VLP-16.
"""

import sys
from pathlib import Path

import numpy as np

from outrider.messages.point_cloud import cloud_records
from outrider.scenarios.build import build
from outrider.scenarios.load import load, loads
from outrider.scenarios.picture import snapshot
from outrider.sim.simulation import Simulation

CLOSE = """
world: {ground: {type: flat, material: asphalt}}
robots: []
sensors: [{name: velodyne, model: velodyne-vlp16, pose: {z: 1.0}}]
seed: 4
actors:
  - {type: person, name: a, points: [[5, -2.6], [5, 20]]}
  - {type: person, name: b, points: [[6.5, 5.4], [6.5, -20]]}
  - {type: person, name: c, points: [[4.5, 2.6], [4.5, -20]], speed: 2.4}
  - {type: person, name: d, points: [[6, 1.6], [6, 1.7]], loop: false}
  - {type: herd, count: 5, area: {centre: [6, -4.5], size: [4, 4]}}
  - {type: car, points: [[9, -4], [9, 40]], loop: false, speed: 5}
"""


def close() -> Simulation:
    """Return people, sheep and a car around a scanner."""
    simulation = build(loads(CLOSE))
    simulation.run(2.0)
    return simulation


def cloud(simulation: Simulation) -> np.ndarray:
    """Return the points (n, 3) of one revolution."""
    topic = next(name for name in simulation.topics() if "points" in name)
    box = simulation.bus.subscribe(topic)
    simulation.run(0.11)
    found = box.poll()
    assert found is not None
    records = cloud_records(found[1])
    return np.column_stack([records[name] for name in "xyz"])


def plot(points: np.ndarray, file: Path) -> None:
    """Draw a cloud as it is seen from the scanner, by height."""
    import matplotlib.pyplot as plt

    distance = np.linalg.norm(points, axis=1)
    ahead = (np.abs(np.arctan2(points[:, 1], points[:, 0])) < 0.9) & (distance < 16)
    x, y, z = points[ahead].T
    fig, axes = plt.subplots(figsize=(12.8, 4.2), facecolor="black")
    axes.set_facecolor("black")
    bearing, rise = np.degrees(np.arctan2(y, x)), np.degrees(np.arctan2(z, np.hypot(x, y)))
    axes.scatter(-bearing, rise, c=distance[ahead], s=5, cmap="turbo_r", vmin=3, vmax=14)
    axes.set_xlim(-50, 50)
    axes.set_ylim(-16, 10)
    axes.set_axis_off()
    fig.subplots_adjust(0, 0, 1, 1)
    fig.savefig(file, dpi=100)
    plt.close(fig)


def main() -> None:
    """Write all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/images")
    near = close()
    picture = {"size": (1280, 640), "fov_deg": 80.0}
    snapshot(near, folder / "actors-near.jpg", eye=(-0.6, 0, 1.5), at=(6, 0, 0.8), **picture)  # type: ignore[arg-type]
    plot(cloud(near), folder / "actors-cloud.png")
    street = build(load("street"))
    street.run(12.0)
    snapshot(
        street, folder / "actors-street.jpg", eye=(-20, -16, 7), at=(3, 2, 0.5), size=(1280, 720)
    )


if __name__ == "__main__":
    main()
