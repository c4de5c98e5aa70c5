"""Services that read and set the state of models and apply forces."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np

from outrider.core.clock import to_ns, to_s
from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.loader.save import save_world
from outrider.messages.services import replies, requests
from outrider.messages.services.reading import Handler, Preparing, Rest
from outrider.messages.store import register
from outrider.scenarios.build import world_spec
from outrider.scenarios.services.model_state import (
    Motion,
    everything_back,
    frame_name,
    let_go,
    motion_at,
    motion_of,
    moving_model,
    placement,
    robots_back,
    slashed,
    to_frame,
    unit,
)
from outrider.scenarios.session.changes import Move
from outrider.scenarios.session.placing import place_if_free
from outrider.scenarios.session.session import Session
from outrider.scenarios.session.spawning import prepared_spawn
from outrider.sim.external_forces import ExternalForce, check_push
from outrider.sim.simulation import Simulation
from outrider.sim.start_poses import check_placed, check_places
from outrider.specs.world import PoseSpec
from outrider.world.assembly import WORLD
from outrider.world.state import Placement

_FOR_EVER_NS = 2**62
_FARTHEST_JOINT = 1e6  # rad or m: beyond, a wheel's angle has no digits left
_ITS_START = "that is where it began: move or remove what is there now"
_OTHER_ANGLES = "give its joints other positions, or move it first"
Changing: TypeAlias = Callable[[Callable[[], Callable[[], Simulation]]], Simulation]


def control_handlers(session: Session, change: Changing) -> dict[str, Handler]:
    """Return the handlers of the services for states and forces.

    ``change`` carries out what is prepared beside the loop.
    """
    control = _Control(session)
    return {
        "list_models": lambda _: replies.ModelNames(control.models()),
        "get_state": control.get_state,
        "get_states": lambda _: control.get_states(),
        "set_state": lambda request: control.set_state(request, change),
        "set_joints": control.set_joints,
        "apply_wrench": control.apply_wrench,
        "clear_wrenches": control.clear_wrenches,
        "model_properties": control.model_properties,
        "world_properties": lambda _: control.world_properties(),
        "physics_properties": lambda _: control.physics_properties(),
        "reset_world": lambda _: control.reset_world(),
        "put_back": control.put_back,
        "list_components": lambda _: control.list_components(),
        "reload_components": lambda _: control.reload_components(),
    }


def preparing_control(session: Session, *, of_client: bool = False) -> dict[str, Preparing]:
    """Return those that take longer: prepared beside the loop; what is ``of_client`` is bounded."""
    control = _Control(session)
    return {
        "spawn": lambda request: prepared_spawn(session, request, of_client=of_client),
        "save_world": lambda request: _known(control.save_world(request)),
        "register_type": lambda request: _known(_register_type(request)),
    }


T = TypeVar("T")


def _known(reply: T) -> Callable[[], T]:
    """Return a reply to what needs nothing from the loop."""
    return lambda: reply


class _Control:
    """The services' work, between two steps."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def models(self) -> list[str]:
        """Return the names of all models, the ground among them."""
        return [model.name for model in self._session.simulation.rig.assembly.world.models]

    def get_state(self, request: requests.StateQuery) -> replies.StateNow:
        """Return the pose and velocity of a model or link, relative to another if one is named."""
        simulation = self._session.simulation
        found = motion_of(simulation, slashed(request.name))
        if frame := frame_name(request.frame):
            found = to_frame(found, motion_of(simulation, frame))
        said = _said(found)
        return replies.StateNow(
            position=said.position,
            orientation=said.orientation,
            velocity=said.velocity,
            angular_velocity=said.angular_velocity,
            time_s=simulation.time_s,
        )

    def get_states(self) -> Rest:
        """Return the states of all models and links, worked out while the loop goes on."""
        simulation = self._session.simulation
        assembly, bodies = simulation.rig.assembly, simulation.state.bodies.copy()
        time_s = simulation.time_s

        def said() -> replies.StatesNow:
            links = {name: _said(motion_at(f, bodies)) for name, f in assembly.frames.items()}
            models = {m.name: links[f"{m.name}/{m.roots[0].name}"] for m in assembly.world.models}
            return replies.StatesNow(time_s, models, links)

        return Rest(said)

    def list_components(self) -> replies.ComponentList:
        """Return what the components are, and which of them have failed."""
        members = self._session.simulation.components
        found = [
            replies.ComponentStatus(m.name, m.plan.class_name, m.handle.on, m.fault)
            for m in members
        ]
        return replies.ComponentList(found)

    def reload_components(self) -> replies.Reloaded:
        """Read the files of components anew."""
        simulation = self._session.simulation
        return replies.Reloaded(simulation.reload_components(), simulation.time_s)

    def set_state(self, request: requests.StateChange, change: Changing) -> replies.DoneAt | Rest:
        """Set the pose and velocity of a model or link; what is omitted does not change."""
        simulation, name = self._session.simulation, slashed(request.name)
        now = motion_of(simulation, name)
        frame = frame_name(request.frame)
        base = motion_of(simulation, frame) if frame else Motion.still()
        if frame:
            now = to_frame(now, base)
        pose = Pose(
            _given(request.position, now.pose.position),
            unit(_given(request.orientation, now.pose.rotation)),
        )
        velocity = _given(request.velocity, now.velocity)
        turning = _given(request.angular_velocity, now.angular_velocity)
        asked = Motion(pose, velocity, turning).seen_through(base)
        if self._put(name, asked):
            return replies.DoneAt(simulation.time_s)
        move = Move(name, PoseSpec.of(asked.pose))  # what never moves must be built anew

        def built() -> replies.DoneAt:
            return replies.DoneAt(change(lambda: self._session.prepared(move)).time_s)

        return Rest(built)

    def _put(self, name: str, asked: Motion) -> bool:
        """Put something there unless it is inside something then; False: it must be built anew."""
        simulation = self._session.simulation
        placed, model = placement(simulation, name, asked), moving_model(simulation, name)
        if placed is None or model is None:
            return False
        if asked.is_at(motion_of(simulation, name).pose):
            simulation.rig.engine.place_all(placed)  # who stays was there before
        else:
            place_if_free(
                simulation,
                lambda places: places.place_all(placed),
                lambda trial: check_placed(trial, model, "needed"),
            )
        let_go(simulation, placed)
        return True

    def set_joints(self, request: requests.JointAngles) -> replies.DoneAt:
        """Turn joints of a model to angles (or lengths), at rest."""
        simulation = self._session.simulation
        rig, model = simulation.rig, request.model
        names = [f"{model}/{name}" for name in request.joints]
        rows = np.array([rig.assembly.joint_index(name) for name in names], np.intp)
        angles = np.array(list(request.joints.values()))
        if not (np.abs(angles) <= _FARTHEST_JOINT).all():
            raise ConfigError(
                f"set_joints: joints of '{model}': expected at most"
                f" {_FARTHEST_JOINT:g} rad or m, got {np.abs(angles).max():g}"
            )
        place_if_free(
            simulation,
            lambda places: places.set_joints(rows, angles, np.zeros(len(rows))),
            lambda trial: check_places(trial, {model}, _OTHER_ANGLES, "needed"),
        )
        rig.hold(rows, angles)
        return replies.DoneAt(simulation.time_s)

    def apply_wrench(self, request: requests.WrenchFor) -> replies.Pushed:
        """Push a link for a while: force and torque in world axes, at its centre of mass."""
        simulation = self._session.simulation
        link = self._link(slashed(request.body))
        frame = simulation.rig.assembly.frame(link)
        if frame.body == WORLD:
            raise ConfigError(f"'{link}' is static and cannot be pushed")
        force, torque = np.array(request.force), np.array(request.torque)
        if name := frame_name(request.frame):
            turn = matrix_from_quaternion(motion_of(simulation, name).pose.rotation)
            force, torque = turn @ force, turn @ torque
        point = simulation.rig.assembly.bodies[frame.body].inertial.pose.position
        if request.point is not None:
            point = frame.T_body_link.apply(np.array(request.point)[None])[0]
        start_ns = max(simulation.time_ns, to_ns(request.start_s))
        lasts_s = request.duration_s
        end_ns = _FOR_EVER_NS if lasts_s < 0 else start_ns + to_ns(lasts_s)
        push = ExternalForce(link, force, torque, point, start_ns=start_ns, end_ns=end_ns)
        check_push(push, simulation.rig, frame.body)
        simulation.pushes.add(push)
        return replies.Pushed(to_s(start_ns), None if lasts_s < 0 else to_s(end_ns))

    def clear_wrenches(self, request: requests.BodyName) -> replies.Cleared:
        """Push a link no longer; without a name, nothing."""
        link = self._link(slashed(request.body)) if request.body else ""
        return replies.Cleared(self._session.simulation.pushes.clear(link))

    def model_properties(self, request: requests.ThingName) -> replies.ModelProperties:
        """Return the links, joints and colliders of a model."""
        models = {m.name: m for m in self._session.simulation.rig.assembly.world.models}
        if request.name not in models:
            hint = near_match(request.name, models)
            raise ConfigError(f"there is no model '{request.name}'{hint}")
        model = models[request.name]
        return replies.ModelProperties(
            links=[link.name for link in model.links],
            joints=[joint.name for joint in model.joints if joint.kind != "fixed"],
            colliders=[g.name or link.name for link in model.links for g in link.colliders],
            static=model.mobility == "static",
        )

    def world_properties(self) -> replies.WorldProperties:
        """Return the contents of the world."""
        simulation = self._session.simulation
        name = simulation.rig.assembly.world.name
        return replies.WorldProperties(simulation.time_s, name, self.models())

    def physics_properties(self) -> replies.PhysicsProperties:
        """Return the physics settings."""
        rig = self._session.simulation.rig
        x, y, z = rig.assembly.world.gravity
        return replies.PhysicsProperties(
            rig.step_s, (x, y, z), self._session.scenario.physics.engine
        )

    def reset_world(self) -> replies.DoneAt:
        """Carry everything back to where it started; time and odometry continue."""
        simulation = self._session.simulation
        self._carry_back(everything_back(simulation), simulation.robots)
        for vehicle in simulation.rig.vehicles:
            simulation.park(vehicle)
        return replies.DoneAt(simulation.time_s)

    def put_back(self, request: requests.RobotName) -> replies.DoneAt:
        """Carry one robot or all back to their starts, and let their odometry begin anew."""
        simulation = self._session.simulation
        vehicles = {vehicle.name: vehicle for vehicle in simulation.rig.vehicles}
        if request.name and request.name not in vehicles:
            hint = near_match(request.name, vehicles)
            raise ConfigError(f"put_back: name: there is no robot '{request.name}'{hint}")
        names = {request.name} if request.name else set(vehicles)
        chosen = [vehicles[name] for name in sorted(names)]
        self._carry_back(robots_back(simulation, chosen), names)
        for vehicle in chosen:
            simulation.park(vehicle)
            vehicle.odometry.restart()
        return replies.DoneAt(simulation.time_s)

    def _carry_back(self, placed: Placement, robots: Collection[str]) -> None:
        """Put all where it started, unless the starts of robots are not free any more."""
        place_if_free(
            self._session.simulation,
            lambda places: places.place_all(placed),
            lambda trial: check_places(trial, robots, _ITS_START),
        )

    def save_world(self, request: requests.FileName) -> replies.FileWritten:
        """Write the world, with everything that was added, to a file."""
        written = save_world(world_spec(self._session.scenario), Path(request.file))
        return replies.FileWritten(str(written.resolve()))

    def _link(self, name: str) -> str:
        """Return a link's full name; a model's name means its root link."""
        assembly = self._session.simulation.rig.assembly
        if name in assembly.models and name not in assembly.frames:
            return assembly.bodies[assembly.root(name)].name
        assembly.frame(name)  # says so if there is none
        return name


def _register_type(request: requests.TypeText) -> replies.Registered:
    """Make a message type of .msg text known, for topics that are to carry it."""
    return replies.Registered(register(request.name, request.text).__msgtype__)


def _given(value: requests.Vector | requests.Quaternion | None, default: Array) -> Array:
    return default if value is None else np.array(value)


def _said(motion: Motion) -> replies.MotionState:
    return replies.MotionState(
        position=motion.pose.position.tolist(),
        orientation=motion.pose.rotation.tolist(),
        velocity=motion.velocity.tolist(),
        angular_velocity=motion.angular_velocity.tolist(),
    )
