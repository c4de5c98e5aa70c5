"""Small worlds to take pictures of, and the renderers that work here."""

import numpy as np
import pytest
from PIL import Image

from outrider.core.errors import RenderError
from outrider.core.frames import Pose
from outrider.render.intrinsics import Intrinsics
from outrider.render.renderer import ORDER, RENDERERS
from outrider.render.shot import T_BODY_OPTICAL
from outrider.scene.scene import Scene
from outrider.world.assembly import assemble
from outrider.world.materials import Material
from outrider.world.model import Geometry, Light, Link, Model, World
from outrider.world.shapes import Box, Plane
from outrider.world.state import BODY

NO_BODIES = np.zeros(0, BODY)
NOON = (Light("sun", direction=(0.0, 0.0, -1.0)),)
ALL = frozenset(["colour", "depth", "labels"])
EVERY = list(ORDER)
VGA = Intrinsics.from_fov(640, 480, 70.0)
GREY = (0.5, 0.5, 0.5, 1.0)


def static(name, shape, x=0.0, y=0.0, z=0.0, rpy_deg=(0.0, 0.0, 0.0), **material):
    pose = Pose.from_rpy([x, y, z], np.radians(rpy_deg))
    look = Material(name=name, **({"colour": GREY} | material))
    geometry = Geometry(shape, pose, look)
    return Model(name, (Link("link", None, (geometry,)),), mobility="static")


def floor(**material):
    return static("floor", Plane(200.0), **material)


def wall(distance, size=40.0, **material):
    """A thick wall whose near face is at x = distance."""
    return static("wall", Box((1.0, size, size)), x=distance + 0.5, **material)


def scene_of(*models, **world):
    return Scene(assemble(World("test", tuple(models), **({"lights": NOON} | world))))


def save_image(path, pixels):
    Image.fromarray(np.ascontiguousarray(pixels, np.uint8)).save(path)
    return str(path)


def camera(x=0.0, y=0.0, z=0.0, yaw_deg=0.0, pitch_deg=0.0, roll_deg=0.0):
    """Return the optical pose of a camera whose body has x forward; a pitch above 0 looks down."""
    return Pose.from_rpy([x, y, z], np.radians([roll_deg, pitch_deg, yaw_deg])) @ T_BODY_OPTICAL


def rays_of(lens, pose):
    directions = lens.rays().reshape(-1, 3).astype(np.float64) @ pose.matrix[:3, :3].T
    origins = np.tile(pose.position, (len(directions), 1))
    return np.ascontiguousarray(origins, np.float32), np.ascontiguousarray(directions, np.float32)


def renderer_or_skip(name, scene):
    try:
        return RENDERERS.load(name)(scene)
    except (RenderError, ImportError) as error:
        if name == "embree":
            raise
        pytest.skip(f"the renderer '{name}' does not work here: {error}")


class Studio:
    """A renderer by name, made anew for every scene."""

    def __init__(self, name):
        self.name = name
        self._made = {}

    def take(self, scene, *shots, bodies=NO_BODIES):
        if id(scene) not in self._made:
            self._made[id(scene)] = scene, renderer_or_skip(self.name, scene)
        return self._made[id(scene)][1].begin(list(shots), bodies).pictures()

    def one(self, scene, shot, bodies=NO_BODIES):
        return self.take(scene, shot, bodies=bodies)[0]

    def close(self):
        for _, renderer in self._made.values():
            renderer.close()
