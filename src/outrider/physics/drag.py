"""Drag of the air on models: half the density times area, coefficient and speed squared.

A model's area is that of the ellipsoid in the box around it, times Hoerner's coefficient of a cube
(1.05); of a single ball it is the ball's own, times 0.47. It acts at the centre of mass of the
model's first body, without a torque.
"""

import numpy as np

from outrider.core.compiled import compiled
from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Array
from outrider.core.vector_kernels import cross, rotate, rotate_back
from outrider.physics.engine import PhysicsEngine
from outrider.weather.atmosphere import DENSITY_EXPONENT, LAPSE_K_M
from outrider.world.assembly import Assembly, felt
from outrider.world.model import Geometry
from outrider.world.shapes import Sphere
from outrider.world.state import Records
from outrider.world.tessellate import tessellate

BOX_COEFFICIENT, BALL_COEFFICIENT = 1.05, 0.47

DRAG = np.dtype(
    [
        ("body", np.int64),
        ("mass", np.float64),
        ("centre", np.float64, (3,)),  # of mass, in the body's frame
        ("area", np.float64, (3,)),  # m^2 along the body's axes, times the coefficient
    ]
)


class Drag:
    """All models that the air holds back."""

    def __init__(self, assembly: Assembly, areas: dict[str, float]) -> None:
        """``areas`` are those of some models by name, times their coefficient."""
        for name in areas:
            if name not in assembly.models:
                hint = near_match(name, assembly.models)
                raise ConfigError(f"weather: drag_areas: there is no model '{name}'{hint}")
        moving = [i for i, b in enumerate(assembly.bodies) if b.mobility == "dynamic"]
        roots = [i for i in moving if assembly.bodies[i].joint == -1]
        self.rows = np.zeros(len(roots), DRAG)
        for row, root in zip(self.rows, roots, strict=True):
            body = assembly.bodies[root]
            own = [b for b in assembly.bodies if b.model == body.model]
            row["body"], row["mass"] = root, sum(b.inertial.mass for b in own)
            row["centre"] = body.inertial.pose.position
            name = assembly.models[body.model]
            row["area"] = areas.get(name, _drag_area(assembly, root))

    def apply(
        self, engine: PhysicsEngine, wind: Array, air: tuple[float, float], dt: float
    ) -> None:
        """Add this step's forces; ``air`` is density and temperature (K) at z = 0."""
        _apply(self.rows, engine.state.bodies, wind, *air, dt, engine.loads.bodies)


def _drag_area(assembly: Assembly, root: int) -> Array:
    """Return area times coefficient along the axes of a model's first body."""
    own = [i for i, b in enumerate(assembly.bodies) if b.model == assembly.bodies[root].model]
    parts = [g for i in own for g in felt(assembly.bodies[i])]
    if len(parts) == 1 and isinstance(parts[0].shape, Sphere):
        return np.full(3, BALL_COEFFICIENT * np.pi * parts[0].shape.radius ** 2)
    corners = [c for i in own for c in _corners(assembly, i, root)]
    if not corners:
        return np.zeros(3)
    points = np.concatenate(corners)
    x, y, z = points.max(axis=0) - points.min(axis=0)
    return BOX_COEFFICIENT * np.array([y * z, x * z, x * y])


def _corners(assembly: Assembly, body: int, root: int) -> list[Array]:
    """Return the vertices of a body in the frame of its model's first one, at the start."""

    def placed(geometry: Geometry) -> Array:
        points = geometry.pose.apply(tessellate(geometry.shape).vertices)
        at = body
        while at != root:
            points, at = assembly.bodies[at].pose.apply(points), assembly.bodies[at].parent
        return np.asarray(points)

    return [placed(geometry) for geometry in felt(assembly.bodies[body])]


@compiled
def _apply(
    rows: Records,
    bodies: Records,
    wind: Array,
    density: float,
    kelvin: float,
    dt: float,
    loads: Records,
) -> None:  # pragma: no cover - compiled
    for i in range(rows.shape[0]):
        row, body, load = rows[i], bodies[rows[i].body], loads[rows[i].body]
        arm = rotate(body.rotation, row.centre)
        spin = cross(body.angular_velocity, arm)
        flow = (
            wind[0] - body.velocity[0] - spin[0],
            wind[1] - body.velocity[1] - spin[1],
            wind[2] - body.velocity[2] - spin[2],
        )
        own = rotate_back(body.rotation, flow)  # in the body's axes
        strength = 0.0  # area times speed
        for k in range(3):
            strength += (row.area[k] * own[k]) ** 2
        warmth = max(0.1, 1.0 - LAPSE_K_M * body.position[2] / kelvin)
        pull = 0.5 * density * warmth**DENSITY_EXPONENT * np.sqrt(strength)
        pull /= 1.0 + pull * dt / row.mass  # no more than takes the flow away
        torque = cross(arm, flow)
        for k in range(3):
            load.force[k] += pull * flow[k]
            load.torque[k] += pull * torque[k]
