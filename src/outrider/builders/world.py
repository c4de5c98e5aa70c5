"""A world built line by line; the result is the contents of a world file."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from outrider.builders.grounds import Ground
from outrider.builders.objects import BuiltObject
from outrider.builders.placed import whole_path
from outrider.builders.robot import RobotBuilder
from outrider.components.catalogue import plan_component
from outrider.core.arguments import file_argument, number_argument, text_argument
from outrider.core.errors import ConfigError
from outrider.core.structure import from_data, plain
from outrider.loader.materials import material
from outrider.loader.save import save_world
from outrider.loader.world import build_world
from outrider.scenarios.api import robot as participant
from outrider.scenarios.build import add_components, add_paths
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.world import (
    FlatGround,
    GroundSpec,
    ModelEntry,
    ObjectSpec,
    PoseSpec,
    WorldSpec,
)
from outrider.vehicles.robot import Robot
from outrider.world.materials import Material
from outrider.world.model import Light, World

RobotLike = Participant | RobotBuilder | Robot | str | Path


class WorldBuilder:
    """Add objects, then simulate or save. Without a ground there is a large plane."""

    def __init__(self, name: str = "world", description: str = "") -> None:
        text_argument(name, "WorldBuilder", "a name")
        self._spec = WorldSpec(name=name, description=description, ground=FlatGround())
        self._has_ground = False
        self._numbers: Counter[str] = Counter()

    @property
    def spec(self) -> WorldSpec:
        """The world as in a world file."""
        return self._spec

    def add(self, *things: BuiltObject | Ground) -> Self:
        """Add objects; one without a name is named by its kind and a number."""
        for thing in things:
            if isinstance(thing, Ground):
                self._set_ground(thing)
            elif isinstance(thing, BuiltObject):
                self._add(thing)
            else:
                raise ConfigError(
                    f"WorldBuilder.add: expected an object or a ground such as o.Box(1, 1, 1)"
                    f" or o.Floor(9, 9), got {thing!r:.60}"
                )
        return self

    def thing(self, what: str, x: float = 0.0, y: float = 0.0, **figures: Any) -> Self:
        """Add a prop, such as a tree; ``figures`` as in a world file."""
        pose = {"x": x, "y": y, "yaw_deg": float(figures.pop("yaw_deg", 0.0))}
        data = {"things": [{"what": what, "pose": pose, **figures}]}
        made = from_data(WorldSpec, data, f"thing '{what}'").things
        self._spec = replace(self._spec, things=(*self._spec.things, *made))
        return self

    def scatter(self, what: str, **figures: object) -> Self:
        """Scatter many props over the ground; ``figures`` as in a world file."""
        made = from_data(WorldSpec, {"scatter": [{"what": what, **figures}]}, f"scatter '{what}'")
        self._spec = replace(self._spec, scatter=(*self._spec.scatter, *made.scatter))
        return self

    def material(self, name: str, **figures: Any) -> Self:
        """Define a material of this world; its parameters are those of a material file."""
        text_argument(name, "material", "a name")
        if "texture" in figures:
            figures["texture"] = whole_path(figures["texture"])
        made = from_data(Material, figures, f"material '{name}'")
        self._spec = replace(self._spec, materials={**self._spec.materials, name: made})
        return self

    def attach(self, type_: str, on: str = "", **parameters: object) -> Self:
        """Attach a component that is built in or installed; ``parameters`` as in a world file."""
        data = {"type": type_, **({"on": on} if on else {}), **parameters}
        plan_component(data, f"component '{type_}'")
        self._spec = replace(self._spec, components=(*self._spec.components, data))
        return self

    def gravity(self, down: float = 9.80665) -> Self:
        """Set the gravity (m/s^2): 1.62 on the Moon."""
        self._spec = replace(self._spec, gravity=(0.0, 0.0, -number_argument(down, "gravity")))
        return self

    def light(self, name: str, **figures: object) -> Self:
        """Add a light; the first one replaces the default sun."""
        lights = self._spec.lights
        kept = () if lights == WorldSpec().lights else lights
        made = from_data(Light, {"name": name, **figures}, f"light '{name}'")
        self._spec = replace(self._spec, lights=(*kept, made))
        return self

    def sky(self, red: float, green: float, blue: float, ambient: float = 0.4) -> Self:
        """Set the colour of the sky and the ambient light."""
        data = {"sky": [red, green, blue], "ambient": [ambient] * 3}
        made = from_data(WorldSpec, data, "sky")
        self._spec = replace(self._spec, sky=made.sky, ambient=made.ambient)
        return self

    def start(self, x: float = 0.0, y: float = 0.0, yaw_deg: float = 0.0) -> Self:
        """Set where robots without a pose start."""
        made = from_data(PoseSpec, {"x": x, "y": y, "yaw_deg": yaw_deg}, "start")
        self._spec = replace(self._spec, start=made)
        return self

    def build(self) -> World:
        """Return the world itself."""
        return build_world(self._spec)

    def save(self, path: str | Path) -> Path:
        """Write the world file, to be edited by hand or loaded anywhere."""
        build_world(self._spec)  # what cannot be built is not worth saving
        return save_world(self._spec, file_argument(path, "WorldBuilder.save"))

    def simulate(self, robots: Sequence[RobotLike] = (), **options: Any) -> Simulation:
        """Return a simulation of the world with robots; ``options`` are Simulation's."""
        simulation = Simulation(self.build(), [_participant(r) for r in robots], **options)
        add_paths(simulation, self._spec)
        add_components(simulation, self._spec.name, self._spec.components)
        return simulation

    def _add(self, thing: BuiltObject) -> None:
        if thing.added:
            raise ConfigError(f"this {thing.word} is in a world already: add a copy()")
        spec = thing.spec(thing.name or self._free_name(thing.word))
        where = f"{self._spec.name}: {thing.word}"
        if isinstance(spec, ModelEntry):
            entry = from_data(ModelEntry, plain(spec), where)
            self._spec = replace(self._spec, models=(*self._spec.models, entry))
        else:
            made = from_data(ObjectSpec, plain(spec), where)
            self._spec = replace(self._spec, objects=(*self._spec.objects, made))
        thing.added = True

    def _free_name(self, word: str) -> str:
        taken = {item.name for item in self._spec.objects}
        taken |= {entry.name for entry in self._spec.models}
        while True:
            self._numbers[word] += 1
            name = f"{word}_{self._numbers[word]}"
            if name not in taken:
                return name

    def _set_ground(self, ground: Ground) -> None:
        if self._has_ground:
            raise ConfigError(f"{self._spec.name}: a world has one ground; this one has its own")
        spec: GroundSpec = from_data(
            WorldSpec, {"ground": plain(ground.spec)}, f"{self._spec.name}"
        ).ground
        self._has_ground = True
        self._spec = replace(self._spec, ground=spec)
        if not ground.seen:
            self._hide(spec)

    def _hide(self, spec: GroundSpec) -> None:
        """Give the ground a material of its own that sensors do not see."""
        name = spec.material
        unseen = f"unseen-{name}"
        found = material(name, self._spec.materials, f"{self._spec.name}: ground")
        figures = {**plain(found), "hidden_from_sensors": True}
        figures.pop("name", None)
        self.material(unseen, **figures)
        ground: Any = spec
        self._spec = replace(self._spec, ground=replace(ground, material=unseen))


def _participant(robot: RobotLike) -> Participant:
    if isinstance(robot, Participant):
        return robot
    return participant(robot.robot() if isinstance(robot, RobotBuilder) else robot)
