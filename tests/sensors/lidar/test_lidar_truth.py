"""Where a LiDAR's rays end: against formulas, another ray caster, and motion that is known."""

import math
from typing import Any

import numpy as np
import pytest
from lidar_rig import LidarRig, at, directions, room_ranges, scripted, static

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.world.shapes import Box, Capsule, Cylinder, HeightField, Mesh, Plane, Sphere
from outrider.world.tessellate import heightfield_mesh

VIEW = LidarParameters(
    elevations_deg=tuple(np.linspace(-25, 25, 11)),
    samples=720,
    organised=True,
    range_min=0.01,
    range_max=300.0,
    rolling=False,
)
FLAT = LidarParameters(samples=720, organised=True, range_min=0.01, range_max=300.0)
ROOM = np.array([5.0, 4.0, 2.0])


def by_firing(rig: LidarRig, grid: Array) -> Array:
    """Order a (ring, column) grid as the rays of the scan are."""
    beams = rig.lidar._beams
    return grid.reshape(-1, beams.columns)[beams.ring, beams.column]


def test_ranges_in_a_box_are_right_to_a_tenth_of_a_millimetre():
    start = at(0.5, -0.7, 0.2, 0.3)
    rig = LidarRig(VIEW, [static("room", Box(tuple(2 * ROOM)))], lambda _: start).run()
    world = directions(rig) @ matrix_from_quaternion(start.rotation).T
    truth = room_ranges(start.position, world, ROOM)
    assert np.abs(by_firing(rig, rig.ranges()) - truth).max() < 1e-5


def test_ranges_to_the_ground_plane_are_right_to_a_tenth_of_a_millimetre():
    rig = LidarRig(VIEW, [static("ground", Plane())], lambda _: at(z=1.7)).run()
    down = directions(rig)[:, 2]
    truth = 1.7 / -down[down < -0.01]
    assert truth.max() > 15.0
    assert np.abs(by_firing(rig, rig.ranges())[down < -0.01] - truth).max() < 1e-4


@pytest.mark.parametrize("radius", [0.05, 0.5, 1.0, 5.0])
def test_a_ball_is_round_to_a_tenth_of_a_millimetre(radius):
    centre = np.array([2.5 * radius, 0.3 * radius, 0.1 * radius])
    rig = LidarRig(VIEW, [static("ball", Sphere(radius), Pose(centre))]).run()
    points = rig.points()
    hits = np.stack([points[axis].ravel() for axis in "xyz"], 1)
    hits = hits[np.isfinite(hits[:, 0])]
    assert len(hits) > 100
    assert np.abs(np.linalg.norm(hits - centre, axis=1) - radius).max() < 1.05e-4


@pytest.mark.parametrize("shape", [Cylinder(0.4, 3.0), Capsule(0.4, 3.0)])
def test_a_post_is_round_to_a_tenth_of_a_millimetre(shape):
    rig = LidarRig(FLAT, [static("post", shape, at(2.0))]).run()
    points = rig.points().ravel()
    points = points[np.isfinite(points["x"])]
    apart = np.hypot(points["x"] - 2.0, points["y"])
    assert len(points) > 40
    assert np.abs(apart - 0.4).max() < 1.05e-4


def test_a_kilometre_from_the_origin_a_tenth_of_a_millimetre_is_left():
    start = at(1000.25, 500.5, 0.1)
    rig = LidarRig(VIEW, [static("room", Box(tuple(2 * ROOM)), at(1000.0, 500.0))], lambda _: start)
    truth = room_ranges(np.array([0.25, 0.5, 0.1]), directions(rig), ROOM)
    assert np.abs(by_firing(rig.run(), rig.ranges()) - truth).max() < 1e-4


def bumps() -> Mesh:
    """Hills of 0.5 m on a grid of 0.25 m, lower in the middle."""
    x = np.linspace(-6, 6, 49)
    z = 0.25 * np.sin(1.3 * x)[:, None] * np.cos(1.7 * x)[None, :] - 0.3
    return heightfield_mesh(HeightField(z, (12.0, 12.0)))


