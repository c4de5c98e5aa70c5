"""The services of gazebo_ros, for scripts written for it: any bridge may offer them."""

from collections.abc import Callable
from typing import TypeAlias

from outrider.bridges.bridge import Outside
from outrider.core.errors import OutriderError
from outrider.core.structure import Data
from outrider.messages.ros1.types import new
from outrider.messages.types import Message

Fields: TypeAlias = Data
Row: TypeAlias = tuple[str, str, Callable[[Message], Fields]]  # name, type, request -> response

_DONE = {"success": True, "status_message": "done"}


class GazeboServices:
    """Everything under /gazebo: each service is a few lines over the simulation's own."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside

    def rows(self) -> list[Row]:
        """Return name, type and handler of each; handlers return fields as ROS 1 has them."""
        empty = "std_srvs/Empty"
        return [
            ("/gazebo/pause_physics", empty, lambda _: self._quietly("pause")),
            ("/gazebo/unpause_physics", empty, lambda _: self._quietly("resume")),
            ("/gazebo/reset_simulation", empty, lambda _: self._quietly("reset")),
            ("/gazebo/reset_world", empty, lambda _: self._quietly("reset_world")),
            ("/gazebo/get_model_state", "gazebo_msgs/GetModelState", self._model_state),
            ("/gazebo/set_model_state", "gazebo_msgs/SetModelState", self._set_model_state),
            ("/gazebo/get_link_state", "gazebo_msgs/GetLinkState", self._link_state),
            ("/gazebo/set_link_state", "gazebo_msgs/SetLinkState", self._set_link_state),
            (
                "/gazebo/set_model_configuration",
                "gazebo_msgs/SetModelConfiguration",
                self._configure,
            ),
            (
                "/gazebo/spawn_urdf_model",
                "gazebo_msgs/SpawnModel",
                lambda r: self._spawn(r, "urdf"),
            ),
            ("/gazebo/spawn_sdf_model", "gazebo_msgs/SpawnModel", lambda r: self._spawn(r, "sdf")),
            ("/gazebo/delete_model", "gazebo_msgs/DeleteModel", self._delete),
            ("/gazebo/apply_body_wrench", "gazebo_msgs/ApplyBodyWrench", self._push),
            ("/gazebo/clear_body_wrenches", "gazebo_msgs/BodyRequest", self._clear),
            ("/gazebo/get_world_properties", "gazebo_msgs/GetWorldProperties", self._world),
            ("/gazebo/get_model_properties", "gazebo_msgs/GetModelProperties", self._model),
            ("/gazebo/get_physics_properties", "gazebo_msgs/GetPhysicsProperties", self._physics),
        ]

    def ask(self, service: str, **arguments: object) -> Fields:
        """Carry out a service of the simulation."""
        return self._outside.services[service](arguments)

    def _quietly(self, service: str) -> Fields:
        self.ask(service)
        return {}

    def attempt(self, service: str, **arguments: object) -> Fields:
        """Do something, and answer as Gazebo does: whether it went well, and why not."""
        try:
            self.ask(service, **arguments)
        except OutriderError as error:
            return {"success": False, "status_message": str(error)}
        return dict(_DONE)

    def _query(self, service: str, fill: Callable[[Fields], Fields], **arguments: object) -> Fields:
        try:
            return {**fill(self.ask(service, **arguments)), **_DONE}
        except OutriderError as error:
            return {"success": False, "status_message": str(error)}

    def _model_state(self, request: Message) -> Fields:
        def fill(state: Fields) -> Fields:
            header = new("std_msgs/msg/Header", frame_id=request.relative_entity_name or "world")
            header.stamp.sec, part = divmod(round(state["time_s"] * 1e9), 1_000_000_000)
            header.stamp.nanosec = part
            return {"header": header, "pose": pose(state), "twist": twist(state)}

        frame = request.relative_entity_name
        return self._query("get_state", fill, name=request.model_name, frame=frame)

    def _link_state(self, request: Message) -> Fields:
        def fill(state: Fields) -> Fields:
            link = new(
                "gazebo_msgs/msg/LinkState",
                link_name=request.link_name,
                pose=pose(state),
                twist=twist(state),
                reference_frame=request.reference_frame or "world",
            )
            return {"link_state": link}

        frame = request.reference_frame
        return self._query("get_state", fill, name=request.link_name, frame=frame)

    def _set_model_state(self, request: Message) -> Fields:
        state = request.model_state
        return self.attempt("set_state", name=state.model_name, **asked(state))

    def _set_link_state(self, request: Message) -> Fields:
        state = request.link_state
        return self.attempt("set_state", name=state.link_name, **asked(state))

    def _configure(self, request: Message) -> Fields:
        joints = dict(zip(request.joint_names, request.joint_positions.tolist(), strict=False))
        return self.attempt("set_joints", model=request.model_name, joints=joints)

    def _spawn(self, request: Message, kind: str) -> Fields:
        place, turn = _numbers(request.initial_pose)
        return self.attempt(
            "spawn",
            name=request.model_name,
            text=request.model_xml,
            format=kind,
            namespace=request.robot_namespace,
            position=place,
            orientation=turn,
        )

    def _delete(self, request: Message) -> Fields:
        return self.attempt("remove", name=request.model_name)

    def _push(self, request: Message) -> Fields:
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
        return self.attempt("apply_wrench", **arguments)

    def _clear(self, request: Message) -> Fields:
        self.ask("clear_wrenches", body=request.body_name)
        return {}

    def _world(self, _: object) -> Fields:
        return self._query(
            "world_properties",
            lambda w: {"sim_time": w["time_s"], "model_names": w["models"]},
        )

    def _model(self, request: Message) -> Fields:
        def fill(model: Fields) -> Fields:
            return {
                "canonical_body_name": model["links"][0] if model["links"] else "",
                "body_names": model["links"],
                "geom_names": model["colliders"],
                "joint_names": model["joints"],
                "is_static": model["static"],
            }

        return self._query("model_properties", fill, name=request.model_name)

    def _physics(self, _: object) -> Fields:
        def fill(physics: Fields) -> Fields:
            status = self.ask("status")
            step_s = physics["step_s"]
            x, y, z = physics["gravity"]
            return {
                "time_step": step_s,
                "pause": status["paused"],
                "max_update_rate": status["speed"] / step_s,
                "gravity": new("geometry_msgs/msg/Vector3", x=x, y=y, z=z),
            }

        return self._query("physics_properties", fill)


def asked(state: Message) -> Fields:
    """Return the arguments of ``set_state`` that a state asks for."""
    place, turn = _numbers(state.pose)
    linear, angular = state.twist.linear, state.twist.angular
    return {
        "position": place,
        "orientation": turn,
        "velocity": [linear.x, linear.y, linear.z],
        "angular_velocity": [angular.x, angular.y, angular.z],
        "frame": state.reference_frame,
    }


def _numbers(pose: Message) -> tuple[list[float], list[float]]:
    place, turn = pose.position, pose.orientation
    return [place.x, place.y, place.z], [turn.x, turn.y, turn.z, turn.w]


def pose(state: Fields) -> Message:
    """Return a pose of a state that the simulation tells."""
    place = dict(zip("xyz", state["position"], strict=True))
    turn = dict(zip("xyzw", state["orientation"], strict=True))
    return new(
        "geometry_msgs/msg/Pose",
        position=new("geometry_msgs/msg/Point", **place),
        orientation=new("geometry_msgs/msg/Quaternion", **turn),
    )


def twist(state: Fields) -> Message:
    """Return a twist of a state that the simulation tells."""
    linear = dict(zip("xyz", state["velocity"], strict=True))
    angular = dict(zip("xyz", state["angular_velocity"], strict=True))
    return new(
        "geometry_msgs/msg/Twist",
        linear=new("geometry_msgs/msg/Vector3", **linear),
        angular=new("geometry_msgs/msg/Vector3", **angular),
    )
