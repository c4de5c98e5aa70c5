"""What every engine must keep, whatever moves its bodies."""

import math
from dataclasses import replace

import numpy as np
import pytest
from engine_worlds import HARD, arm, ball, brick, ground, lopsided, pendulum, solid, world_of

from outrider.core.errors import PhysicsError
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.physics.bullet import model as bullet_model
from outrider.physics.bullet.engine import BulletEngine
from outrider.physics.engine import ENGINES
from outrider.physics.mujoco.engine import MujocoEngine
from outrider.world.assembly import WORLD
from outrider.world.model import Geometry, Inertial, Joint, Link, Model
from outrider.world.shapes import Box, Capsule, Cone, Cylinder, HeightField, Mesh, Sphere
from outrider.world.state import BODY, JOINT, Placement, body_row
from outrider.world.tessellate import tessellate

DT = 0.002
TURNED = Pose.from_rpy([0.3, -0.4, 2.0], [0.5, -0.3, 1.1])


@pytest.fixture(params=list(ENGINES))
def make(request):
    """Return the factory of one engine."""
    if request.param == "bullet":
        pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    return ENGINES.load(request.param)


def test_plates_that_are_as_thin_as_can_be_are_taken_however_they_are_turned(make):
    """Turning their inertias leaves a largest moment above the sum of the others, by 1e-19."""
    plates = []
    for k in range(200):
        pose = Pose.from_rpy([0, 0, 0], [0.1 * k, 0.37 * k, 0.73 * k])
        turn = matrix_from_quaternion(pose.rotation)
        tensor = turn @ np.diag([2.1e-4, 3.5e-4, 5.6e-4]) @ turn.T
        link = Link("link", Inertial(0.3, (tensor + tensor.T) / 2))
        plates.append(Model(f"plate{k}", (link,), pose=Pose([0.0, 0.0, float(k)])))
    make(world_of(*plates), DT).step()


def robot(pose=TURNED):
    """Return a chain and a branch with odd frames, axes and masses."""
    axes = [(0.6, 0.8, 0.0), (0.0, 0.6, -0.8), (1.0, 0.0, 0.0)]
    joints = [
        Joint("a", "revolute", "base", "link0", Pose.from_rpy([0.1, 0.2, 0.3], [1, 2, 3]), axes[0]),
        Joint("b", "prismatic", "link0", "link1", Pose.from_rpy([0, 0.2, 0], [0, 1, 0]), axes[1]),
        Joint(
            "c", "continuous", "base", "link2", Pose.from_rpy([0, 0, -0.3], [0.2, 0, 0]), axes[2]
        ),
    ]
    part = Inertial(1.5, np.diag([0.1, 0.12, 0.15]), Pose.from_rpy([0.05, 0.02, 0], [0.3, 0, 0.1]))
    model = arm(joints, [part] * 3, part)
    return Model("robot", model.links, model.joints, pose)


def plate(pose):
    return solid("plate", Box((1.0, 1.0, 0.1)), 5.0, pose, mobility="scripted")


def scene():
    return world_of(ground(), robot(), ball(0.4), plate(Pose([3.0, 0.0, 1.0])), lopsided())


def shake(engine, steps=60):
    """Push everything about, with scripted and placed bodies; return a hash of all that follows."""
    engine.place(6, Pose([0.0, 1.0, 1.0]), np.array([1.0, 0, 0]), np.array([0, 2.0, 3.0]))
    engine.place(5, Pose([3.0, 0.0, 1.0]), np.array([0.1, 0, 0]), np.array([0, 0, 0.5]))
    if engine.kinematics is not None:
        engine.kinematics.drive(0, 1.0, 0.4)
    for i in range(steps):
        engine.loads.bodies["force"][0] = [3.0 * math.sin(i), 1.0, 20.0]
        engine.loads.joints[0] = math.cos(i)
        engine.step()
    return engine.state.hash(*engine.arrays())


def same_rotation(a, b, tolerance=1e-12):
    assert matrix_from_quaternion(a) == pytest.approx(matrix_from_quaternion(b), abs=tolerance)


def test_the_state_has_a_row_for_every_body_and_joint(make):
    engine = make(scene(), DT)
    assert engine.state.bodies.dtype == BODY
    assert engine.state.joints.dtype == JOINT
    assert len(engine.state.bodies) == len(engine.loads.bodies) == 7
    assert len(engine.state.joints) == len(engine.loads.joints) == 3
    assert np.linalg.norm(engine.state.bodies["rotation"], axis=1) == pytest.approx(np.ones(7))


def test_time_is_counted_in_whole_nanoseconds(make):
    engine = make(world_of(ball(5.0)), 1 / 300)
    for _ in range(7):
        engine.step()
    assert engine.state.time_ns == 7 * 3_333_333


