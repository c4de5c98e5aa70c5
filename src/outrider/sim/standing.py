"""How a robot without a height stands on the ground: on the plane below it, then on its wheels."""

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.physics.tyres.kernels import ANGLES
from outrider.scene.ground_pose import place_on_ground
from outrider.scene.scene import Scene
from outrider.sim.sunk_wheels import BELOW, LEAST, ROWS, SINK
from outrider.vehicles.rows import RowMaker, Wheels

_BELOW = ANGLES[np.abs(ANGLES) < BELOW]
_ROWS = np.array(ROWS)
_CLIMBED = 0.5  # radii: who is deeper in something is inside a thing, not on a bump of the ground
_DROP = 0.05  # m: who would come down by more stands on something that the others do not
_REACH = 1.5  # radii to look for the ground


def stand(scene: Scene, rows: RowMaker, asked: Pose) -> Pose:
    """Return a pose at the same x, y and heading, on the ground.

    The plane is that of the ground under the footprint. Where it leaves a wheel in a bump that it
    knows nothing of, the robot is put on its wheels instead: it would be thrown off the bump.
    """
    height, footprint = rows.stance
    pose = place_on_ground(scene, asked, footprint, height)
    wheels = rows.wheels
    if scene.static is None or not len(wheels.radius):
        return pose
    depths = _depths(scene, pose, wheels)
    pressed = depths > np.maximum(LEAST, SINK * wheels.radius)  # it would be refused
    if not pressed.any() or (depths > _CLIMBED * wheels.radius).any():
        return pose
    leaning = _leaning(pose, wheels.hubs, depths)
    left = float(_depths(scene, leaning, wheels).max()) - LEAST / 2
    if left > _DROP:
        return pose
    up = matrix_from_quaternion(leaning.rotation)[2, 2]
    return Pose(leaning.position + np.array([0.0, 0.0, max(0.0, left) / up]), leaning.rotation)


def _leaning(pose: Pose, hubs: Array, depths: Array) -> Pose:
    """Return a pose on the plane that fits best to what is below all wheels."""
    terms = np.column_stack([np.ones(len(hubs)), hubs[:, 0], hubs[:, 1]])
    lift, ahead, aside = np.linalg.lstsq(terms, depths, rcond=None)[0].tolist()
    forward, up = np.array([1.0, 0.0, ahead]), np.array([-ahead, -aside, 1.0])
    forward, up = forward / np.linalg.norm(forward), up / np.linalg.norm(up)
    turned = np.eye(4)
    turned[:3, :3] = np.column_stack([forward, np.cross(up, forward), up])
    turned[:3, 3] = matrix_from_quaternion(pose.rotation).T @ [0.0, 0.0, lift]
    return pose @ Pose.from_matrix(turned)


def _depths(scene: Scene, pose: Pose, wheels: Wheels) -> Array:
    """Return how deep each wheel is in the ground; less than 0: how high above it."""
    assert scene.static is not None
    rotation = matrix_from_quaternion(pose.rotation)
    down = np.array([0.0, 0.0, -1.0])
    ahead = np.cross(down, wheels.axles)
    ways = np.cos(_BELOW)[:, None, None] * down + np.sin(_BELOW)[:, None, None] * ahead
    aside = _ROWS[:, None, None] * (wheels.half_width[:, None] * wheels.axles)
    starts = np.broadcast_to((wheels.hubs + aside)[:, None], (len(_ROWS), *ways.shape))
    reach = np.broadcast_to(_REACH * wheels.radius, starts.shape[:-1])
    hits = scene.static.surface.cast(
        pose.apply(starts.reshape(-1, 3)).astype(np.float32),
        (np.broadcast_to(ways, starts.shape).reshape(-1, 3) @ rotation.T).astype(np.float32),
        reach.ravel().astype(np.float32),
    )
    met = np.where(hits.shape >= 0, hits.distance, reach.ravel()).reshape(reach.shape)
    depths: Array = (wheels.radius - met).max(axis=(0, 1))
    return depths
