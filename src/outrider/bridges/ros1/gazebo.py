"""The services and topics of gazebo_ros, for scripts that were written for it."""

import threading
from collections.abc import Callable
from typing import Any, TypeAlias

from outrider.bridges.bridge import Outside
from outrider.bridges.ros1.node import Ros1Node
from outrider.bridges.ros1.outflow import Outflow
from outrider.bridges.ros1.publication import Publication
from outrider.bridges.ros1.types import new, ros1_type, serialize
from outrider.bridges.thinning import Thinning
from outrider.bus.mailbox import Subscription
from outrider.core.errors import OutriderError

Fields: TypeAlias = dict[str, Any]

_LOOK_S = 0.25  # between looks at who listens
_METRICS = "/performance_metrics"
_DONE = {"success": True, "status_message": "done"}


class GazeboServices:
    """Everything under /gazebo: each service is a few lines over the simulation's own."""

    def __init__(self, node: Ros1Node, outside: Outside, flow: Outflow, states_hz: float) -> None:
        """All states are told ``states_hz`` times in a simulated second; 0 is every step."""
        self._outside, self._node = outside, node
        for name, kind, handler in self._services():
            node.serve(f"/gazebo/{name}", kind, handler)
        self._models = node.advertise("/gazebo/model_states", "gazebo_msgs/ModelStates")
        self._links = node.advertise("/gazebo/link_states", "gazebo_msgs/LinkStates")
        metrics = "gazebo_msgs/PerformanceMetrics"
        said = node.advertise("/gazebo/performance_metrics", metrics)
        flow.add(_METRICS, "outrider_msgs/msg/PerformanceMetrics", said)
        node.subscribe("/gazebo/set_model_state", "gazebo_msgs/ModelState", self._told)
        node.subscribe("/gazebo/set_link_state", "gazebo_msgs/LinkState", self._told)
        self._wanted: dict[str, Fields] = {}  # the newest state asked for, by name
        self._thinning = Thinning(states_hz)
        self._clock: Subscription | None = None  # only while somebody listens to states
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="outrider-gazebo", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._closed.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)
        if self._clock is not None:
            self._clock.close()

    def _services(self) -> list[tuple[str, str, Callable[[Any], Fields]]]:
        empty = "std_srvs/Empty"
        return [
            ("pause_physics", empty, lambda _: self._quietly("pause")),
            ("unpause_physics", empty, lambda _: self._quietly("resume")),
            ("reset_simulation", empty, lambda _: self._quietly("reset")),
            ("reset_world", empty, lambda _: self._quietly("reset_world")),
            ("get_model_state", "gazebo_msgs/GetModelState", self._model_state),
            ("set_model_state", "gazebo_msgs/SetModelState", self._set_model_state),
            ("get_link_state", "gazebo_msgs/GetLinkState", self._link_state),
            ("set_link_state", "gazebo_msgs/SetLinkState", self._set_link_state),
            ("set_model_configuration", "gazebo_msgs/SetModelConfiguration", self._configure),
            ("spawn_urdf_model", "gazebo_msgs/SpawnModel", lambda r: self._spawn(r, "urdf")),
            ("spawn_sdf_model", "gazebo_msgs/SpawnModel", lambda r: self._spawn(r, "sdf")),
            ("delete_model", "gazebo_msgs/DeleteModel", self._delete),
            ("apply_body_wrench", "gazebo_msgs/ApplyBodyWrench", self._push),
            ("clear_body_wrenches", "gazebo_msgs/BodyRequest", self._clear),
            ("get_world_properties", "gazebo_msgs/GetWorldProperties", self._world),
            ("get_model_properties", "gazebo_msgs/GetModelProperties", self._model),
            ("get_physics_properties", "gazebo_msgs/GetPhysicsProperties", self._physics),
        ]

    def _ask(self, service: str, **arguments: Any) -> Fields:
        return self._outside.services[service](arguments)

    def _quietly(self, service: str) -> Fields:
        self._ask(service)
        return {}

    def _try(self, service: str, **arguments: Any) -> Fields:
        """Do something, and answer as Gazebo does: whether it went well, and why not."""
        try:
            self._ask(service, **arguments)
        except OutriderError as error:
            return {"success": False, "status_message": str(error)}
        return dict(_DONE)

    def _query(self, service: str, fill: Callable[[Fields], Fields], **arguments: Any) -> Fields:
        try:
            return {**fill(self._ask(service, **arguments)), **_DONE}
        except OutriderError as error:
            return {"success": False, "status_message": str(error)}

    def _model_state(self, request: Any) -> Fields:
        def fill(state: Fields) -> Fields:
            header = new("std_msgs/msg/Header", frame_id=request.relative_entity_name or "world")
            header.stamp.sec, part = divmod(round(state["time_s"] * 1e9), 1_000_000_000)
            header.stamp.nanosec = part
            return {"header": header, "pose": _pose(state), "twist": _twist(state)}

        frame = request.relative_entity_name
        return self._query("get_state", fill, name=request.model_name, frame=frame)

    def _link_state(self, request: Any) -> Fields:
        def fill(state: Fields) -> Fields:
            link = new(
                "gazebo_msgs/msg/LinkState",
                link_name=request.link_name,
                pose=_pose(state),
                twist=_twist(state),
                reference_frame=request.reference_frame or "world",
            )
            return {"link_state": link}

        frame = request.reference_frame
        return self._query("get_state", fill, name=request.link_name, frame=frame)

    def _set_model_state(self, request: Any) -> Fields:
        state = request.model_state
        return self._try("set_state", name=state.model_name, **_asked(state))

    def _set_link_state(self, request: Any) -> Fields:
        state = request.link_state
        return self._try("set_state", name=state.link_name, **_asked(state))

    def _configure(self, request: Any) -> Fields:
        joints = dict(zip(request.joint_names, request.joint_positions.tolist(), strict=False))
        return self._try("set_joints", model=request.model_name, joints=joints)

    def _spawn(self, request: Any, kind: str) -> Fields:
        place, turn = _numbers(request.initial_pose)
        return self._try(
            "spawn",
            name=request.model_name,
            text=request.model_xml,
            format=kind,
            namespace=request.robot_namespace,
            position=place,
            orientation=turn,
        )

    def _delete(self, request: Any) -> Fields:
        return self._try("remove", name=request.model_name)

    def _push(self, request: Any) -> Fields:
        wrench, frame = request.wrench, request.reference_frame
        arguments = {
            "body": request.body_name,
            "force": [wrench.force.x, wrench.force.y, wrench.force.z],
            "torque": [wrench.torque.x, wrench.torque.y, wrench.torque.z],
            "frame": frame,
            "start_s": request.start_time.sec + request.start_time.nanosec * 1e-9,
            "duration_s": request.duration.sec + request.duration.nanosec * 1e-9,
        }
        if frame.replace("::", "/") == request.body_name.replace("::", "/"):
            point = request.reference_point
            arguments["point"] = [point.x, point.y, point.z]
        return self._try("apply_wrench", **arguments)

    def _clear(self, request: Any) -> Fields:
        self._ask("clear_wrenches", body=request.body_name)
        return {}

    def _world(self, _: Any) -> Fields:
        return self._query(
            "world_properties",
            lambda w: {"sim_time": w["time_s"], "model_names": w["models"]},
        )

    def _model(self, request: Any) -> Fields:
        def fill(model: Fields) -> Fields:
            return {
                "canonical_body_name": model["links"][0] if model["links"] else "",
                "body_names": model["links"],
                "geom_names": model["colliders"],
                "joint_names": model["joints"],
                "is_static": model["static"],
            }

        return self._query("model_properties", fill, name=request.model_name)

    def _physics(self, _: Any) -> Fields:
        def fill(physics: Fields) -> Fields:
            status = self._ask("status")
            step_s = physics["step_s"]
            x, y, z = physics["gravity"]
            return {
                "time_step": step_s,
                "pause": status["paused"],
                "max_update_rate": status["speed"] / step_s,
                "gravity": new("geometry_msgs/msg/Vector3", x=x, y=y, z=z),
            }

        return self._query("physics_properties", fill)

    def _told(self, state: Any) -> None:
        """Note the newest state that a topic asks for; a thread of our own carries it out."""
        name = getattr(state, "model_name", "") or getattr(state, "link_name", "")
        with self._lock:
            self._wanted[name] = _asked(state)
        self._wake.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._wake.wait(_LOOK_S)
            self._wake.clear()
            with self._lock:
                wanted, self._wanted = self._wanted, {}
            for name, asked in wanted.items():
                self._try("set_state", name=name, **asked)
            self._look()
            item = self._clock.poll() if self._clock else None
            if item and self._thinning.due(item[0]) and not self._closed.is_set():
                self._say_states()

    def _look(self) -> None:
        """Follow the simulated time while somebody listens."""
        listened = bool(self._models.connections or self._links.connections)
        if listened and self._clock is None:
            bus, wake = self._outside.bus, self._wake
            self._clock = bus.subscribe("/clock", kept="latest", depth=1, wake=wake)
        elif not listened and self._clock is not None:
            self._clock.close()
            self._clock = None

    def _say_states(self) -> None:
        try:
            states = self._ask("get_states")
        except OutriderError:
            return
        _say(self._models, states["models"], lambda name: name)
        _say(self._links, states["links"], lambda name: name.replace("/", "::"))