def test_frames_at_the_start_are_the_assembly_s(make):
    assembly = scene()
    engine = make(assembly, DT)
    for row, body in enumerate(assembly.bodies):
        pose, parent = body.pose, body.parent
        while parent != WORLD:
            pose, parent = assembly.bodies[parent].pose @ pose, assembly.bodies[parent].parent
        assert engine.state.bodies["position"][row] == pytest.approx(pose.position, abs=1e-12)
        same_rotation(engine.state.bodies["rotation"][row], pose.rotation)
    assert not engine.state.bodies["velocity"].any()
    assert not engine.state.joints["position"].any()


@pytest.mark.parametrize("steps", [0, 1, 60])
def test_an_engine_goes_on_from_a_state_bit_for_bit(make, steps):
    """In place, as often as one likes, and in another engine of the same world."""
    engine = make(scene(), DT)
    if steps:
        shake(engine, steps)
    kept, now = engine.get_state(), engine.state.hash(*engine.arrays())
    time_ns = engine.state.time_ns
    later = shake(engine)
    for other in (engine, engine, make(scene(), DT)):
        other.set_state(kept)
        assert other.state.time_ns == time_ns
        assert other.state.hash(*other.arrays()) == now
        assert shake(other) == later


def test_two_engines_agree_bit_for_bit(make):
    first, second = make(scene(), DT), make(scene(), DT)
    assert shake(first) == shake(second)


def test_engines_side_by_side_do_not_touch_each_other(make):
    alone = shake(make(scene(), DT))
    first, other = make(scene(), DT), make(world_of(ground(), ball(1.0)), DT)
    other.step()
    assert shake(first) == alone


def test_a_root_is_placed_exactly_with_its_velocities(make):
    engine = make(world_of(robot(), lopsided()), DT)
    pose = Pose.from_rpy([4.0, 5.0, 6.0], [0.4, 0.5, 0.6])
    velocity, spin = np.array([1.0, 2.0, 3.0]), np.array([0.3, -0.2, 0.7])
    for body in (0, 4):
        engine.place(body, pose, velocity, spin)
        row = engine.state.bodies[body]
        assert row["position"] == pytest.approx(pose.position, abs=1e-12)
        same_rotation(row["rotation"], pose.rotation)
        assert row["velocity"] == pytest.approx(velocity, abs=1e-12)
        assert row["angular_velocity"] == pytest.approx(spin, abs=1e-12)


def test_many_roots_are_placed_as_one_after_the_other(make):
    one, all_ = (make(world_of(robot(), lopsided(), plate(Pose())), DT) for _ in range(2))
    roots = [0, 4, 5]
    rows = np.concatenate(
        [
            body_row(Pose.from_rpy([k, 5.0, 6.0], [0.4, 0.1 * k, 0.6]), np.ones(3) * k, np.ones(3))
            for k in range(3)
        ]
    )
    for body, row in zip(roots, rows, strict=True):
        pose = Pose(row["position"], row["rotation"])
        one.place(body, pose, row["velocity"], row["angular_velocity"])
    all_.place_all(Placement(np.array(roots), rows))
    for _ in range(3):
        assert one.state.hash() == all_.state.hash()
        one.step()
        all_.step()


def test_roots_and_joints_are_placed_at_once_as_one_after_the_other(make):
    one, all_ = (make(world_of(robot(), lopsided()), DT) for _ in range(2))
    roots, rows = np.array([0]), body_row(Pose([1.0, 5.0, 6.0]), np.ones(3), np.ones(3))
    joints = np.array([0])
    turned = np.zeros(1, JOINT)
    turned["position"], turned["velocity"] = 0.3, 0.7
    one.place_all(Placement(roots, rows))
    one.set_joints(joints, turned["position"], turned["velocity"])
    all_.place_all(Placement(roots, rows, joints, turned))
    for _ in range(3):
        assert one.state.hash() == all_.state.hash()
        one.step()
        all_.step()


def test_the_parts_of_a_placed_model_come_along(make):
    assembly = world_of(robot())
    engine = make(assembly, DT)
    pose, spin = Pose.from_rpy([4.0, 5.0, 6.0], [0.4, 0.5, 0.6]), np.array([0.3, -0.2, 0.7])
    engine.place(0, pose, np.zeros(3), spin)
    expected = pose @ assembly.bodies[1].pose
    row = engine.state.bodies[1]
    assert row["position"] == pytest.approx(expected.position, abs=1e-12)
    same_rotation(row["rotation"], expected.rotation)
    assert row["angular_velocity"] == pytest.approx(spin, abs=1e-12)
    carried = np.cross(spin, expected.position - pose.position)
    assert row["velocity"] == pytest.approx(carried, abs=1e-12)


