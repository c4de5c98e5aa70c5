"""Impacts and sliding on MuJoCo, whose contacts are springs: corrected within a step.

A spring needs many steps for a bounce, and the depth at which a step finds the contact adds to it
or takes from it. So a contact that is hit is told to leave with its restitution times the speed it
was hit with, as Newton's law says, whatever mass and step; one that leaves is let go, unless a
motor or a push turns it round within the step; and one that is hardly hit stays the spring it is,
so that things come to rest. A pair of materials has the geometric mean of their restitutions.

Where something slides, MuJoCo's contact aims to stop it at once, and what friction cannot hold
lifts the body instead: fast bricks hop. So friction aims at little more than it can reach. But a
contact that is hardly hit while another stops the same body in an impact must not hold on to its
slide, for that would speed the body up: its friction aims to stop it.
"""

import math

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.frames import Array

IMPEDANCE = 0.999  # how strictly MuJoCo keeps to what a bouncing contact is told
_SOFTEST = 0.05  # m/s; what hits, leaves or slides slower is left to MuJoCo
_OUT, _FASTEST = 30.0, 0.15  # 1/s and m/s: how fast what is deep may be pushed out: a hop of 1 mm
_HARD = 1.0  # m/s: an impact that other contacts of the same body must allow for
_GLANCING = 0.5  # of the hardest impact: a contact that is hit less is not the one that stops it
_MOST_SLOWING = 4.0  # of what friction under the own weight reaches; a rolling ball needs 3.5
_LEAST_WEIGHT = 10.0  # m/s^2, where there is no gravity

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class Restitution:
    """What the contacts of a model need to know; made once."""

    def __init__(self, model: mujoco.MjModel, restitutions: Array) -> None:
        self._restitutions = restitutions
        self._bodies = np.ascontiguousarray(model.geom_bodyid)
        self._roots = np.ascontiguousarray(model.body_rootid[model.geom_bodyid])
        self._impacts = np.zeros(model.nbody)  # the hardest on each tree of bodies, m/s
        self._loose = (model.body_weldid[model.geom_bodyid] > 0).astype(np.int32)
        self._inverse_weights = model.body_invweight0.copy()
        self._gravity = model.opt.gravity.copy()
        self._step_s = float(model.opt.timestep)

    def tell(self, data: mujoco.MjData) -> None:
        """Set what fast contacts aim at; call between the two halves of a step."""
        velocity = data.efc_vel
        if velocity.max() < _SOFTEST and velocity.min() > -_SOFTEST:
            return
        contact = data.contact
        _correct(
            geoms=contact.geom,
            addresses=contact.efc_address,
            sizes=contact.dim,
            distances=contact.dist,
            frames=contact.frame,
            points=contact.pos,
            frictions=contact.friction,
            velocity=velocity,
            aim=data.efc_aref,
            centres=data.xipos,
            bodies=self._bodies,
            roots=self._roots,
            impacts=self._impacts,
            inverse_weights=self._inverse_weights,
            restitutions=self._restitutions,
            loose=self._loose,
            gravity=self._gravity,
            dt=self._step_s,
        )


@compiled
def _correct(
    geoms: Ints,
    addresses: Ints,
    sizes: Ints,
    distances: Floats,
    frames: Floats,
    points: Floats,
    frictions: Floats,
    velocity: Floats,
    aim: Floats,
    centres: Floats,
    bodies: Ints,
    roots: Ints,
    impacts: Floats,
    inverse_weights: Floats,
    restitutions: Floats,
    loose: Ints,
    gravity: Floats,
    dt: float,
) -> None:  # pragma: no cover - compiled
    """Rewrite the rows of fast contacts; a contact's first row is its normal, two are tangents."""
    _find_impacts(geoms, addresses, velocity, roots, impacts)
    weight = max(_LEAST_WEIGHT, math.sqrt((gravity * gravity).sum()))
    for c in range(addresses.shape[0]):
        row, first, second = addresses[c], geoms[c, 0], geoms[c, 1]
        if row < 0:
            continue
        fall = 0.0  # how fast free flight speeds up against the contact
        for k in range(3):
            fall += (loose[first] - loose[second]) * gravity[k] * frames[c, k]
        hit, slowing = -velocity[row], _MOST_SLOWING * weight
        if hit > _SOFTEST + 2.0 * abs(fall) * dt:
            bounce = math.sqrt(restitutions[first] * restitutions[second])
            leave = _leaving_speed(bounce, hit, min(-distances[c], hit * dt), fall, dt)
            aim[row] = slowing = (leave + hit) / (dt * IMPEDANCE)
            if sizes[c] >= 3:
                a, b = bodies[first], bodies[second]
                slowing *= _relative_mobility(
                    frame=frames[c],
                    slide_1=velocity[row + 1],
                    slide_2=velocity[row + 2],
                    point=points[c],
                    centre_1=centres[a],
                    centre_2=centres[b],
                    inverse_weight_1=inverse_weights[a],
                    inverse_weight_2=inverse_weights[b],
                )
        elif -hit > _free_from(distances[c], restitutions[first] * restitutions[second]):
            aim[row] = (hit - max(0.0, distances[c]) / dt) / dt  # unless it is thrown back in
        if sizes[c] >= 3:
            most = frictions[c, 0] * slowing
            impact = max(impacts[roots[first]], impacts[roots[second]])
            if impact > 0.0 and hit < _GLANCING * impact:
                most = np.inf
            _slow_down(velocity, aim, row, most, dt)


