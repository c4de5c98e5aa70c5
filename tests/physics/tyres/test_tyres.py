"""What one tyre does: press, roll, hold, slide, climb, stand on things that move."""

from dataclasses import replace

import numpy as np
import pytest
from vehicle_rig import GRAVITY, SMOOTH, Rig, plane, stand, still

from outrider.core.frames import Pose
from outrider.formats.urdf.read import read_urdf
from outrider.loader.library import library_path
from outrider.specs.robot import SuspensionSpec
from outrider.vehicles.robot import Robot, load_robot, make_robot
from outrider.world.materials import Material
from outrider.world.model import Geometry, Inertial, Link, Model
from outrider.world.shapes import Box, HeightField, Mesh

HUSKY, JACKAL = load_robot("husky"), load_robot("jackal")


@pytest.mark.parametrize("heading_deg", [0, 37, 90])
@pytest.mark.parametrize("slope_deg", [0, 10, 20, 30])
def test_ground_carries_the_weight_on_slopes_in_any_heading(
    slope_deg: float, heading_deg: float
) -> None:
    rig = stand(HUSKY, plane(SMOOTH, slope_deg), yaw=np.radians(heading_deg))
    rig.run(3.0)
    weight = rig.mass * GRAVITY
    assert rig.ground_force() == pytest.approx([0, 0, weight], abs=1e-3 * weight)


@pytest.mark.parametrize("lateral_ratio", [1.0, 0.5])
@pytest.mark.parametrize("direction_deg", [0, 90, 180, 40])
def test_locked_wheels_resist_on_the_friction_ellipse(
    direction_deg: float, lateral_ratio: float
) -> None:
    friction = 0.5
    ground = Material(friction=friction, lateral_ratio=lateral_ratio, static_ratio=1.0)
    rig = stand(HUSKY, plane(ground))
    rig.run(0.5)
    way = np.array([np.cos(np.radians(direction_deg)), np.sin(np.radians(direction_deg)), 0.0])
    pose = Pose(rig.base["position"].copy(), rig.base["rotation"].copy())
    rig.engine.place(rig.vehicle.root, pose, 3.0 * way, np.zeros(3))

    def resistance() -> list[float]:
        rows = rig.tyres.rows
        return [*rows["force"].sum(axis=0) / rows["load"].sum(), *rows["slip"].mean(axis=0)]

    along, across, slip_t, slip_l = rig.run(0.3, resistance)[40:].mean(axis=0)
    slide = np.hypot(slip_t, slip_l)
    assert along == pytest.approx(-friction * slip_t / slide, abs=0.01 * friction)
    assert across == pytest.approx(-friction * lateral_ratio * slip_l / slide, abs=0.01 * friction)


@pytest.mark.parametrize("resistance", [0.02, 0.1])
def test_coasting_slows_down_by_the_rolling_resistance(resistance: float) -> None:
    rig = stand(JACKAL, plane(Material(rolling_resistance=resistance)))
    rig.drive(1.5)
    rig.run(1.5)
    for limit in ("torque", "brake"):
        rig.motors.rows[limit] = 0.0  # the motors let go
    speeds = rig.run(0.6, lambda: rig.base["velocity"][0])[20:]
    slowing = -(speeds[-1] - speeds[0]) / (rig.dt * (len(speeds) - 1))
    rows = rig.tyres.rows
    turning_mass = (rows["spin_inertia"] / rows["radius"] ** 2).sum()
    expected = resistance * GRAVITY * rig.mass / (rig.mass + turning_mass)
    assert slowing == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("robot", [HUSKY, JACKAL], ids=["husky", "jackal"])
def test_wheels_climb_a_kerb_smoothly(robot: Robot) -> None:
    kerb = still("kerb", Box((4.0, 4.0, 0.04)), Pose(np.array([3.0, 0.0, 0.02])))
    rig = stand(robot, plane(), kerb)
    rig.run(0.5)
    start = rig.base["position"].copy()
    rig.drive(0.4)
    accelerations = rig.vertical_accelerations(7.0)
    assert rig.base["position"][2] - start[2] == pytest.approx(0.04, abs=0.001)
    assert rig.base["position"][0] > 2.5
    assert np.abs(accelerations).max() < 25.0


def _cells(size: float, cell: float) -> Mesh:
    """Return a flat square of triangles whose edges wheels cross at all angles."""
    line = np.arange(-size / 2, size / 2 + cell / 2, cell)
    x, y = np.meshgrid(line, line, indexing="ij")
    vertices = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)
    i = np.arange(x.size).reshape(x.shape)
    a, b, c, d = i[:-1, :-1].ravel(), i[1:, :-1].ravel(), i[:-1, 1:].ravel(), i[1:, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])
    return Mesh(vertices, faces)


def _flat_grounds() -> dict[str, tuple[Model, ...]]:
    left = still("left", Box((4.0, 8.0, 0.2)), Pose(np.array([-1.3, 0.0, -0.1])))
    right = still("right", Box((4.0, 8.0, 0.2)), Pose(np.array([2.7, 0.0, -0.1])))
    return {
        "mesh": (still("ground", _cells(8.0, 0.13)),),
        "height field": (still("ground", HeightField(np.zeros((81, 81)), (8.0, 8.0))),),
        "boxes": (left, right),
    }