def test_a_part_carried_by_a_joint_cannot_be_placed(make):
    engine = make(world_of(pendulum()), DT)
    with pytest.raises(PhysicsError, match="arm/link0"):
        engine.place(1, Pose(), np.zeros(3), np.zeros(3))


def test_a_scripted_body_moves_as_told_and_reports_it(make):
    """It turns about the world's axes, also from a tilted start."""
    start = Pose.from_rpy([1.0, 2.0, 3.0], [0.5, 0.0, 0.0])
    engine = make(world_of(plate(start)), DT)
    velocity, spin = np.array([1.0, 0.5, -0.2]), np.array([0.0, 0.0, 1.2])
    engine.place(0, start, velocity, spin)
    for _ in range(500):
        engine.step()
    row = engine.state.bodies[0]
    assert row["position"] == pytest.approx(start.position + velocity, abs=1e-9)
    turned = Pose.from_rpy([0, 0, 0], [0, 0, 1.2]) @ start
    same_rotation(row["rotation"], turned.rotation, 1e-9)
    assert row["velocity"] == pytest.approx(velocity)
    assert row["angular_velocity"] == pytest.approx(spin)


def test_scripted_bodies_are_led_together_from_the_next_step_on(make):
    def flat(name, y):
        return solid(name, Box((1, 1, 0.1)), 5.0, Pose([0, y, 1.0]), mobility="scripted")

    engine = make(world_of(flat("a", 0.0), flat("b", 5.0)), DT)
    twists = np.array([[1.0, 0, 0, 0, 0, 0.5], [0, -2.0, 0, 0.3, 0, 0]])
    engine.lead(np.array([0, 1]), twists)
    for _ in range(100):
        engine.step()
    rows = engine.state.bodies
    np.testing.assert_allclose(rows["position"], [[0.2, 0, 1], [0, 4.6, 1]], atol=1e-9)
    np.testing.assert_allclose(rows["velocity"], twists[:, :3])
    np.testing.assert_allclose(rows["angular_velocity"], twists[:, 3:])
    same_rotation(rows["rotation"][0], Pose.from_rpy([0, 0, 0], [0, 0, 0.1]).rotation, 1e-9)


def test_what_joints_carry_in_a_scripted_model_is_led_by_itself(make):
    hinge = Joint("hinge", "continuous", "base", "link0", Pose([0.0, 0.0, 0.5]), (0.0, 1.0, 0.0))
    part = Inertial(1.0, np.eye(3))
    model = replace(arm([hinge], [part], part), mobility="scripted", pose=Pose([1.0, 0.0, 0.0]))
    engine = make(world_of(model), DT)
    np.testing.assert_allclose(engine.state.bodies["position"], [[1, 0, 0], [1, 0, 0.5]])
    engine.lead(np.array([1]), np.array([[0.0, 0, 1.0, 0, 0, 0]]))
    for _ in range(10):
        engine.step()
    np.testing.assert_allclose(engine.state.bodies["position"], [[1, 0, 0], [1, 0, 0.52]])
    assert len(engine.state.joints) == 0


def test_nothing_moves_a_scripted_body(make):
    engine = make(world_of(plate(Pose([0, 0, 1.0])), ball(1.3)), DT)
    for _ in range(200):
        engine.loads.bodies["force"][0] = [1e3, 0, 0]
        engine.step()
    assert engine.state.bodies["position"][0] == pytest.approx([0, 0, 1.0], abs=1e-12)


def test_loads_are_cleared_by_a_step(make):
    engine = make(scene(), DT)
    engine.loads.bodies["force"][:] = 1.0
    engine.loads.bodies["torque"][:] = 1.0
    engine.loads.joints[:] = 1.0
    engine.step()
    assert not engine.loads.bodies["force"].any()
    assert not engine.loads.bodies["torque"].any()
    assert not engine.loads.joints.any()


def test_contacts_name_who_touched_whom_and_where(make):
    engine = make(world_of(ground(), ball(0.099)), DT)  # a millimetre deep
    engine.watch_contacts = True
    assert _found(engine, "ball/body/shell", "ground", [0.0, 0.0, 0.0])


def _found(engine, moving, still, point):
    engine.step()
    for contact in engine.contacts():
        moving_first = contact.first == 0
        assert {contact.first, contact.second} == {0, WORLD}
        names = [contact.first_name, contact.second_name]
        assert names == ([moving, still] if moving_first else [still, moving])
        assert contact.normal == pytest.approx([0, 0, -1.0 if moving_first else 1.0], abs=1e-6)
        assert contact.point == pytest.approx(point, abs=2e-3)
    return engine.contacts()


def test_nothing_touches_in_the_air(make):
    engine = make(world_of(ground(), ball(3.0)), DT)
    engine.watch_contacts = True
    engine.step()
    assert engine.contacts() == []