def _say(publication: Publication, states: dict[str, Fields], called: Callable[[str], str]) -> None:
    if publication.connections:
        kind = ros1_type(publication.kind.name).full
        message = new(
            kind,
            name=[called(name) for name in states],
            pose=[_pose(state) for state in states.values()],
            twist=[_twist(state) for state in states.values()],
        )
        publication.send(serialize(message, kind))


def _asked(state: Any) -> Fields:
    place, turn = _numbers(state.pose)
    linear, angular = state.twist.linear, state.twist.angular
    return {
        "position": place,
        "orientation": turn,
        "velocity": [linear.x, linear.y, linear.z],
        "angular_velocity": [angular.x, angular.y, angular.z],
        "frame": state.reference_frame,
    }


def _numbers(pose: Any) -> tuple[list[float], list[float]]:
    place, turn = pose.position, pose.orientation
    return [place.x, place.y, place.z], [turn.x, turn.y, turn.z, turn.w]


def _pose(state: Fields) -> Any:
    place = dict(zip("xyz", state["position"], strict=True))
    turn = dict(zip("xyzw", state["orientation"], strict=True))
    return new(
        "geometry_msgs/msg/Pose",
        position=new("geometry_msgs/msg/Point", **place),
        orientation=new("geometry_msgs/msg/Quaternion", **turn),
    )


def _twist(state: Fields) -> Any:
    linear = dict(zip("xyz", state["velocity"], strict=True))
    angular = dict(zip("xyz", state["angular_velocity"], strict=True))
    return new(
        "geometry_msgs/msg/Twist",
        linear=new("geometry_msgs/msg/Vector3", **linear),
        angular=new("geometry_msgs/msg/Vector3", **angular),
    )
