"""Models to write, and what must be the same when they are read again."""

from pathlib import Path

import numpy as np

from outrider.core.files.package_files import LIBRARY
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.formats.urdf.read import read_urdf
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.world.assembly import assemble
from outrider.world.materials import Material
from outrider.world.model import Geometry, Inertial, Joint, Light, Link, Model, World
from outrider.world.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    HeightField,
    Mesh,
    Plane,
    Sphere,
)
from outrider.world.tessellate import tessellate

ROBOTS = ("jackal", "husky", "autominy", "create", "tank", "tracked_ugv")


def robot(name: str) -> Model:
    return read_urdf(next((LIBRARY / "robots" / name).glob("*.urdf")))


def library_world(name: str) -> World:
    return build_world(load_world_spec(name))


def awkward() -> Model:
    """Return a model with numbers, angles and names that do not print nicely."""
    red = Material(name="paint", colour=(0.9, 0.1, 1 / 3, 1.0))
    blue = Material(name="paint", colour=(0.1, 0.1, 0.7, 0.5))
    rubber = Material(friction=1.1, stiffness=2.5e5, damping=333.0)
    tensor = np.array([[0.31, 0.011, -0.02], [0.011, 0.42, 0.003], [-0.02, 0.003, 0.53]])
    lean = Pose.from_rpy([0.1, 1 / 3, -0.7], [0.2, np.pi / 2, -0.9])  # gimbal lock
    mesh = tessellate(Cone(0.2, 0.5), 12)
    body = Link(
        "body & base",
        Inertial(np.pi, tensor, Pose.from_rpy([0.01, -0.02, 1e-7], [0.3, -0.2, 1.1])),
        (Geometry(Box((0.3, 0.2, 0.1)), lean, red, "hull"), Geometry(mesh, Pose(), blue)),
        (Geometry(Box((0.3, 0.2, 0.1)), lean, rubber), Geometry(Sphere(0.1), lean, rubber)),
    )
    arm = Link(
        "arm",
        Inertial(0.1, np.diag([1e-4, 2e-4, 2.5e-4])),
        (Geometry(Capsule(0.02, 0.3)),),
        (Geometry(Cylinder(0.02, 0.3)),),
    )
    hand = Link("hand", Inertial(1e-3, 1e-7 * np.eye(3)))
    frame = Link("frame")
    joints = (
        Joint("turn", "revolute", body.name, "arm", lean, (0.0, 0.6, 0.8), -1.1, 2 / 3, 0.07, 0.3),
        Joint(
            "slide", "prismatic", "arm", "hand", Pose(np.array([0, 0, 1 / 7])), (0, 0, 1), 0, 0.2
        ),
        Joint("mount", "fixed", "arm", "frame", Pose.from_rpy([0, 0.1, 0], [1, -np.pi / 2, 0.1])),
    )
    return Model("awkward", (body, arm, hand, frame), joints)


def little_world(texture: str = "") -> World:
    """Return a world of every shape and mobility, tilted and nested."""
    rough = np.random.default_rng(5).normal(0, 0.2, (12, 9))
    ground = HeightField(rough, (20.0, 15.0))
    grass = Material(name="grass", friction=0.6, colour=(0.2, 0.5, 0.2, 1.0))
    picture = Material(name="poster", colour=(1.0, 1.0, 1.0, 1.0), texture=texture)
    quad = Mesh(
        np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1.0]]),
        np.array([[0, 1, 2], [0, 2, 3]]),
        uv=np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]),
    )
    field = Geometry(ground, Pose(), grass)
    cone = Geometry(Cone(0.3, 0.6), Pose(), Material(colour=(1.0, 0.4, 0.0, 1.0)))
    inertial = Inertial(2.5, np.diag([0.1, 0.11, 0.12]))
    inner = Model("lamp", (Link("bulb", inertial, (Geometry(Sphere(0.1)),)),), (), Pose(np.ones(3)))
    return World(
        "little",
        (
            Model("ground", (Link("link", None, (field,), (field,)),), mobility="static"),
            Model(
                "floor",
                (Link("link", None, (Geometry(Plane(30.0)),)),),
                mobility="static",
                pose=Pose(np.array([0, 0, -3.0])),
            ),
            Model(
                "poster",
                (Link("link", None, (Geometry(quad, Pose(), picture),)),),
                mobility="static",
                pose=Pose.from_rpy([1, 2, 3], [0.1, 0.2, 0.3]),
            ),
            Model(
                "cone",
                (Link("link", inertial, (cone,), (cone,)),),
                (),
                Pose.from_rpy([1.5, -2.0, 0.9], [0.4, 0.0, 1.0]),
                children=(inner,),
            ),
            Model(
                "shuttle",
                (Link("link", None, (Geometry(Box((1, 1, 1))),)),),
                (),
                Pose(np.array([4.0, 0, 2.0])),
                "scripted",
            ),
        ),
        (0.1, 0.0, -1.62),
        start=Pose.from_rpy([1.0, 2.0, 0.3], [0.0, 0.0, 0.7]),
        lights=(
            Light("sun", direction=(0.3, 0.2, -0.9), intensity=0.7, cast_shadows=False),
            Light("bulb", "point", (1.0, 2.0, 3.0), colour=(1.0, 0.5, 0.25), range=12.0),
        ),
    )


def links_of(world: World | Model) -> dict[str, tuple[Array, float, Array]]:
    """Return each link's place in the world, mass, and inertia in its own axes."""
    if isinstance(world, Model):
        world = World("one", (world,))
    frames = assemble(world).frames
    poses = {body: _root_pose(world, body) for body in frames}
    found = {}
    for name, link in _links(world.models, ""):
        inertial = link.inertial or Inertial(0.0, np.zeros((3, 3)))
        turn = matrix_from_quaternion(inertial.pose.rotation)
        moments = turn @ inertial.inertia @ turn.T
        centre = inertial.pose.position if link.inertial else np.zeros(3)
        found[name] = (poses[name].matrix, inertial.mass, np.vstack([moments, centre]))
    return found


def _links(models: tuple[Model, ...], prefix: str) -> list[tuple[str, Link]]:
    return [
        item
        for model in models
        for item in (
            *((f"{prefix}{model.name}/{link.name}", link) for link in model.links),
            *_links(model.children, f"{prefix}{model.name}/"),
        )
    ]


def _root_pose(world: World, name: str) -> Pose:
    """Return a link's pose in the world, all joints at zero."""
    assembly = assemble(world)
    frame = assembly.frame(name)
    pose, body = frame.T_body_link, frame.body
    while body >= 0:
        pose = assembly.bodies[body].pose @ pose
        body = assembly.bodies[body].parent
    return pose


def assert_same_links(got: World | Model, want: World | Model, tolerance: float = 1e-9) -> None:
    """Compare frames, masses and inertias of all links by name."""
    mine, theirs = links_of(got), links_of(want)
    assert mine.keys() == theirs.keys()
    for name, (frame, mass, inertia) in theirs.items():
        np.testing.assert_allclose(mine[name][0], frame, atol=tolerance, err_msg=name)
        assert abs(mine[name][1] - mass) <= tolerance * max(1.0, mass), name
        np.testing.assert_allclose(mine[name][2], inertia, atol=tolerance, err_msg=name)


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
