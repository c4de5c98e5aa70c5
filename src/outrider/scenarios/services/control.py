"""Asking and telling a running simulation where things are and what pushes them."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from outrider.core.clock import to_ns, to_s
from outrider.core.errors import ConfigError
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.loader.save import save_world
from outrider.messages.store import register
from outrider.scenarios.build import world_spec
from outrider.scenarios.services.arguments import (
    Arguments,
    figure,
    frame_name,
    name_of,
    numbers,
    unit,
    vector,
)
from outrider.scenarios.services.whereabouts import (
    Motion,
    motion_of,
    place,
    put_back_models,
    to_frame,
)
from outrider.scenarios.session.changes import Move
from outrider.scenarios.session.session import Session
from outrider.scenarios.session.spawning import spawn
from outrider.sim.pushes import Push
from outrider.specs.world import PoseSpec
from outrider.world.assembly import WORLD

Service: TypeAlias = Callable[[Arguments], dict[str, Any]]

_FOR_EVER_NS = 2**62


def control_services(session: Session) -> dict[str, Service]:
    """Return the services; positions in m, orientations x y z w, all in the world unless said."""
    control = _Control(session)
    return {
        "list_models": lambda _: {"models": control.models()},
        "get_state": control.get_state,
        "get_states": lambda _: control.get_states(),
        "set_state": control.set_state,
        "set_joints": control.set_joints,
        "apply_wrench": control.apply_wrench,
        "clear_wrenches": control.clear_wrenches,
        "model_properties": control.model_properties,
        "world_properties": lambda _: control.world_properties(),
        "physics_properties": lambda _: control.physics_properties(),
        "reset_world": lambda _: control.reset_world(),
        "spawn": lambda a: spawn(session, a),
        "save_world": control.save_world,
        "register_type": _register_type,
    }


class _Control:
    """The services' work, between two steps."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def models(self) -> list[str]:
        """Return the names of all models, the ground among them."""
        return [model.name for model in self._session.simulation.rig.assembly.world.models]

    def get_state(self, arguments: Arguments) -> dict[str, Any]:
        """Tell where a model or a link is and how it moves, seen from another if one is named."""
        simulation = self._session.simulation
        found = motion_of(simulation, name_of(arguments, "name"))
        if frame := frame_name(arguments):
            found = to_frame(found, motion_of(simulation, frame))
        return {**_plain(found), "time_s": simulation.time_s}

    def get_states(self) -> dict[str, Any]:
        """Tell it of all models and all links."""
        simulation = self._session.simulation
        links = list(simulation.rig.assembly.frames)
        return {
            "time_s": simulation.time_s,
            "models": {n: _plain(motion_of(simulation, n)) for n in self.models()},
            "links": {name: _plain(motion_of(simulation, name)) for name in links},
        }

    def set_state(self, arguments: Arguments) -> dict[str, Any]:
        """Put a model or a link somewhere, moving as told; what is not given stays."""
        simulation, name = self._session.simulation, name_of(arguments, "name")
        now = motion_of(simulation, name)
        frame = frame_name(arguments)
        base = motion_of(simulation, frame) if frame else Motion.still()
        if frame:
            now = to_frame(now, base)
        pose = Pose(
            vector(arguments, "position", now.pose.position),
            unit(vector(arguments, "orientation", now.pose.rotation)),
        )
        velocity = vector(arguments, "velocity", now.velocity)
        turning = vector(arguments, "angular_velocity", now.angular_velocity)
        asked = Motion(pose, velocity, turning).seen_through(base)
        if not place(simulation, name, asked):
            self._session.apply(Move(name, _spec(asked.pose)))
        return {"time_s": simulation.time_s}

    def set_joints(self, arguments: Arguments) -> dict[str, Any]:
        """Turn joints of a model to angles (or lengths), at rest."""
        rig = self._session.simulation.rig
        model, joints = name_of(arguments, "model"), arguments.get("joints")
        if not isinstance(joints, dict) or not joints:
            raise ConfigError(f"joints: expected names with angles, got {joints!r:.60}")
        rows = np.array([rig.assembly.joint_index(f"{model}/{name}") for name in joints], np.intp)
        angles = numbers(list(joints.values()), "joints", len(joints))
        rig.engine.set_joints(rows, angles, np.zeros(len(joints)))
        return {"time_s": self._session.simulation.time_s}

    def apply_wrench(self, arguments: Arguments) -> dict[str, Any]:
        """Push a link for a while: force and torque in world axes, at its centre of mass."""
        simulation = self._session.simulation
        link = self._link(name_of(arguments, "body"))
        frame = simulation.rig.assembly.frame(link)
        if frame.body == WORLD:
            raise ConfigError(f"'{link}' never moves and cannot be pushed")
        force = vector(arguments, "force", np.zeros(3))
        torque = vector(arguments, "torque", np.zeros(3))
        if name := frame_name(arguments):
            turn = matrix_from_quaternion(motion_of(simulation, name).pose.rotation)
            force, torque = turn @ force, turn @ torque
        point = simulation.rig.assembly.bodies[frame.body].inertial.pose.position
        if arguments.get("point") is not None:
            point = frame.T_body_link.apply(vector(arguments, "point", np.zeros(3))[None])[0]
        start_ns = max(simulation.time_ns, to_ns(figure(arguments, "start_s", 0.0)))
        lasts_s = figure(arguments, "duration_s", -1.0)
        end_ns = _FOR_EVER_NS if lasts_s < 0 else start_ns + to_ns(lasts_s)
        simulation.pushes.add(Push(link, force, torque, point, start_ns, end_ns))
        return {"start_s": to_s(start_ns), "end_s": None if lasts_s < 0 else to_s(end_ns)}

    def clear_wrenches(self, arguments: Arguments) -> dict[str, Any]:
        """Push a link no longer; without a name, nothing."""
        body = arguments.get("body")
        link = self._link(name_of(arguments, "body")) if body else ""
        return {"cleared": self._session.simulation.pushes.clear(link)}

    def model_properties(self, arguments: Arguments) -> dict[str, Any]:
        """Tell what a model is made of."""
        name = name_of(arguments, "name")
        models = {m.name: m for m in self._session.simulation.rig.assembly.world.models}
        if name not in models:
            raise ConfigError(f"there is no model '{name}'")
        model = models[name]
        return {
            "links": [link.name for link in model.links],
            "joints": [joint.name for joint in model.joints if joint.kind != "fixed"],
            "colliders": [g.name or link.name for link in model.links for g in link.colliders],
            "static": model.mobility == "static",
        }

    def world_properties(self) -> dict[str, Any]:
        """Tell what is in the world."""
        simulation = self._session.simulation
        world = simulation.rig.assembly.world
        return {"time_s": simulation.time_s, "world": world.name, "models": self.models()}

    def physics_properties(self) -> dict[str, Any]:
        """Tell how the physics is set."""
        simulation = self._session.simulation
        return {
            "step_s": simulation.rig.step_s,
            "gravity": list(simulation.rig.assembly.world.gravity),
            "engine": self._session.scenario.physics.engine,
        }

    def reset_world(self) -> dict[str, Any]:
        """Put everything back where it was at the start; time goes on."""
        put_back_models(self._session.simulation)
        return {"time_s": self._session.simulation.time_s}

    def save_world(self, arguments: Arguments) -> dict[str, Any]:
        """Write the world, with all that was put into it, as a file."""
        path = Path(name_of(arguments, "file"))
        return {"file": str(save_world(world_spec(self._session.scenario), path).resolve())}

    def _link(self, name: str) -> str:
        """Return a link's full name; a model's name stands for its root link."""
        assembly = self._session.simulation.rig.assembly
        if name in assembly.models and name not in assembly.frames:
            return assembly.bodies[assembly.root(name)].name
        assembly.frame(name)  # says so if there is none
        return name


def _register_type(arguments: Arguments) -> dict[str, Any]:
    """Make a message type of .msg text known, for topics that are to carry it."""
    text = arguments.get("text")
    if not isinstance(text, str):
        raise ConfigError(f"text: expected the text of a .msg file, got {text!r:.60}")
    return {"type": register(name_of(arguments, "name"), text).__msgtype__}


def _plain(motion: Motion) -> dict[str, Any]:
    return {
        "position": motion.pose.position.tolist(),
        "orientation": motion.pose.rotation.tolist(),
        "velocity": motion.velocity.tolist(),
        "angular_velocity": motion.angular_velocity.tolist(),
    }


def _spec(pose: Pose) -> PoseSpec:
    x, y, z = pose.position.tolist()
    roll, pitch, yaw = (math.degrees(angle) for angle in pose.rpy.tolist())
    return PoseSpec(x, y, z, roll, pitch, yaw)