@compiled
def _free_from(distance: float, bounce: float) -> float:  # pragma: no cover - compiled
    """Return how fast a contact leaves to be let go, m/s.

    What has come in deep and does not bounce is pushed out faster. Let go at once, two corners of a
    plank would take turns for ever: each push at one of them presses the other one in.
    """
    if bounce > 0.0:
        return _SOFTEST
    return max(_SOFTEST, min(_FASTEST, -_OUT * distance))


@compiled
def _find_impacts(
    geoms: Ints, addresses: Ints, velocity: Floats, roots: Ints, impacts: Floats
) -> None:  # pragma: no cover - compiled
    """Set how hard each tree of bodies is hit; what never moves is hit by nothing."""
    impacts[:] = 0.0
    for c in range(addresses.shape[0]):
        if addresses[c] >= 0 and -velocity[addresses[c]] > _HARD:
            for side in range(2):
                root = roots[geoms[c, side]]
                if root > 0:
                    impacts[root] = max(impacts[root], -velocity[addresses[c]])


@compiled
def _relative_mobility(
    frame: Floats,
    slide_1: float,
    slide_2: float,
    point: Floats,
    centre_1: Floats,
    centre_2: Floats,
    inverse_weight_1: Floats,
    inverse_weight_2: Floats,
) -> float:  # pragma: no cover - compiled
    """Return how much easier a contact is moved along its slide than along its normal, at least 1.

    A push off the centre of mass turns a body as well: a ball's surface gives way 3.5 times as
    easily along itself as into it.
    """
    slide = math.hypot(slide_1, slide_2)
    if slide < _SOFTEST:
        return 1.0
    along = (slide_1 * frame[3:6] + slide_2 * frame[6:9]) / slide
    sideways = _mobility(point - centre_1, along, inverse_weight_1) + _mobility(
        point - centre_2, along, inverse_weight_2
    )
    normal = frame[:3]
    into = _mobility(point - centre_1, normal, inverse_weight_1) + _mobility(
        point - centre_2, normal, inverse_weight_2
    )
    return max(1.0, sideways / into) if into > 0.0 else 1.0


@compiled
def _mobility(arm: Floats, direction: Floats, inverse_weights: Floats) -> float:  # pragma: no cover
    """Return how fast a body's point moves per impulse: inverse mass and inertia are means."""
    turn = (
        (arm[1] * direction[2] - arm[2] * direction[1]) ** 2
        + (arm[2] * direction[0] - arm[0] * direction[2]) ** 2
        + (arm[0] * direction[1] - arm[1] * direction[0]) ** 2
    )
    return inverse_weights[0] + inverse_weights[1] * turn  # type: ignore[no-any-return]


@compiled
def _slow_down(
    velocity: Floats, aim: Floats, row: int, most: float, dt: float
) -> None:  # pragma: no cover - compiled
    """Aim to stop a slide, within a deceleration."""
    slide = math.hypot(velocity[row + 1], velocity[row + 2])
    if slide < _SOFTEST:
        return
    rate = min(1.0 / dt, most / slide)
    aim[row + 1], aim[row + 2] = -rate * velocity[row + 1], -rate * velocity[row + 2]


@compiled
def _leaving_speed(
    bounce: float, hit: float, depth: float, fall: float, dt: float
) -> float:  # pragma: no cover - compiled
    """Return the speed after the impact that throws back as if it had struck at the very surface.

    In flight, semi-implicit steps keep v^2 + 2 fall x - fall dt v, twice the energy at the top; a
    bounce leaves the restitution's square of it.
    """
    energy = max(0.0, hit * hit + fall * dt * hit - 2.0 * fall * depth)
    after = bounce * bounce * energy + 2.0 * fall * depth
    half = 0.5 * fall * dt
    return max(0.0, math.sqrt(max(0.0, half * half + after)) - half)
