"""Draw the gallery: pictures of every world and robot, and the page that shows them.

``python tools/gallery.py [NAME...]``: all, or only these; the page is always written.
"""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from outrider.core.frames import Pose
from outrider.loader.library import library_names, load_world_spec
from outrider.loader.world import build_world
from outrider.scenarios.api import robot as participant
from outrider.scenarios.picture import snapshot
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot
from outrider.world.model import World
from outrider.world.tessellate import bounds, tessellate

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "images" / "gallery"
THUMBNAILS = ROOT / "src" / "outrider" / "library" / "worlds" / "thumbnails"
SIZE = (560, 350)
MOST_BYTES = 58_000
EYE = 0.35  # m above the ground: a Jackal's camera
VIEWS = {  # name: where the overview is taken from, and what it looks at
    "agriculture": ((28, 52, 26), (-20, 2, 0)),
    "autominy-lab": ((3.3, -3.5, 2.7), (-0.4, 0.5, 0)),
    "autominy-lab-detailed": ((3.3, -3.5, 2.7), (-0.4, 0.5, 0)),
    "autominy-lab-minimal": ((4.5, -6.0, 4.5), (0, 0, 0)),
    "campus": ((105, -150, 62), (15, -50, 0)),
    "decontamination-room": ((5.6, -3.6, 2.6), (-1, 0.6, 0.3)),
    "empty": ((-1.6, -1.4, 1.0), (0, 0, 0.15)),
    "hratc": ((-17, -15, 10), (0, 0, 1)),
    "husky-lab": ((-4.5, -6.5, 4.5), (0, 1.2, 0)),
    "ice": ((-1.6, -1.4, 1.0), (0, 0, 0.15)),
    "loam": ((-1.6, -1.4, 1.0), (0, 0, 0.15)),
    "inspection": ((-34, -39, 27), (1, -4, 0)),
    "lunar": ((-8, 9, 30.5), (8, -2, 25)),
    "lunar-gravity": ((-8, 9, 30.5), (8, -2, 25)),
    "lunar-smooth": ((-14, 16, 36), (30, -18, 22)),
    "maze": ((-10, -12, 11), (0, 0, 0)),
    "playpen": ((-14, -16, 9), (0, 0, 0)),
    "roomba-room": ((2.75, -1.75, 2.3), (-0.5, 0.4, 0.1)),
    "rural": ((10, -95, 32), (0, -10, 0)),
    "sick-boxes": ((-1.4, -2.6, 2.2), (2.6, 0, 0.3)),
    "playground": ((-5, -8, 3.4), (1, 0, 0)),
    "rough": ((-2.6, -2.4, 1.7), (0, 0, 0.3)),
    "slope": ((-1.2, -2.2, 0.6), (0.3, 0, 0.2)),
}
EYES = {
    "campus": (10.0, -9.5, -15.0),
    "inspection": (-3.0, -4.5, 35.0),
    "playpen": (0.0, 0.0, 150.0),
    "slope": (0.0, 0.0, 90.0),
}  # x, y, heading: not the start
ROBOTS = {"roomba-room": "create", "rural": "tank", "husky-lab": "husky"}
BARE = ("empty", "ice", "loam", "rough", "slope")  # a Husky drives ahead: there is nothing else
AHEAD = (2.6, 0.5, 35.0)  # m ahead and to the left of the eye, degrees to the left: where it drives
FROM = np.array([0.95, 0.7, 0.5]) / np.linalg.norm([0.95, 0.7, 0.5])  # robots are seen from here
ROBOT_FOV, FILLED = 40, 0.86  # degrees; share of the picture that a robot fills
WEATHERS = ("dawn", "fog", "rain", "night", "snow", "dust")
ENDLESS = 1000.0  # m: larger grounds than this are looked at around their start