def bullet_ranges(boxes: list[tuple[Any, Pose]], mesh: Mesh, rays: Array, reach: float) -> Array:
    """Cast the same rays with Bullet. (No balls: its rays end up to 5 mm before those.)"""
    pybullet = pytest.importorskip("pybullet", reason="pybullet is not installed")
    client = pybullet.connect(pybullet.DIRECT)
    try:
        shapes = [
            (pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=np.array(size) / 2), pose)
            for size, pose in boxes
        ]
        ground = pybullet.createCollisionShape(
            pybullet.GEOM_MESH,
            vertices=mesh.vertices.tolist(),
            indices=mesh.faces.ravel().tolist(),
            flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
        )
        for shape, pose in [*shapes, (ground, Pose())]:
            pybullet.createMultiBody(0, shape, -1, pose.position.tolist(), pose.rotation.tolist())
        start = np.tile([0.0, 0.0, 0.5], (len(rays), 1))
        end = start + reach * rays
        parts = [slice(i, i + 8000) for i in range(0, len(rays), 8000)]
        found = [hit for part in parts for hit in pybullet.rayTestBatch(start[part], end[part])]
    finally:
        pybullet.disconnect(client)
    return np.array([hit[2] * reach if hit[0] >= 0 else np.inf for hit in found])


@pytest.mark.peer
def test_bullet_finds_the_same_scan_within_a_millimetre():
    boxes = [((1.0, 0.6, 1.4), at(3.0, 1.0, 0.5, 0.4)), ((0.5, 2.0, 0.8), at(-2.0, -2.5, 0.3, 1.0))]
    models = [static(f"box{i}", Box(size), pose) for i, (size, pose) in enumerate(boxes)]
    rig = LidarRig(VIEW, [*models, static("ground", bumps())], lambda _: at(z=0.5)).run()
    theirs = bullet_ranges(boxes, bumps(), directions(rig), 15.0)
    ours = np.nan_to_num(by_firing(rig, rig.ranges()), nan=np.inf)
    both = np.isfinite(ours) & np.isfinite(theirs)
    assert both.sum() > 3000
    # a ray that touches an edge may end on either side of it
    assert (np.isfinite(ours) != np.isfinite(theirs)).sum() <= 3
    assert (np.abs(ours[both] - theirs[both]) > 1e-3).sum() <= 3


def turning_drive(t: float) -> Pose:
    """2 m/s on a circle with 1.5 rad/s, from the left half of the room."""
    speed, rate = 2.0, 1.5
    x = speed / rate * math.sin(rate * t)
    y = speed / rate * (1 - math.cos(rate * t))
    return at(x - 1.0, y - 1.0, 0.2, rate * t)


def distorted(rig: LidarRig, mount: Pose) -> Array:
    """What every firing must read, from the formula of the motion."""
    beams = rig.lidar._beams
    start_s = (rig.state.time_ns - beams.span_ns) * 1e-9
    truth = np.empty(len(beams))
    for i, (offset_ns, ray) in enumerate(zip(beams.offsets_ns, beams.rays, strict=True)):
        pose = turning_drive(start_s + offset_ns * 1e-9) @ mount
        truth[i] = room_ranges(pose.position, matrix_from_quaternion(pose.rotation) @ ray, ROOM)
    return truth


@pytest.mark.parametrize(("step_s", "within"), [(0.001, 2e-5), (0.0025, 5e-5), (0.01, 3e-4)])
def test_a_sensor_that_drives_and_turns_gives_the_analytic_bent_scan(step_s, within):
    mount = Pose.from_rpy([0.3, 0.1, 0.2], [0.02, 0.1, 0.5])
    rig = LidarRig(
        FLAT, [static("room", Box(tuple(2 * ROOM)))], turning_drive, mount=mount, step_s=step_s
    ).run(0.2)
    truth = distorted(rig, mount)
    frozen = room_ranges(
        (turning_drive(0.2) @ mount).position,
        directions(rig) @ matrix_from_quaternion((turning_drive(0.2) @ mount).rotation).T,
        ROOM,
    )
    assert np.abs(truth - frozen).max() > 0.2, "the motion must matter"
    assert np.abs(by_firing(rig, rig.ranges()) - truth).max() < within


def test_the_physics_step_does_not_matter_to_a_millimetre():
    def scan(step_s: float) -> Array:
        room = static("room", Box(tuple(2 * ROOM)))
        return LidarRig(FLAT, [room], turning_drive, step_s=step_s).run(0.2).ranges()

    assert np.abs(scan(0.001) - scan(0.01)).max() < 1e-3


def test_a_turn_that_ends_between_two_steps_keeps_its_own_time():
    rig = LidarRig(FLAT, [static("room", Box(tuple(2 * ROOM)))], turning_drive, step_s=0.003)
    rig.run(0.201)  # the turn ended at 0.2 s
    cloud = rig.lidar.points(0)
    assert cloud.header.stamp.sec == 0
    assert cloud.header.stamp.nanosec == 100_000_000
    even = LidarRig(FLAT, [static("room", Box(tuple(2 * ROOM)))], turning_drive).run(0.2)
    assert np.abs(rig.ranges() - even.ranges()).max() < 1e-3


