"""Frames and mass matrices of a URDF: by MuJoCo's own importer, and by ours from the book."""

import mujoco
import numpy as np
from lxml import etree

from outrider.core.frames import Pose, matrix_from_quaternion, multiply


def import_by_mujoco(text, *, fuse=False):
    """Load a URDF in MuJoCo without its shapes; frames stay apart unless ``fuse``."""
    root = etree.fromstring(text.encode())
    for tag in ("visual", "collision"):
        for element in list(root.iter(tag)):
            element.getparent().remove(element)
    for element in [*root.findall("gazebo"), *root.findall("mujoco")]:
        root.remove(element)
    # a first link with a mass would else become the world itself
    options = {"fusestatic": "true" if fuse else "false", "balanceinertia": "false"}
    etree.SubElement(etree.SubElement(root, "mujoco"), "compiler", options)
    return mujoco.MjModel.from_xml_string(etree.tostring(root).decode())


def frames(model, angles):
    """Return the pose of every link in the root, with joints at the given positions."""
    poses = {model.links[0].name: Pose()}
    for joint in model.joints:
        poses[joint.child] = poses[joint.parent] @ joint.origin @ _motion(joint, angles)
    return poses


def mass_matrix(model, angles):
    """Return M = sum of Jv^T m Jv + Jw^T I Jw over links, joints in the order of the model."""
    poses = frames(model, angles)
    moving = [joint for joint in model.joints if joint.kind != "fixed"]
    M = np.zeros((len(moving), len(moving)))
    for link in model.links:
        if link.inertial is None:
            continue
        place = poses[link.name] @ link.inertial.pose
        R = matrix_from_quaternion(place.rotation)
        Jv, Jw = _jacobian(model, moving, poses, link.name, place.position)
        M += link.inertial.mass * Jv.T @ Jv + Jw.T @ R @ link.inertial.inertia @ R.T @ Jw
    return M


def _motion(joint, angles):
    value, axis = angles.get(joint.name, 0.0), np.array(joint.axis)
    if joint.kind == "fixed":
        return Pose()
    if joint.kind == "prismatic":
        return Pose(axis * value)
    return Pose(np.zeros(3), np.array([*axis * np.sin(value / 2), np.cos(value / 2)]))


def _jacobian(model, moving, poses, link, point):
    Jv, Jw = np.zeros((3, len(moving))), np.zeros((3, len(moving)))
    above = {joint.child: joint for joint in model.joints}
    while link in above:
        joint = above[link]
        if joint.kind != "fixed":
            k = moving.index(joint)
            axis = matrix_from_quaternion(poses[joint.child].rotation) @ np.array(joint.axis)
            if joint.kind == "prismatic":
                Jv[:, k] = axis
            else:
                Jv[:, k] = np.cross(axis, point - poses[joint.child].position)
                Jw[:, k] = axis
        link = joint.parent
    return Jv, Jw


def same_rotation(a, b_wxyz):
    """Return the angle between a quaternion of ours and one of MuJoCo's, as its sine."""
    w, x, y, z = b_wxyz
    return float(np.abs(multiply(a, np.array([-x, -y, -z, w]))[:3]).max())
