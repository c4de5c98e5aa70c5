"""The way-point task as PyBullet's users build it: the same robot, obstacles, rays and rates."""

import math
from typing import Any

import numpy as np

from outrider.core.frames import Array
from outrider.scene.triangles import triangles
from outrider.sim.simulation import Simulation

_CHASSIS, _MASS = [0.21, 0.16, 0.06], 16.5  # half sizes (m) and kg: a Jackal's
_WHEELS = [(x, y) for x in (0.131, -0.131) for y in (0.188, -0.188)]
_RADIUS, _WIDTH, _WHEEL_MASS = 0.098, 0.04, 0.477
_START = [0.0, 0.0, 0.16]
_HALF_TRACK = 0.376 * 1.5 / 2
_ON_SIDE = [math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)]
_SEE_FROM, _SEE_TO, _HEIGHT = 0.3, 10.0, 0.3  # m


class BulletWaypoints:
    """A differential drive between the obstacles of a simulation's world; its ground is a plane."""

    def __init__(self, simulation: Simulation, rays: int, step_s: float, control_hz: float) -> None:
        """Build it, or raise ImportError where PyBullet is missing."""
        import pybullet

        self._bullet: Any = pybullet
        self._client = pybullet.connect(pybullet.DIRECT)
        self._call("setGravity", 0, 0, -9.81)
        self._call("setTimeStep", step_s)
        self._steps = round(1.0 / control_hz / step_s)
        self._angle = np.linspace(0, 2 * math.pi, rays, endpoint=False)
        self._add_place(simulation)
        self._robot = self._add_robot()

    def reset(self) -> None:
        """Put the robot back to the start, at rest."""
        place = _START, [0.0, 0.0, 0.0, 1.0]
        self._call("resetBasePositionAndOrientation", self._robot, *place)
        self._call("resetBaseVelocity", self._robot, [0, 0, 0], [0, 0, 0])

    def step(self, action: Array) -> tuple[Array, object, bool]:
        """Drive for one period of control; return a scan, speeds, and whether it has collided."""
        turn = 1.5 * action[1] * _HALF_TRACK
        sides = [(action[0] + side * turn) / _RADIUS for side in (1, -1)]  # right, left
        speeds = [sides[int(y > 0)] for _, y in _WHEELS]
        self._call(
            "setJointMotorControlArray",
            self._robot,
            list(range(4)),
            self._bullet.VELOCITY_CONTROL,
            targetVelocities=speeds,
            forces=[10.0] * 4,
        )
        for _ in range(self._steps):
            self._call("stepSimulation")
        touching = self._call("getContactPoints", self._robot, self._things)
        return self._scan(), self._call("getBaseVelocity", self._robot), bool(touching)

    def close(self) -> None:
        """End it."""
        self._call("disconnect")

    def _scan(self) -> Array:
        place, turned = self._call("getBasePositionAndOrientation", self._robot)
        angle = self._angle + self._bullet.getEulerFromQuaternion(turned)[2]
        ways = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(len(angle))])
        eye = np.array(place) + np.array([0.0, 0.0, _HEIGHT])
        ends = eye + _SEE_FROM * ways, eye + _SEE_TO * ways
        hits = self._call("rayTestBatch", *ends, numThreads=1)
        return np.array([hit[2] for hit in hits])

    def _add_place(self, simulation: Simulation) -> None:
        """Add the ground, and one mesh of everything that stands on it."""
        ground = self._call("createCollisionShape", self._bullet.GEOM_PLANE)
        self._call("createMultiBody", 0, ground)
        vertices, faces = _obstacles(simulation)
        shape = self._call(
            "createCollisionShape",
            self._bullet.GEOM_MESH,
            vertices=vertices.tolist(),
            indices=faces.ravel().tolist(),
            flags=self._bullet.GEOM_FORCE_CONCAVE_TRIMESH,
        )
        self._things = self._call("createMultiBody", 0, shape)

    def _add_robot(self) -> int:
        bullet = self._bullet
        box = self._call("createCollisionShape", bullet.GEOM_BOX, halfExtents=_CHASSIS)
        size = {"radius": _RADIUS, "height": _WIDTH}
        wheel = self._call("createCollisionShape", bullet.GEOM_CYLINDER, **size)
        robot: int = self._call(
            "createMultiBody",
            _MASS,
            box,
            basePosition=_START,
            linkMasses=[_WHEEL_MASS] * 4,
            linkCollisionShapeIndices=[wheel] * 4,
            linkVisualShapeIndices=[-1] * 4,
            linkPositions=[[x, y, -0.05] for x, y in _WHEELS],
            linkOrientations=[_ON_SIDE] * 4,
            linkInertialFramePositions=[[0, 0, 0]] * 4,
            linkInertialFrameOrientations=[[0, 0, 0, 1]] * 4,
            linkParentIndices=[0] * 4,
            linkJointTypes=[bullet.JOINT_REVOLUTE] * 4,
            linkJointAxis=[[0, 0, -1]] * 4,
        )
        for wheel_number in range(4):
            self._call("changeDynamics", robot, wheel_number, lateralFriction=0.9)
        return robot

    def _call(self, name: str, *values: Any, **more: Any) -> Any:
        return getattr(self._bullet, name)(*values, **more, physicsClientId=self._client)


def _obstacles(simulation: Simulation) -> tuple[Array, Any]:
    static = simulation.rig.scene.static
    assert static is not None, "the world has a ground"
    vertices, faces, count = [], [], 0
    for geometry, name in zip(static.surface.geometry, static.names, strict=True):
        if not name.startswith("ground"):
            mesh = triangles(geometry.shape, 0.005)
            vertices.append(geometry.pose.apply(np.asarray(mesh.vertices, np.float64)))
            faces.append(np.asarray(mesh.faces) + count)
            count += len(vertices[-1])
    return np.concatenate(vertices), np.concatenate(faces)
