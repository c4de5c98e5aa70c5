"""Where all parts of models are, from the poses of their roots and the positions of joints."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.vector_kernels import multiply, rotate
from outrider.world.assembly import Assembly
from outrider.world.state import Records, WorldState

LINK = np.dtype(
    [
        ("parent", np.int64),
        ("joint", np.int64),  # -1: a root
        ("slides", np.int64),  # 1: along its axis, 0: it turns about it
        ("axis", np.float64, (3,)),  # a unit vector
        ("position", np.float64, (3,)),  # in the parent, its joint at zero
        ("rotation", np.float64, (4,)),
    ]
)


class ForwardKinematics:
    """Puts what joints carry where these say; velocities of parts are left as they are."""

    def __init__(self, assembly: Assembly) -> None:
        self._links = np.zeros(len(assembly.bodies), LINK)
        for row, body in zip(self._links, assembly.bodies, strict=True):
            row["parent"], row["joint"] = body.parent, body.joint
            row["position"], row["rotation"] = body.pose.position, body.pose.rotation
            if body.joint >= 0:
                joint = assembly.joints[body.joint].joint
                row["slides"] = joint.kind == "prismatic"
                row["axis"] = np.divide(joint.axis, np.linalg.norm(joint.axis))
        self.apply(WorldState.zeros(len(assembly.bodies), len(assembly.joints)))  # it is loaded

    def apply(self, state: WorldState) -> None:
        """Place the parts of all models in a state by its roots and joints."""
        _carry(self._links, state.joints["position"], state.bodies)


@compiled
def _carry(
    links: Records, positions: NDArray[np.float64], bodies: Records
) -> None:  # pragma: no cover - compiled
    for i in range(links.shape[0]):
        link = links[i]
        if link.joint < 0:
            continue
        parent, body, axis = bodies[link.parent], bodies[i], link.axis
        moved = positions[link.joint]
        along = moved if link.slides == 1 else 0.0
        half = 0.0 if link.slides == 1 else 0.5 * moved
        sine = math.sin(half)
        # the joint's frame is the child's: it slides along its own axis
        x, y, z = rotate(link.rotation, (along * axis[0], along * axis[1], along * axis[2]))
        there = (link.position[0] + x, link.position[1] + y, link.position[2] + z)
        x, y, z = rotate(parent.rotation, there)
        body.position[0] = parent.position[0] + x
        body.position[1] = parent.position[1] + y
        body.position[2] = parent.position[2] + z
        turn = (sine * axis[0], sine * axis[1], sine * axis[2], math.cos(half))
        a, b, c, d = multiply(multiply(parent.rotation, link.rotation), turn)
        r = body.rotation
        r[0], r[1], r[2], r[3] = a, b, c, d
