"""What a component is on, found by its name."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from outrider.components.host import Host
from outrider.core.errors import ComponentError, near_match
from outrider.core.frames import Pose
from outrider.world.assembly import WORLD, Assembly

Kind: TypeAlias = Literal["world", "model", "link", "joint", "sensor"]
NO_JOINT = -1


@dataclass(frozen=True, slots=True, eq=False)
class EntityFrame:
    """A thing's body, its frame in it, and the joint that carries it."""

    name: str
    kind: Kind
    model: str = ""
    body: int = WORLD
    T_body_thing: Pose = field(default_factory=Pose)
    joint: int = NO_JOINT
    topic: str = ""  # of a sensor


def find_entity(host: Host, name: str) -> EntityFrame:
    """Return the model, link, joint or sensor of a name; an empty one is the world."""
    if not name:
        return EntityFrame("", "world")
    assembly = host.assembly
    if name in assembly.models:
        return _of_frame(assembly, name, "model", next(_links(assembly, name)))
    if name in assembly.frames:
        return _of_frame(assembly, name, "link", name)
    joints = [joint.name for joint in assembly.joints]
    if name in joints:
        number = joints.index(name)
        body = assembly.joints[number].child
        return EntityFrame(name, "joint", _model(assembly, name), body, Pose(), number)
    sensors = host.sensors
    if name in sensors:
        body, pose, topic = sensors[name]
        return EntityFrame(name, "sensor", _model(assembly, name), body, pose, NO_JOINT, topic)
    known = [*assembly.models, *assembly.frames, *joints, *sensors]
    raise ComponentError(
        f"there is no model, link, joint or sensor '{name}'{near_match(name, known)}"
    )


def _of_frame(assembly: Assembly, name: str, kind: Kind, link: str) -> EntityFrame:
    frame = assembly.frames[link]
    carried = NO_JOINT if frame.body == WORLD else assembly.bodies[frame.body].joint
    return EntityFrame(name, kind, _model(assembly, name), frame.body, frame.T_body_link, carried)


def _links(assembly: Assembly, model: str) -> Iterator[str]:
    """Yield the links of a model, its root first."""
    return (name for name in assembly.frames if name.startswith(f"{model}/"))


def _model(assembly: Assembly, name: str) -> str:
    """Return the model that something belongs to: nested ones have slashes in their names."""
    found = [model for model in assembly.models if name == model or name.startswith(f"{model}/")]
    return max(found, key=len, default="")