def test_parts_of_one_model_do_not_touch_each_other(make):
    geometry = (Geometry(Box((0.4, 0.4, 0.4)), Pose(), HARD, "box"),)
    inertial = Inertial(1.0, 0.01 * np.eye(3))
    links = (Link("base", inertial, (), geometry), Link("link0", inertial, (), geometry))
    joint = Joint("hinge", "continuous", "base", "link0", Pose([0.1, 0, 0]), (0, 0, 1))
    engine = make(world_of(Model("pair", links, (joint,))), DT)
    engine.watch_contacts = True
    engine.step()
    assert engine.contacts() == []


def _cone_mesh():
    mesh = tessellate(Cone(0.3, 0.6))
    return Mesh(mesh.vertices, mesh.faces)


@pytest.mark.parametrize(
    ("shape", "half_height"),
    [
        (Box((0.4, 0.3, 0.2)), 0.1),
        (Sphere(0.15), 0.15),
        (Cylinder(0.2, 0.3), 0.15),
        (Capsule(0.1, 0.2), 0.2),
        (Cone(0.3, 0.6), 0.3),
        (_cone_mesh(), 0.3),
    ],
    ids=["box", "sphere", "cylinder", "capsule", "cone", "mesh"],
)
@pytest.mark.parametrize("floor", ["plane", "box", "heightfield", "mesh"])
def test_every_shape_touches_every_ground_at_its_surface(make, shape, half_height, floor):
    """A body that is 2 mm in the ground touches it, one 5 mm above does not."""
    if isinstance(shape, Cone | Mesh):
        body = Link("body", Inertial(1.0, np.eye(3)), (), (Geometry(shape, Pose(), HARD, "hull"),))
    else:
        body = solid("thing", shape).links[0]
    for gap, touching in ((-0.002, True), (0.005, False)):
        thing = Model("thing", (body,), pose=Pose([0.13, 0.07, half_height + gap]))
        engine = make(world_of(_floor(floor), thing), DT)
        engine.watch_contacts = True
        engine.step()
        assert bool(engine.contacts()) == touching


def _floor(kind):
    flat = HeightField(np.zeros((9, 9)), (4.0, 4.0))
    if kind == "heightfield":
        return ground(shape=flat)
    if kind == "mesh":
        box = tessellate(Box((4.0, 4.0, 0.5)))
        return ground(shape=Mesh(box.vertices - [0, 0, 0.25], box.faces))
    if kind == "box":
        model = ground(shape=Box((4.0, 4.0, 0.5)))
        collider = model.links[0].colliders[0]
        low = Geometry(collider.shape, Pose([0, 0, -0.25]), collider.material)
        return Model("ground", (Link("link", colliders=(low,)),), mobility="static")
    return ground()


def test_every_collider_of_a_body_counts_and_keeps_its_name(make):
    foot = Sphere(0.05)
    feet = tuple(
        Geometry(foot, Pose([x, 0.0, -0.2]), HARD, name)
        for x, name in ((-0.3, "rear"), (0.3, "front"))
    )
    link = Link("body", Inertial(2.0, 0.1 * np.eye(3), Pose([0, 0, 0.1])), (), feet)
    engine = make(world_of(ground(), Model("thing", (link,), pose=Pose([0, 0, 0.249]))), DT)
    engine.watch_contacts = True
    engine.step()
    names = {n for c in engine.contacts() for n in (c.first_name, c.second_name)}
    assert names == {"ground", "thing/body/rear", "thing/body/front"}


def test_without_pybullet_the_error_names_the_extra(monkeypatch):
    monkeypatch.setattr("outrider.physics.bullet.made_world.pybullet", None)
    with pytest.raises(PhysicsError, match=r"pip install 'outrider\[bullet\]'"):
        BulletEngine(world_of(ball(1.0)), DT)


def test_bullet_takes_ground_larger_than_one_of_its_shapes(monkeypatch):
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    monkeypatch.setattr(bullet_model, "_FACES_PER_PIECE", 10)
    engine = BulletEngine(world_of(_floor("heightfield"), brick(Pose([1.1, -1.2, 0.06]))), DT)
    for _ in range(200):
        engine.step()
    assert engine.state.bodies["position"][0] == pytest.approx([1.1, -1.2, 0.05], abs=1e-3)


def test_thousands_of_scripted_bodies_find_room_in_the_engine():
    """MuJoCo's own choice of memory counts joints: scripted bodies have none."""
    places = [Pose([2.0 * (i % 60), 2.0 * (i // 60), 1.0]) for i in range(3000)]
    plates = [replace(plate(pose), name=f"plate{i}") for i, pose in enumerate(places)]
    engine = MujocoEngine(world_of(*plates), DT)
    engine.step()
    np.testing.assert_allclose(engine.state.bodies["position"][-1], places[-1].position)