def test_a_moving_obstacle_is_seen_where_it_is_when_each_ray_comes():
    """A wall of 1 m flies past at 20 m/s across a slow scan: its image is longer or shorter."""

    def wall(t: float) -> Pose:
        return at(4.0, -2.0 + 20.0 * (t - 0.1))  # at y = 0 in the middle of the scan

    for direction, sign in (("ccw", 1.0), ("cw", -1.0)):
        p = LidarParameters(samples=3600, range_max=50.0, direction=direction)
        rig = LidarRig(p, [scripted("wall", Box((0.1, 1.0, 2.0)))], movers={"wall": wall}).run(0.2)
        points = rig.points()
        stamp_s = 0.1
        assert len(points) > 100
        front = points[np.abs(points["x"] - 3.95) < 1e-4]
        middle = wall(0.0).position[1] + 20.0 * (stamp_s + front["time"].astype(np.float64))
        edge = np.abs(front["y"] - middle)
        assert edge.max() <= 0.5 + 1e-4, "every point lies on the wall of its time"
        assert edge.max() > 0.48
        # running with the scan it is seen longer, against it shorter: 4 m * 20 pi rad/s = 251 m/s
        seen = np.ptp(front["y"])
        assert seen == pytest.approx(1.0 / (1.0 - sign * 20.0 / 251.3), abs=0.02)


def test_a_spinning_obstacle_is_turned_at_each_rays_time():
    def vane(t: float) -> Pose:
        return at(3.0, 0.0, 0.0, 30.0 * t)

    p = LidarParameters(samples=7200, range_max=50.0)
    rig = LidarRig(
        p, [scripted("vane", Box((2.0, 0.01, 2.0)))], movers={"vane": vane}, step_s=0.001
    ).run(0.2)
    points = rig.points()
    assert len(points) > 50
    for point in points[::5]:
        pose = vane(0.1 + float(point["time"]))
        local = pose.inverse().apply(np.array([point["x"], point["y"], point["z"]], np.float64))
        assert abs(abs(local[1]) - 0.005) < 2e-3 or abs(abs(local[0]) - 1.0) < 2e-3
        assert abs(local[0]) < 1.0 + 2e-3


def test_the_nearer_of_two_movers_hides_the_farther():
    models = [scripted("far", Box((0.2, 6.0, 2.0))), scripted("near", Box((0.2, 1.0, 2.0)))]
    motions = {"far": lambda _: at(6.0), "near": lambda _: at(3.0)}
    rig = LidarRig(FLAT, models, movers=motions).run()
    ahead = rig.scan().ranges[360]
    aside = rig.scan().ranges[360 + 40]  # 20 degrees: past the near one, still on the far one
    assert ahead == pytest.approx(2.9, abs=1e-4)
    assert aside == pytest.approx(5.9 / math.cos(math.radians(20)), abs=1e-3)


def test_its_own_robot_is_left_out_unless_wanted():
    room = static("room", Box(tuple(2 * ROOM)))
    shapes = (Box((0.05, 0.05, 0.05)), Box((0.4, 0.4, 0.02)))
    blind = LidarRig(FLAT, [room], carrier_shapes=shapes).run()
    assert np.nanmin(blind.ranges()) > 3.9
    p = LidarParameters(samples=720, range_min=0.01, sees_own_robot=True, outputs=("scan",))
    seeing = LidarRig(p, [room], carrier_shapes=shapes).run()
    assert seeing.scan().ranges[360] == pytest.approx(0.025, abs=1e-5)
    housed = LidarParameters(samples=720, range_min=0.01, sees_own_robot=True, housing_m=0.05)
    outside = LidarRig(housed, [room], carrier_shapes=shapes).run()
    assert outside.scan().ranges[360] == pytest.approx(0.2, abs=1e-5), "measured from the centre"


def test_a_shape_that_hides_from_sensors_is_not_seen():
    models = [
        static("floor", Plane(), hidden_from_sensors=True),
        static("wall", Box((0.2, 4.0, 4.0)), at(3.0)),
    ]
    rig = LidarRig(VIEW, models, lambda _: at(z=0.5)).run()
    points = rig.points().ravel()
    seen = points[np.isfinite(points["x"])]
    assert len(seen)
    assert seen["x"].min() > 2.8
    assert rig.scene.ground_below(np.zeros((1, 3)))[0] == pytest.approx(0.0), "wheels stand on it"
    assert np.nanmin(points["z"]) < -1.0, "rays go through the floor"
