"""The constant description: a world of models, models of links and joints."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from outrider.core.errors import WorldError
from outrider.core.frames import Array, Pose
from outrider.weather.spec import WeatherSpec
from outrider.world.materials import Material
from outrider.world.shapes import Shape

JointKind: TypeAlias = Literal["fixed", "revolute", "continuous", "prismatic"]
Mobility: TypeAlias = Literal["static", "dynamic", "scripted"]


@dataclass(frozen=True, slots=True, eq=False)
class Inertial:
    """Mass (kg) and inertia (3, 3) in kg m^2 about the centre of mass, in the frame of ``pose``."""

    mass: float
    inertia: Array
    pose: Pose = field(default_factory=Pose)


@dataclass(frozen=True, slots=True, eq=False)
class Geometry:
    """A shape at a pose of its link, with a material."""

    shape: Shape
    pose: Pose = field(default_factory=Pose)
    material: Material = field(default_factory=Material)
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A rigid part. Without inertial it is a frame that moves with what it is fixed to."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Geometry, ...] = ()
    colliders: tuple[Geometry, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """A joint; its frame is the child link's frame, given in the parent link."""

    name: str
    kind: JointKind
    parent: str
    child: str
    origin: Pose = field(default_factory=Pose)
    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)
    lower: float = -np.inf
    upper: float = np.inf
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    armature: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Links and joints under one name; ``static`` ones never move, ``scripted`` ones as told.

    What a joint carries in a scripted model is a body of its own, told apart from the others.

    With ``apart`` wheels feel the colliders alone, and sensors see the visuals alone; else both
    have to do with the visuals, or with the colliders where there are none.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...] = ()
    pose: Pose = field(default_factory=Pose)
    mobility: Mobility = "dynamic"
    children: tuple["Model", ...] = ()
    apart: bool = False

    def link(self, name: str) -> Link:
        """Return the link of that name."""
        for link in self.links:
            if link.name == name:
                return link
        raise WorldError(f"model '{self.name}' has no link '{name}'")

    @property
    def roots(self) -> list[Link]:
        """The links that no joint carries: one, in a model that can be used."""
        carried = {joint.child for joint in self.joints}
        return [link for link in self.links if link.name not in carried]

    def fixed_to(self, name: str) -> dict[str, Pose]:
        """Return a link and what is fixed to it further down, with their poses in it."""
        below: dict[str, list[Joint]] = {}
        for joint in self.joints:
            if joint.kind == "fixed":
                below.setdefault(joint.parent, []).append(joint)
        found, todo = {name: Pose()}, [name]
        while todo:
            here = todo.pop()
            for joint in below.get(here, ()):
                if joint.child not in found:
                    found[joint.child] = found[here] @ joint.origin
                    todo.append(joint.child)
        return found

    def link_poses(self) -> dict[str, Pose]:
        """Return where every link is in the model, with its joints at zero."""
        carried = {joint.child: joint for joint in self.joints}
        poses: dict[str, Pose] = {}

        def pose(name: str) -> Pose:
            if name not in poses:
                joint = carried.get(name)
                poses[name] = Pose() if joint is None else pose(joint.parent) @ joint.origin
            return poses[name]

        return {link.name: pose(link.name) for link in self.links}


@dataclass(frozen=True, slots=True)
class GeoOrigin:
    """Where the world's x = y = z = 0 lies on Earth; x points east, y north, z up."""

    latitude_deg: float = 49.9
    longitude_deg: float = 8.9
    altitude_m: float = 0.0


@dataclass(frozen=True, slots=True)
class Light:
    """A light: directional ones shine along ``direction``, others from ``position``."""

    name: str
    kind: Literal["directional", "point", "spot"] = "directional"
    position: tuple[float, float, float] = (0.0, 0.0, 10.0)  # m
    direction: tuple[float, float, float] = (-0.5, 0.1, -0.9)  # any length
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)  # red, green, blue
    intensity: float = 1.0  # of a point or spot: at 1 m
    range: float = 100.0  # m, at which a point or spot ends
    cast_shadows: bool = True
    link: str = ""  # model/link that carries it: position and direction are in its frame


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """All that exists at the start."""

    name: str
    models: tuple[Model, ...] = ()
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.80665)
    origin: GeoOrigin = field(default_factory=GeoOrigin)
    start: Pose = field(default_factory=Pose)
    lights: tuple[Light, ...] = (Light("sun"),)
    ambient: tuple[float, float, float] = (0.4, 0.4, 0.4)
    sky: tuple[float, float, float] = (0.53, 0.68, 0.85)
    horizon: tuple[float, float, float] | None = None  # None: paler than the sky; black if it is
    visibility: float = 0.0  # m at which haze leaves 5 % of the contrast; 0: clear
    weather: WeatherSpec | None = None
