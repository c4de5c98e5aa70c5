"""Depth cameras over rough ground and behind panes: messages of depth and points."""

import numpy as np
import pytest

import outrider as o
from outrider.messages.types import Image
from outrider.scene.roughness import CELLS, SIDE, amplitude, tile
from outrider.sensors.camera.messages import COLOURED_POINT
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.world.materials import Material, Roughness
from outrider.world.model import Geometry, Light, Link, Model, World
from outrider.world.shapes import Box, Plane

ROUGH = Roughness(4e-3)
SEED = 5
HEIGHT, PITCH = 0.6, np.radians(50.0)


def static(name, shape, pose=None, **material):
    geometry = Geometry(shape, pose or o.Pose(), Material(name=name, **material))
    return Model(name, (Link("link", None, (geometry,)),), mobility="static")


def heard(models, pose, renderer, **settings):
    """Return the first message of each output of a depth camera."""
    size = {"width": 320, "height": 240, "renderer": renderer}
    entry = SensorEntry("cam", "depth-camera", pose=pose, set=size | settings)
    world = World("yard", tuple(models), lights=(Light("sun"),))
    sim = Simulation(world, sensors=(entry,), engine="kinematic", seed=SEED)
    boxes = {name: sim.bus.subscribe(f"/cam/{name}") for name in ("depth", "points")}
    sim.run(0.2)
    found = {name: box.poll()[1] for name, box in boxes.items()}
    sim.close()
    return found


def relief(x, y):
    """The nearest cell's height, by numpy alone."""
    i, j = (np.rint(np.mod(v, SIDE) / SIDE * CELLS).astype(int) % CELLS for v in (x, y))
    return amplitude(ROUGH) * tile(ROUGH.slope, SEED)[i, j]


def pixels(message: Image):
    return np.frombuffer(bytes(message.data), np.float32).reshape(message.height, message.width)


@pytest.mark.parametrize("renderer", ["gl", "embree"])
def test_points_and_depth_lie_on_the_relief_of_the_ground(renderer):
    floor = static("floor", Plane(100.0), roughness=ROUGH)
    pose = PoseSpec(x=2.0, y=-3.0, z=HEIGHT, pitch_deg=50.0)
    found = heard([floor], pose, renderer)
    cloud = np.frombuffer(bytes(found["points"].data), COLOURED_POINT)
    depth = pixels(found["depth"])
    assert (cloud["z"].reshape(depth.shape) == depth).all()
    x, y, z = cloud["x"], cloud["y"], cloud["z"]  # right, down, forward
    forward = z * np.cos(PITCH) - y * np.sin(PITCH)
    heights = HEIGHT - z * np.sin(PITCH) - y * np.cos(PITCH)
    truth = relief(2.0 + forward, -3.0 - x)
    assert truth.std() > 5e-3
    assert np.corrcoef(heights, truth)[0, 1] > 0.95
    assert heights.std() == pytest.approx(truth.std(), rel=0.05)


@pytest.mark.parametrize("renderer", ["gl", "embree"])
@pytest.mark.parametrize(("light", "far"), [("infrared", 3.0), ("visible", 1.0)])
def test_what_light_a_depth_camera_uses_decides_whether_it_sees_a_pane(renderer, light, far):
    look = {"colour": (0.1, 0.1, 0.1, 0.9), "transmits_infrared": True}
    pane = static("pane", Box((0.1, 4.0, 4.0)), o.Pose(np.array([1.05, 0.0, 1.0])), **look)
    wall = static("wall", Box((1.0, 9.0, 9.0)), o.Pose(np.array([3.5, 0.0, 1.0])))
    found = heard([pane, wall], PoseSpec(z=1.0), renderer, depth_light=light)
    assert pixels(found["depth"])[120, 160] == pytest.approx(far, abs=1e-4)
    assert found["points"].is_dense is False


def test_an_unknown_light_is_refused_by_name():
    with pytest.raises(o.OutriderError, match="depth_light"):
        heard([], PoseSpec(), "embree", depth_light="ultraviolet")