@pytest.mark.parametrize("kind", ["mesh", "height field", "boxes"])
def test_seams_of_a_flat_ground_are_not_felt(kind: str) -> None:
    ground, *others = _flat_grounds()[kind]
    rig = stand(HUSKY, ground, *others, yaw=0.2)
    rig.drive(0.5)
    rig.run(2.0)
    assert np.abs(rig.vertical_accelerations(3.0)).max() < 0.5
    assert rig.base["position"][0] > 1.5


def _plate(mobility: str, mass: float = 1.0) -> Model:
    top = Geometry(Box((3.0, 3.0, 0.1)), Pose(), SMOOTH)
    inertia = mass / 12 * np.diag([9.01, 9.01, 18.0])
    link = Link("plate", Inertial(mass, inertia), colliders=(top,))
    pose = Pose(np.array([0.0, 0.0, 0.06]))
    return Model("plate", (link,), pose=pose, mobility=mobility)  # type: ignore[arg-type]


def _in_plate(rig: Rig, plate: int) -> np.ndarray:
    row = rig.engine.state.bodies[plate]
    return Pose(row["position"], row["rotation"]).inverse().apply(rig.base["position"])


def test_a_moving_plate_carries_a_parked_robot_with_it() -> None:
    rig = stand(HUSKY, plane(), _plate("scripted"), height=0.11)
    plate = rig.engine.assembly.root("plate")
    rig.run(1.0)
    before = _in_plate(rig, plate)
    for part in np.linspace(0.0, 1.0, 100):  # brought up to speed within a second
        row = rig.engine.state.bodies[plate]
        pose = Pose(row["position"].copy(), row["rotation"].copy())
        velocity, turn = part * np.array([0.3, 0.1, 0.0]), part * np.array([0.0, 0.0, 0.3])
        rig.engine.place(plate, pose, velocity, turn)
        rig.run(0.01)
    rig.run(4.0)
    assert np.linalg.norm(rig.engine.state.bodies[plate]["position"][:2]) > 1.2
    assert np.linalg.norm(_in_plate(rig, plate) - before) < 1e-3


def test_a_sled_feels_the_reaction_of_what_drives_on_it() -> None:
    slippery = replace(SMOOTH, friction=0.0)
    rig = stand(JACKAL, plane(slippery), _plate("dynamic", 40.0), height=0.111)
    plate = rig.engine.assembly.root("plate")
    rig.run(1.0)
    rig.drive(0.6)
    rig.run(1.0)
    robot, sled = rig.base["velocity"][0], rig.engine.state.bodies[plate]["velocity"][0]
    assert robot - sled == pytest.approx(0.6, rel=0.02)  # the wheels roll on the sled
    assert robot * rig.mass == pytest.approx(-40.0 * sled, rel=0.02)
    assert rig.tyres.rows["load"].sum() == pytest.approx(rig.mass * GRAVITY, rel=0.02)


def _sprung(stiffness: float) -> Robot:
    strut = SuspensionSpec(stiffness=stiffness, damping=0.0, travel=0.2)
    wheels = [*JACKAL.drivetrain.driven]
    spec = replace(JACKAL.spec, suspension=dict.fromkeys(wheels, strut))
    model = read_urdf(library_path("robots", "jackal").parent / JACKAL.spec.urdf)
    return make_robot(spec, model)


def test_a_strut_sinks_by_load_over_stiffness_and_swings_at_its_own_frequency() -> None:
    stiffness = 3000.0
    rig = stand(_sprung(stiffness), height=0.0)
    names = [joint.name for joint in rig.engine.assembly.joints]
    struts = [i for i, name in enumerate(names) if name.endswith("_suspension")]
    bodies = rig.engine.assembly.bodies
    carried = rig.mass - sum(
        body.inertial.mass for body in bodies if "wheel" in body.name or "strut" in body.name
    )
    swings = rig.run(6.0, lambda: rig.base["position"][2])
    sunk = rig.run(2.0, lambda: rig.engine.state.joints["position"][struts]).sum(axis=1).mean()
    assert sunk == pytest.approx(carried * GRAVITY / stiffness, rel=0.03)
    series = 4 / (1 / stiffness + 1 / rig.tyres.rows["stiffness"][0])
    seen = swings[400:] - swings[400:].mean()
    ups = np.flatnonzero((seen[:-1] < 0) & (seen[1:] >= 0))
    frequency = (len(ups) - 1) / ((ups[-1] - ups[0]) * rig.dt)
    assert frequency == pytest.approx(np.sqrt(series / carried) / (2 * np.pi), rel=0.03)


def test_a_wheel_in_the_air_has_no_load_and_no_friction() -> None:
    rig = stand(JACKAL, plane(), height=1.0)
    rig.run(0.3)
    assert not rig.tyres.rows["load"].any()
    assert not rig.tyres.rows["force"].any()
    assert rig.base["velocity"][2] == pytest.approx(-0.3 * GRAVITY, rel=1e-6)
