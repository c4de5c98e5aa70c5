"""Objects for a world or a robot: shapes, groups of shapes, and files."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Self, TypedDict, Unpack

from outrider.builders.placed import Placed, rgba, whole_path
from outrider.core.errors import ConfigError
from outrider.core.structure import from_data
from outrider.specs.file_kinds import is_kind
from outrider.specs.world import (
    BoxSpec,
    CapsuleSpec,
    ConeSpec,
    CylinderSpec,
    MeshSpec,
    ModelEntry,
    ObjectSpec,
    PartSpec,
    PathSpec,
    Scale,
    ShapeSpec,
    SphereSpec,
)


class ObjectKeys(TypedDict, total=False):
    """What every object may have: a name, a library material, a colour, a texture."""

    name: str
    material: str
    colour: tuple[float, ...] | None  # red, green, blue (and opacity), 0 to 1
    texture: str | Path


class BuiltObject(Placed):
    """An object of one or more shapes. A mass of zero makes it static."""

    def __init__(self, mass: float = 0.0, **looks: Unpack[ObjectKeys]) -> None:
        super().__init__(looks.get("name", ""))
        self.mass = mass
        self.material = looks.get("material", "")
        self.colour = rgba(looks.get("colour"))
        self.texture = whole_path(looks.get("texture", ""))
        self.path: PathSpec | None = None

    @property
    def parts(self) -> tuple[PartSpec, ...]:
        """Its shapes, in its own frame."""
        raise NotImplementedError

    def along(
        self, points: Sequence[tuple[float, float, float]], speed: float = 0.5, loop: bool = True
    ) -> Self:
        """Move it (its centre) from point to point; nothing stops it."""
        data = {"points": points, "speed": speed, "loop": loop}
        self.path = from_data(PathSpec, data, "along")
        return self

    def spec(self, name: str) -> ObjectSpec | ModelEntry:
        """Return the object as in a world file."""
        return self._object(name, None, self.parts)

    def _object(
        self, name: str, shape: ShapeSpec | None, parts: tuple[PartSpec, ...] = ()
    ) -> ObjectSpec:
        return ObjectSpec(
            name,
            shape,
            self.pose,
            mass=self.mass,
            material=self.material or "concrete",
            colour=self.colour,
            path=self.path,
            texture=self.texture,
            parts=parts,
        )


class Solid(BuiltObject):
    """An object of one simple shape."""

    def __init__(self, shape: ShapeSpec, mass: float, **looks: Unpack[ObjectKeys]) -> None:
        super().__init__(mass, **looks)
        self.shape = shape

    @property
    def parts(self) -> tuple[PartSpec, ...]:
        """Its shape."""
        return (PartSpec(self.shape),)

    def spec(self, name: str) -> ObjectSpec | ModelEntry:
        """Return the object as in a world file."""
        return self._object(name, self.shape)


class Box(Solid):
    """A box by its edges in x, y and z."""

    def __init__(
        self, x: float, y: float, z: float, mass: float = 0.0, **looks: Unpack[ObjectKeys]
    ) -> None:
        super().__init__(BoxSpec(size=(x, y, z)), mass, **looks)


class Sphere(Solid):
    """A sphere."""

    def __init__(self, radius: float, mass: float = 0.0, **looks: Unpack[ObjectKeys]) -> None:
        super().__init__(SphereSpec(radius=radius), mass, **looks)


class _Upright(Solid):
    """A body of revolution about its z axis."""

    kind: ClassVar[type[CylinderSpec | ConeSpec | CapsuleSpec]]

    def __init__(
        self, radius: float, length: float, mass: float = 0.0, **looks: Unpack[ObjectKeys]
    ) -> None:
        super().__init__(self.kind(radius=radius, length=length), mass, **looks)


class Cylinder(_Upright):
    """An upright cylinder."""

    kind = CylinderSpec


class Cone(_Upright):
    """An upright cone."""

    kind = ConeSpec


class Capsule(_Upright):
    """An upright cylinder with round ends, which are not part of its length."""

    kind = CapsuleSpec


class Model(Solid):
    """A file: a mesh (then with a mass, if it moves), or a model (.yaml, .urdf, .sdf)."""

    def __init__(
        self,
        file: str | Path,
        mass: float = 0.0,
        scale: Scale = 1.0,
        fixed: bool | None = None,
        **looks: Unpack[ObjectKeys],
    ) -> None:
        super().__init__(MeshSpec(file=whole_path(file), scale=scale), mass, **looks)
        self.file = whole_path(file)
        self.fixed = fixed
        self._whole = is_kind(file, "own", "description")
        if self._whole and (mass or scale != 1.0 or looks.keys() - {"name"}):
            raise ConfigError(f"{file}: a model file has its own mass, size and colours; give none")

    @property
    def word(self) -> str:
        """Its file's name."""
        return Path(self.file).stem

    def spec(self, name: str) -> ObjectSpec | ModelEntry:
        """Return the model as in a world file."""
        if self._whole:
            return ModelEntry(self.file, name, self.pose, self.fixed)
        return super().spec(name)


class Group(BuiltObject):
    """Several shapes of one rigid body, each posed in the group's frame."""

    def __init__(
        self, *things: BuiltObject, mass: float = 0.0, **looks: Unpack[ObjectKeys]
    ) -> None:
        super().__init__(mass, **looks)
        self.things = things
        for thing in things:
            if not isinstance(thing, Solid):
                raise ConfigError(
                    f"a group consists of simple shapes such as o.Box(1, 1, 1), got {thing!r:.60}"
                )
        if any(thing.mass for thing in things):
            raise ConfigError("the shapes of a group have no mass of their own: give the group one")

    @property
    def parts(self) -> tuple[PartSpec, ...]:
        """All shapes of all its members."""
        return tuple(_part(thing) for thing in self.things)


def _part(thing: BuiltObject) -> PartSpec:
    if not isinstance(thing, Solid):
        raise ConfigError("a group consists of simple shapes, not other groups")
    return PartSpec(thing.shape, thing.pose_inside, thing.material, thing.colour, thing.texture)
