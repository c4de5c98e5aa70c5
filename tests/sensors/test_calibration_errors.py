"""Sensors that are not quite where and what their calibration says."""

from dataclasses import replace

import numpy as np
import pytest
from lidar_rig import LidarRig, at, static

import outrider as o
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import MountError, SensorEntry
from outrider.specs.world import PoseSpec
from outrider.world.model import Light, World
from outrider.world.shapes import Box, Plane

SMALL = {"width": 160, "height": 120, "renderer": "embree"}


def camera(seed=1, error=None, **settings):
    """A camera 1 m above the ground that looks along x at a post whose middle is straight ahead."""
    post = static(
        "post", Box((0.2, 0.4, 10.0)), o.Pose(np.array([5.1, 0.0, 0.0])), colour=(0, 0, 0, 1)
    )
    floor = static("floor", Plane(100.0), colour=(1, 1, 1, 1))
    entry = SensorEntry(
        "cam",
        "camera",
        pose=PoseSpec(z=1.0),
        mount_error=error or MountError(),
        set=SMALL | settings,
    )
    world = World("post", (floor, post), lights=(Light("sun"),), sky=(1, 1, 1), horizon=(1, 1, 1))
    return Simulation(world, sensors=(entry,), engine="kinematic", seed=seed)


def messages(simulation):
    """A picture, its calibration, and the static frames."""
    boxes = [
        simulation.bus.subscribe(t) for t in ("/cam/image_raw", "/cam/camera_info", "/tf_static")
    ]
    while any(box.latest is None for box in boxes):
        simulation.step()
    return [box.latest[1] for box in boxes]


def middle_of_post(image):
    row = np.frombuffer(image.data, np.uint8).reshape(120, 160, 3)[60, :, 0].astype(float)
    dark = row < row.max() / 2
    return float(np.flatnonzero(dark).mean())


def test_a_given_error_turns_the_picture_but_not_the_published_frame():
    exact, bent = camera(), camera(error=MountError(pose=PoseSpec(z=0.0, yaw_deg=2.0)))
    (image, info, frames), (turned, same, published) = messages(exact), messages(bent)
    moved = middle_of_post(turned) - middle_of_post(image)
    assert moved == pytest.approx(info.k[0] * np.tan(np.radians(2.0)), abs=0.6)
    assert (same.k == info.k).all()
    assert [repr(t.transform) for t in published.transforms] == [
        repr(t.transform) for t in frames.transforms
    ]


def test_a_drawn_error_is_the_seeds_and_of_the_size_asked_for():
    error = MountError(position_sigma=0.02, angle_sigma_deg=1.0)
    poses = [error.drawn(np.random.default_rng(k)) for k in range(400)]
    assert np.std([p.position for p in poses]) == pytest.approx(0.02, rel=0.1)
    assert np.degrees(np.std([p.rpy for p in poses])) == pytest.approx(1.0, rel=0.1)
    one, again, other = (
        messages(camera(seed=seed, error=MountError(angle_sigma_deg=3.0)))[0].data
        for seed in (1, 1, 2)
    )
    assert (one == again).all()
    assert not np.array_equal(one, other)


def test_the_published_lens_differs_from_the_true_one_by_what_was_given():
    error = {"focal": 0.02, "centre_px": [3.0, -1.0], "distortion": [0.01, 0, 0, 0, 0]}
    image, info, _ = messages(camera(calibration_error=error))
    same, exact, _ = messages(camera())
    assert (image.data == same.data).all()
    assert info.k[0] == pytest.approx(1.02 * exact.k[0])
    assert (info.k[2] - exact.k[2], info.k[5] - exact.k[5]) == pytest.approx((3.0, -1.0))
    assert info.d[0] == pytest.approx(0.01)


def test_a_drawn_calibration_is_the_same_for_the_same_seed_only():
    sigma = {"focal_sigma": 0.01, "centre_sigma_px": 2.0, "distortion_sigma": 0.01}
    one, again, other = (
        messages(camera(seed=seed, calibration_error=sigma))[1].k for seed in (1, 1, 2)
    )
    assert (one == again).all()
    assert (one != other).any()


def test_channels_of_a_lidar_that_point_elsewhere_are_told_as_if_they_did_not():
    wall = static("wall", Box((1.0, 40.0, 40.0)), at(x=10.5))
    common = {
        "samples": 90,
        "elevations_deg": (-10.0, 0.0, 10.0),
        "range_max": 50.0,
        "organised": True,
    }
    exact = LidarRig(LidarParameters(**common), [wall])
    off = LidarRig(LidarParameters(**common, angle_sigma_deg=0.5), [wall])
    for rig in (exact, off):
        rig.run(0.2)
    true, told = exact.points(), off.points()
    assert np.nanmax(np.abs(true["x"] - 10.0)) < 1e-3
    assert 0.005 < np.nanquantile(np.abs(told["x"] - 10.0), 0.9) < 1.0


def test_the_true_pose_of_a_sensor_tells_its_drawn_error():
    error = MountError(pose=PoseSpec(z=0.01), position_sigma=0.02, angle_sigma_deg=1.0)
    entry = SensorEntry("scan", "sick-lms111", pose=PoseSpec(x=0.2, z=0.3), mount_error=error)
    world = World("flat", (static("floor", Plane(100.0)),))
    robot = replace(o.robot("jackal", x=1.0, y=2.0, yaw_deg=30.0), sensors=(entry,))
    simulation = Simulation(world, robots=(robot,))
    jackal = simulation.robots["jackal"]
    (published,) = (
        t.transform
        for t in _latest(simulation, "/tf_static").transforms
        if t.child_frame_id == "scan"
    )
    assert (published.translation.x, published.translation.z) == (0.2, 0.3)
    meant = jackal.pose @ o.Pose(np.array([0.2, 0.0, 0.3]))
    true = jackal.sensors["scan"].pose
    moved = meant.inverse() @ true
    assert 0.005 < np.linalg.norm(moved.position) < 0.1
    assert 0.05 < np.degrees(2 * np.arccos(min(1.0, abs(moved.rotation[3])))) < 5.0
    assert jackal.sensors["odometry"].pose is None  # a wheel's count is nowhere


def _latest(simulation, topic):
    box = simulation.bus.subscribe(topic)
    while box.latest is None:
        simulation.step()
    return box.latest[1]
