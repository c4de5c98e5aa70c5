"""THE service table: the services of a running simulation, their requests and replies."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from outrider.core.errors import BridgeError
from outrider.messages.services import replies, requests

# read: looks only. command: what robots take from their programs (topics that come in).
# control: changes the run or what is in the world. files: reads or writes a named file as well.
ServiceClass: TypeAlias = Literal["read", "command", "control", "files"]


@dataclass(frozen=True, slots=True)
class ServiceRow:
    """One row."""

    name: str
    request: type
    reply: type
    kind: ServiceClass
    description: str


def _read(name: str, request: type, reply: type, description: str) -> ServiceRow:
    return ServiceRow(name, request, reply, "read", description)


def _control(name: str, request: type, reply: type, description: str) -> ServiceRow:
    return ServiceRow(name, request, reply, "control", description)


def _files(name: str, request: type, reply: type, description: str) -> ServiceRow:
    return ServiceRow(name, request, reply, "files", description)


_q, _a = requests, replies

_ROWS = (
    _read("status", _q.Nothing, _a.RunStatus, "time, steps, speed, real-time factor, state hash"),
    _control("pause", _q.Nothing, _a.RunStatus, "stop the clock"),
    _control("resume", _q.Nothing, _a.RunStatus, "resume the clock"),
    _control(
        "step",
        _q.Steps,
        _a.RunStatus,
        "while paused: advance by `steps` or `duration_s`, or one step",
    ),
    _control("reset", _q.Nothing, _a.RunStatus, "back to the initial state, including time"),
    _control(
        "reset_world",
        _q.Nothing,
        _a.DoneAt,
        "everything back to its start, at rest; time and odometry continue",
    ),
    _control(
        "put_back",
        _q.RobotName,
        _a.DoneAt,
        "move a robot (default: all) back to its start and zero its odometry; time continues",
    ),
    _control("set_speed", _q.SpeedFactor, _a.RunStatus, "multiple of real time; 0 is flat out"),
    _control(
        "lockstep",
        _q.LockstepTerms,
        _a.RunStatus,
        "wait for a command in every period from now on; 0 ends it",
    ),
    _control("stop", _q.Nothing, _a.RunStatus, "end the run"),
    _read("list_models", _q.Nothing, _a.ModelNames, "the names of all models, the ground included"),
    _read("get_state", _q.StateQuery, _a.StateNow, "the pose and velocity of a model or link"),
    _read("get_states", _q.Nothing, _a.StatesNow, "the same for everything at once"),
    _control(
        "set_state",
        _q.StateChange,
        _a.DoneAt,
        "set pose or velocity; what is omitted does not change",
    ),
    _control(
        "set_joints",
        _q.JointAngles,
        _a.DoneAt,
        "set joint positions (angles or lengths), at rest; a robot holds its turret or arm there",
    ),
    _control(
        "apply_wrench",
        _q.WrenchFor,
        _a.Pushed,
        "apply a force and torque to a link, at its centre of mass unless a point is given;"
        " without a duration, until it is cleared",
    ),
    _control(
        "clear_wrenches", _q.BodyName, _a.Cleared, "remove the wrenches on a link, or all of them"
    ),
    _control(
        "spawn",
        _q.ModelText,
        _a.Spawned,
        "add a model from URDF or SDF text; one with wheels on both sides becomes a robot",
    ),
    _control("add_object", _q.NewObject, _a.RunStatus, "add an obstacle"),
    _control("add_actor", _q.NewActor, _a.RunStatus, "add people, cars or animals"),
    _control("add_robot", _q.NewRobot, _a.RunStatus, "add a robot"),
    _control("add_sensor", _q.NewSensor, _a.RunStatus, "add a sensor to a robot or to the world"),
    _control("remove_sensor", _q.SensorName, _a.RunStatus, "remove a sensor that was added"),
    _control(
        "move",
        _q.NewPose,
        _a.RunStatus,
        "move it, also for later resets; what is omitted is 0, without `z` it is on the ground",
    ),
    _control("remove", _q.ThingName, _a.RunStatus, "remove a robot, object or model"),
    _control("rename_topic", _q.TopicRename, _a.RunStatus, "give a robot's topic another name"),
    _control("register_type", _q.TypeText, _a.Registered, "add a message type from `.msg` text"),
    _control(
        "load_world", _q.WorldName, _a.RunStatus, "switch to another world with the same robots"
    ),
    _files(
        "save_world", _q.FileName, _a.FileWritten, "write the world, with everything that was added"
    ),
    _files("save_state", _q.FileName, _a.RunStatus, "write the scenario and its exact state"),
    _files("load_state", _q.FileName, _a.RunStatus, "continue from a saved state"),
    _control("undo", _q.Nothing, _a.RunStatus, "undo the last change"),
    _control("redo", _q.Nothing, _a.RunStatus, "redo it"),
    _read("list_components", _q.Nothing, _a.ComponentList, "the components, in their order"),
    _control(
        "reload_components",
        _q.Nothing,
        _a.Reloaded,
        "reload the files of components; their state is kept (same user only)",
    ),
    _read("model_properties", _q.ThingName, _a.ModelProperties, "its links, joints and colliders"),
    _read("world_properties", _q.Nothing, _a.WorldProperties, "the world's name and models"),
    _read("physics_properties", _q.Nothing, _a.PhysicsProperties, "step, gravity, engine"),
)

SERVICES: dict[str, ServiceRow] = {row.name: row for row in _ROWS}

# Those that are worth a service of their own on ROS, without arguments.
TRIGGERS = (
    "status",
    "pause",
    "resume",
    "step",
    "reset",
    "reset_world",
    "put_back",
    "undo",
    "redo",
    "stop",
)


def service_row(name: str) -> ServiceRow:
    """Return the row of a service; one without a row may not be offered."""
    if name not in SERVICES:
        raise BridgeError(f"service '{name}' has no row in the table of services")
    return SERVICES[name]