def main(names: list[str]) -> None:
    """Draw what is asked for, and write the page."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in library_names("worlds"):
        if not names or name in names:
            draw_world(name)
    for name in library_names("robots"):
        if not names or name in names:
            draw_robot(name)
    for name in library_names("worlds"):
        thumbnail(name)
    (ROOT / "docs" / "gallery.md").write_text(page(), encoding="utf-8")


def thumbnail(name: str) -> None:
    """Write a small copy of a world's overview beside the world, for ``outrider list worlds``."""
    if not (PICTURES / f"{name}.jpg").is_file():
        return
    THUMBNAILS.mkdir(exist_ok=True)
    with Image.open(PICTURES / f"{name}.jpg") as picture:
        small = picture.resize((192, 120), Image.Resampling.LANCZOS)
    small.save(THUMBNAILS / f"{name}.jpg", "JPEG", quality=72, optimize=True)


def draw_world(name: str) -> None:
    """Draw an overview of a world, and what a robot sees near the start."""
    world = build_world(load_world_spec(name))
    model = "autominy" if name.startswith("autominy") else ROBOTS.get(name, "jackal")
    at_start = replace(participant(model), pose=world.start)
    simulation = Simulation(world, [at_start], engine="kinematic")
    eye, at = VIEWS.get(name) or overview(world)
    save(
        snapshot(simulation, eye=eye, at=at, size=SIZE, fov_deg=66, renderer="embree").colour,
        f"{name}.jpg",
    )
    place = EYES.get(name) or at_its_start(world)
    others = [ahead(place)] if name in BARE else []
    save(robots_eye(world, place, others), f"{name}-eye.jpg")


def at_its_start(world: World) -> tuple[float, float, float]:
    """Return x, y and heading in degrees of a world's start."""
    x, y = world.start.position[:2].tolist()
    return x, y, float(np.degrees(world.start.rpy[2]))


def ahead(place: tuple[float, float, float]) -> Participant:
    """Return a Husky that drives in front of an eye."""
    x, y, yaw_deg = place
    forward, left, turned = AHEAD
    cos, sin = np.cos(np.radians(yaw_deg)), np.sin(np.radians(yaw_deg))
    there = (x + forward * cos - left * sin, y + forward * sin + left * cos)
    return participant("husky", x=there[0], y=there[1], yaw_deg=yaw_deg + turned)


def robots_eye(
    world: World, place: tuple[float, float, float], others: list[Participant]
) -> np.ndarray | None:
    """Return what a Jackal's camera sees at a place, with other robots in the world."""
    simulation, top = Simulation(world, others, engine="kinematic"), world.start.position[2]
    below = simulation.rig.scene.ground_below(np.array([place]), float(top) + 1.5)[0]
    eye = (place[0], place[1], float(below if np.isfinite(below) else top) + EYE)
    seen = snapshot(
        simulation,
        eye=eye,
        yaw_deg=place[2],
        pitch_deg=2.0,
        size=SIZE,
        fov_deg=66,
        renderer="embree",
    )
    return seen.colour


