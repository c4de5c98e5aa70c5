"""The world's YAML file: ground, objects and materials, as frozen dataclasses."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from outrider.core.frames import Pose
from outrider.core.structure import number
from outrider.world.materials import Material
from outrider.world.model import GeoOrigin


@dataclass(frozen=True, slots=True)
class PoseSpec:
    """A pose as people write it. Without ``z`` a thing is put on the ground below."""

    x: float = 0.0
    y: float = 0.0
    z: float | None = None
    roll_deg: float = 0.0
    pitch_deg: float = 0.0
    yaw_deg: float = 0.0

    def pose(self, ground: float = 0.0) -> Pose:
        """Return the pose; ``ground`` is the height to use where ``z`` is not given."""
        radians = [v * 0.017453292519943295 for v in (self.roll_deg, self.pitch_deg, self.yaw_deg)]
        return Pose.from_rpy([self.x, self.y, ground if self.z is None else self.z], radians)


@dataclass(frozen=True, slots=True)
class FlatGround:
    """A plane, level or tilted about y so that x points uphill."""

    type: Literal["flat"] = "flat"
    size: float = number(2000.0, above=0.0, most=1e5)
    slope_deg: float = number(0.0, least=-80.0, most=80.0)
    cross_slope_deg: float = number(0.0, least=-80.0, most=80.0)
    material: str = "concrete"


@dataclass(frozen=True, slots=True)
class RollingGround:
    """Smooth random hills on a grid, made from the seed: level around the origin."""

    type: Literal["rolling"] = "rolling"
    size: tuple[float, float] = (60.0, 60.0)
    cell: float = number(0.25, above=0.0, most=100.0)
    height: float = number(1.0, least=0.0, most=1000.0)  # m, from the lowest to the highest
    wavelength: float = number(15.0, above=0.0)  # m, of the largest hills
    seed: int = 1
    material: str = "grass"


@dataclass(frozen=True, slots=True)
class NoGround:
    """Nothing to stand on."""

    type: Literal["none"] = "none"


GroundSpec: TypeAlias = FlatGround | RollingGround | NoGround


@dataclass(frozen=True, slots=True)
class BoxSpec:
    """A box by its edge lengths."""

    type: Literal["box"] = "box"
    size: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class SphereSpec:
    """A ball."""

    type: Literal["sphere"] = "sphere"
    radius: float = number(0.5, above=0.0)


@dataclass(frozen=True, slots=True)
class CylinderSpec:
    """An upright cylinder."""

    type: Literal["cylinder"] = "cylinder"
    radius: float = number(0.5, above=0.0)
    length: float = number(1.0, above=0.0)


@dataclass(frozen=True, slots=True)
class ConeSpec:
    """An upright cone."""

    type: Literal["cone"] = "cone"
    radius: float = number(0.5, above=0.0)
    length: float = number(1.0, above=0.0)


ShapeSpec: TypeAlias = BoxSpec | SphereSpec | CylinderSpec | ConeSpec


@dataclass(frozen=True, slots=True)
class PathSpec:
    """Where a scripted object goes: from point to point at a speed, once or for ever."""

    points: tuple[tuple[float, float, float], ...]
    speed: float = number(0.5, above=0.0)
    loop: bool = True


@dataclass(frozen=True, slots=True)
class ObjectSpec:
    """A thing in the world: fixed if its mass is zero, scripted if it has a path."""

    name: str
    shape: ShapeSpec
    pose: PoseSpec = PoseSpec()
    mass: float = number(0.0, least=0.0)
    material: str = "concrete"
    colour: tuple[float, float, float, float] | None = None
    path: PathSpec | None = None


SOMEWHERE = GeoOrigin()


@dataclass(frozen=True, slots=True)
class WorldSpec:
    """A world of the library, of a user, or written inside a scenario."""

    name: str = "world"
    description: str = ""
    include: str = ""  # another world whose keys hold where this one says nothing
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.80665)
    origin: GeoOrigin = SOMEWHERE
    ground: GroundSpec = FlatGround()
    objects: tuple[ObjectSpec, ...] = ()
    materials: dict[str, Material] = field(default_factory=dict)
    start: PoseSpec = PoseSpec()
