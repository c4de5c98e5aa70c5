"""The hierarchy as a tree: the world, its robots, objects and scenery, their links and sensors."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from outrider.actors.spec import actor_names
from outrider.scenarios.build import world_spec
from outrider.scenarios.scenario import RobotEntry
from outrider.scenarios.session.session import Session
from outrider.specs.world import ModelEntry, ObjectSpec
from outrider.world.model import Link, Model

Kind: TypeAlias = Literal[
    "world",
    "group",
    "robot",
    "object",
    "model",
    "actor",
    "scenery",
    "link",
    "joint",
    "sensor",
    "light",
]

ICONS: dict[Kind, str] = {
    "world": "public",
    "group": "folder",
    "robot": "precision_manufacturing",
    "object": "category",
    "model": "view_in_ar",
    "actor": "directions_walk",
    "scenery": "park",
    "link": "commit",
    "joint": "sync_alt",
    "sensor": "sensors",
    "light": "light_mode",
}


_THINGS: tuple[Kind, ...] = ("robot", "object", "model", "actor", "scenery")


@dataclass(frozen=True, slots=True)
class Node:
    """One row of the tree; its key is its kind and its name."""

    kind: Kind
    name: str  # as the scene and the session know it
    label: str
    children: tuple["Node", ...] = ()

    @property
    def key(self) -> str:
        """Its unique key."""
        return f"{self.kind}:{self.name}"

    @property
    def model(self) -> str:
        """The name of the model it belongs to."""
        return self.name.partition("/")[0]


def outline(session: Session) -> Node:
    """Return the tree of a session; call between two steps."""
    world = session.simulation.rig.assembly.world
    scenario, spec = session.scenario, world_spec(session.scenario)
    models = {model.name: model for model in world.models}
    robots = [_robot(entry, models, session) for entry in scenario.robots if entry.name in models]
    objects = [_object(item, models) for item in spec.objects if item.name in models]
    objects += [_placed(entry, models) for entry in spec.models if entry_name(entry) in models]
    actors = [
        Node("actor", name, name, _insides(models[name], name))
        for entry in spec.actors
        for name in actor_names(entry)
        if name in models
    ]
    known = {node.name for node in (*robots, *objects, *actors)}
    scenery = [_scenery(model) for model in world.models if model.name not in known]
    standing = [Node("sensor", f"/{entry.name}", entry.name) for entry in scenario.sensors]
    groups = (
        Node("group", "robots", "Robots", tuple(robots)),
        Node("group", "objects", "Objects", tuple(objects)),
        Node("group", "actors", "Actors", tuple(actors)),
        Node("group", "sensors", "Sensors in the world", tuple(standing)),
        Node("group", "scenery", "Scenery", tuple(scenery)),
        Node(
            "group",
            "lights",
            "Lights",
            tuple(Node("light", light.name, light.name) for light in world.lights),
        ),
    )
    full = tuple(group for group in groups if group.children)
    return Node("world", world.name, world.name, full)


def find(node: Node, key: str) -> Node | None:
    """Return the node with a key."""
    if node.key == key:
        return node
    return next((hit for child in node.children if (hit := find(child, key))), None)


def owner(node: Node, name: str) -> Node | None:
    """Return the robot, object or scenery that a name of the scene belongs to, or its link."""
    model = name.partition("/")[0]
    for group in node.children:
        for child in group.children:
            if child.kind in _THINGS and child.name == model:
                return child
    return None


def _robot(entry: RobotEntry, models: dict[str, Model], session: Session) -> Node:
    model = models[entry.name]
    prefix = f"{entry.name}/"
    sensors = [
        Node("sensor", sensor.name, sensor.name.removeprefix(prefix))
        for sensor in session.simulation.sensors
        if sensor.name.startswith(prefix)
    ]
    return Node("robot", entry.name, entry.name, (*sensors, *_insides(model, entry.name)))


def _object(item: ObjectSpec, models: dict[str, Model]) -> Node:
    inside = _insides(models[item.name], item.name) if len(models[item.name].links) > 1 else ()
    return Node("object", item.name, item.name, inside)


def _placed(entry: ModelEntry, models: dict[str, Model]) -> Node:
    name = entry_name(entry)
    return Node("model", name, name, _insides(models[name], name))


def _scenery(model: Model) -> Node:
    inner = tuple(Node("scenery", f"{model.name}/{c.name}", c.name) for c in model.children)
    return Node("scenery", model.name, model.name, inner)


def _insides(model: Model, path: str) -> tuple[Node, ...]:
    """Return the links from the root on, each below its parent joint."""
    below: dict[str, list[tuple[str, Link]]] = {}
    for joint in model.joints:
        below.setdefault(joint.parent, []).append((joint.name, model.link(joint.child)))

    def node(link: Link) -> Node:
        inner = tuple(node(child) for _, child in below.get(link.name, ()))
        return Node("link", f"{path}/{link.name}", link.name, inner)

    return tuple(node(root) for root in model.roots)


def entry_name(entry: ModelEntry) -> str:
    """Return a placed model's name: its own, or its file's."""
    return entry.name or Path(entry.file).stem