def overview(world: World) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return a place from which all of a world is seen, or as much as is near its start."""
    low, high = extent(world)
    middle, span = (low + high) / 2, float(max(high[:2] - low[:2]))
    if span > ENDLESS:
        middle, span = world.start.position, 60.0
    eye = middle + np.array([-0.55, -0.6, 0.45]) * span
    return tuple(eye.tolist()), tuple(middle.tolist())


def draw_robot(name: str) -> None:
    """Draw a robot on concrete, from its left in front."""
    world = build_world(load_world_spec("empty"))
    simulation = Simulation(world, [participant(name)], engine="kinematic")
    points = np.concatenate(
        [
            Pose(body["position"], body["rotation"]).apply(vertices)
            for part in simulation.rig.scene.movers
            for body in [simulation.state.bodies[part.body]]
            for vertices, _ in part.surface.meshes
        ]
    )
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    eye = centre + FROM * distance(points - centre)
    picture = snapshot(
        simulation,
        eye=tuple(eye.tolist()),
        at=tuple(centre.tolist()),
        size=SIZE,
        fov_deg=ROBOT_FOV,
        renderer="embree",
    )
    save(picture.colour, f"robot-{name}.jpg")


def distance(corners: np.ndarray) -> float:
    """Return from how far along ``FROM`` all corners about a middle are in the picture."""
    right = np.cross([0.0, 0.0, 1.0], FROM)
    right /= np.linalg.norm(right)
    across = np.stack([corners @ right, corners @ np.cross(FROM, right)])
    wide = np.tan(np.radians(ROBOT_FOV / 2)) * FILLED
    half = np.array([[wide], [wide * SIZE[1] / SIZE[0]]])
    return float((corners @ FROM + np.abs(across) / half).max())


def save(pixels: np.ndarray | None, name: str) -> None:
    """Write a small JPEG: as good as fits."""
    assert pixels is not None
    for quality in range(85, 20, -5):
        out = io.BytesIO()
        Image.fromarray(pixels).save(out, "JPEG", quality=quality, optimize=True)
        if out.tell() <= MOST_BYTES:
            break
    (PICTURES / name).write_bytes(out.getvalue())
    print(f"{name}: {out.tell() / 1000:.0f} kB")


def extent(world: World) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of the box around all that stands in a world."""
    corners = [
        (m.pose @ g.pose).apply(np.stack(bounds(g.shape)))
        for m in world.models
        for link in m.links
        for g in link.visuals or link.colliders
    ]
    points = np.concatenate(corners)
    return points.min(axis=0), points.max(axis=0)


def page() -> str:
    """Return the page: a picture of each, with its figures."""
    lines = [
        "# Gallery",
        "",
        (
            "Every world and robot of the library. All are generated by code from a seed and"
            " rendered without a GPU; `python tools/gallery.py` draws the images and writes this"
            " page. The left image is an overview, the right one the view of a robot near the"
            " start. [Worlds](worlds.md) and [props](props.md) explain how to make your own."
        ),
        "",
        "| world | overview | robot's view |",
        "|---|---|---|",
    ]
    lines += [world_row(name) for name in library_names("worlds")]
    lines += ["", "## Robots", "", "| robot | |", "|---|---|"]
    for name in library_names("robots"):
        text = load_robot(name).spec.description
        lines.append(f"| **{name}**<br>{text} | ![{name}](images/gallery/robot-{name}.jpg) |")
    return "\n".join([*lines, *street_rows(), *weather_rows()]) + "\n"


def street_rows() -> list[str]:
    """Return the world of a scenario, drawn by tools/actors_pictures.py."""
    said = "The world of the scenario `street`, with its [people, cars and sheep](actors.md)."
    return ["", "## Street", "", said, "", "![street](images/actors-street.jpg)"]


def weather_rows() -> list[str]:
    """Return a table of the pictures that tools/weather_pictures.py draws."""
    shown = [f"![{name}](images/weather/{name}.jpg)" for name in WEATHERS]
    rows = [f"| {left} | {right} |" for left, right in zip(shown[::2], shown[1::2], strict=True)]
    said = "The campus in several [weathers](weather.md); `python tools/weather_pictures.py`."
    return ["", "## Weather", "", said, "", "| | |", "|---|---|", *rows]


def world_row(name: str) -> str:
    """Return one line of the table."""
    spec = load_world_spec(name)
    world = build_world(spec)
    low, high = extent(world)
    triangles = sum(
        len(tessellate(g.shape).faces)
        for m in world.models
        for link in m.links
        for g in link.visuals or link.colliders
    )
    x, y, z = world.start.position
    yaw = np.degrees(world.start.rpy[2])
    origin = world.origin
    facts = (
        f"{high[0] - low[0]:.4g} x {high[1] - low[1]:.4g} m, {triangles:,} triangles<br>"
        f"origin {origin.latitude_deg:.4f}, {origin.longitude_deg:.4f}, {origin.altitude_m:g} m<br>"
        f"start {x:.4g}, {y:.4g}, {z:.3g} m, {yaw:.0f} deg"
    )
    picture = f"![{name}](images/gallery/{name}.jpg)"
    return (
        f"| **{name}**<br>{spec.description}<br>{facts} | {picture} |"
        f" ![{name}, robot's eye](images/gallery/{name}-eye.jpg) |"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
