"""Worlds of others, imported from the folder of third-party files beside the project."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from outrider.core.frames import Pose
from outrider.formats.import_file import ImportOptions, as_world, import_file
from outrider.formats.sdf.read import read_sdf, read_sdf_model
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Plane


def floor(texture: str = "") -> Model:
    """Return a level floor."""
    plane = Geometry(Plane(200.0))
    plane = replace(plane, material=replace(plane.material, texture=texture))
    return Model("floor", (Link("link", None, (plane,), (plane,)),), mobility="static")


def hratc(shared_data: Path) -> World:
    """Return the true HRATC world."""
    return read_sdf(shared_data / "hratc_and_race_worlds/worlds/scenario1.world", env={}).world


def race(shared_data: Path) -> World:
    """Return a race track between barriers."""
    path = shared_data / "hratc_and_race_worlds/worlds/jackal_race.world"
    return read_sdf(path, env={}, lenient=True).world


def agriculture(shared_data: Path) -> World:
    """Return the true agriculture world."""
    path = shared_data / "cpr_agriculture_gazebo/urdf/agriculture_geometry.urdf.xacro"
    return as_world(import_file(path, ImportOptions(env={})))


def obstacle(shared_data: Path) -> World:
    """Return an arena of ramps and walls."""
    path = shared_data / "cpr_obstacle_gazebo/urdf/obstacle_geometry.urdf.xacro"
    return as_world(import_file(path, ImportOptions({"world_scale": "3.0"}, env={})))


def lab_pieces(shared_data: Path) -> World:
    """Return grass, bumps and gravel of a laboratory."""
    pieces = []
    for x, piece in ((1.2, "grass"), (2.4, "bumps"), (-1.2, "gravel")):
        folder = shared_data / "farley_lab_pieces" / piece
        model = read_sdf_model(folder / "model.sdf", env={}).model
        pose = Pose(np.array([x, 0.0, 0.005]))
        pieces.append(replace(model, mobility="static", pose=pose))
    return World("lab", (floor(), *pieces))


def autominy_floor(shared_data: Path) -> World:
    """Return the floor of the AutoMiny laboratory."""
    return World("autominy", (floor(str(shared_data / "autominy_map/map.bmp")),))


WORLDS: tuple[Callable[[Path], World], ...] = (
    hratc,
    race,
    agriculture,
    obstacle,
    lab_pieces,
    autominy_floor,
)
