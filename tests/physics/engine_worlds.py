"""Small worlds for tests of engines: single bodies, arms, and the ground they fall on."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.physics.engine import PhysicsEngine
from outrider.world.assembly import Assembly, assemble
from outrider.world.inertia import solid_inertial
from outrider.world.materials import Material
from outrider.world.model import Geometry, Inertial, Joint, Link, Mobility, Model, World
from outrider.world.shapes import Box, Plane, Shape, Sphere

G = 9.80665
WEIGHTLESS = (0.0, 0.0, 0.0)
DOWN = (0.0, 0.0, -G)
HEAVY = 1e6  # kg of what an arm hangs from
HARD = Material(friction=0.8)


def world_of(*models: Model, gravity: tuple[float, float, float] = DOWN) -> Assembly:
    return assemble(World("test", models, gravity=gravity))


def ground(material: Material = HARD, slope_rad: float = 0.0, shape: Shape | None = None) -> Model:
    pose = Pose.from_rpy([0, 0, 0], [0, slope_rad, 0])  # a positive slope falls towards +x
    geometry = Geometry(shape or Plane(), pose, material)
    return Model("ground", (Link("link", colliders=(geometry,)),), mobility="static")


def solid(
    name: str,
    shape: Shape,
    mass: float = 1.0,
    pose: Pose | None = None,
    material: Material = HARD,
    mobility: Mobility = "dynamic",
) -> Model:
    """Return a single body of even density."""
    geometry = Geometry(shape, Pose(), material, "shell")
    link = Link("body", solid_inertial(shape, mass), (), (geometry,))
    return Model(name, (link,), pose=pose or Pose(), mobility=mobility)


def ball(height: float, radius: float = 0.1, mass: float = 2.0, restitution: float = 0.0) -> Model:
    material = Material(restitution=restitution)
    return solid("ball", Sphere(radius), mass, Pose(np.array([0.0, 0.0, height])), material)


def brick(
    pose: Pose, material: Material = HARD, size: tuple[float, float, float] = (0.4, 0.3, 0.1)
) -> Model:
    return solid("brick", Box(size), 2.0, pose, material)


def lopsided(pose: Pose | None = None, name: str = "rock") -> Model:
    """Return a free body whose centre of mass and principal axes are not its frame's."""
    inertial = Inertial(
        3.0, np.diag([0.1, 0.2, 0.25]), Pose.from_rpy([0.1, -0.2, 0.05], [0.4, 0.3, -0.7])
    )
    return Model(name, (Link("body", inertial),), pose=pose or Pose())


def arm(
    joints: Sequence[Joint], inertials: Sequence[Inertial], base: Inertial | None = None
) -> Model:
    """Return links joined one after another, hanging from a base that hardly moves."""
    base = base or Inertial(HEAVY, HEAVY * np.eye(3))
    links = [Link("base", base), *(Link(f"link{i}", part) for i, part in enumerate(inertials))]
    return Model("arm", tuple(links), tuple(joints), pose=Pose(np.array([0.0, 0.0, 5.0])))


def pendulum(length: float = 1.0, **more: Any) -> Model:
    """Return a rod with a bob under a hinge about y, hanging down at zero."""
    bob = Inertial(1.0, np.diag([0.02, 0.03, 0.01]), Pose(np.array([0.0, 0.0, -length])))
    hinge = Joint(
        "hinge", more.pop("kind", "continuous"), "base", "link0", Pose(), (0, 1, 0), **more
    )
    return arm([hinge], [bob])


def hold_base(engine: PhysicsEngine) -> None:
    """Carry the weight of an arm's heavy base for the next step."""
    base = engine.assembly.root("arm")
    mass = engine.assembly.bodies[base].inertial.mass
    engine.loads.bodies["force"][base] -= mass * np.array(engine.assembly.world.gravity)


def angular_momentum(engine: PhysicsEngine, body: int) -> Array:
    """Return a body's angular momentum about its centre of mass, in the world's axes."""
    inertial = engine.assembly.bodies[body].inertial
    state = engine.state.bodies[body]
    turned = matrix_from_quaternion(state["rotation"]) @ matrix_from_quaternion(
        inertial.pose.rotation
    )
    momentum: Array = turned @ inertial.inertia @ turned.T @ state["angular_velocity"]
    return momentum
