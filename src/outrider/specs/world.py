"""The world file: ground, objects, models and materials, as frozen dataclasses."""

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from outrider.actors.spec import ActorSpec
from outrider.core.frames import Pose
from outrider.core.structure import Data, number, rgba
from outrider.terrain.recipe import EndlessGround, GroundDefaults, ScatterSpec, TerrainGround
from outrider.weather.spec import WeatherSpec
from outrider.world.materials import Material
from outrider.world.model import GeoOrigin, Light, World

RGBA: TypeAlias = tuple[float, float, float, float]
Scale: TypeAlias = float | tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class PoseSpec:
    """A pose in metres and degrees. Without ``z`` an object is placed on the ground below."""

    x: float = 0.0
    y: float = 0.0
    z: float | None = None
    roll_deg: float = 0.0
    pitch_deg: float = 0.0
    yaw_deg: float = 0.0

    @classmethod
    def of(cls, pose: Pose) -> "PoseSpec":
        """Return a pose as people write it."""
        x, y, z = pose.position.tolist()
        roll, pitch, yaw = (math.degrees(angle) for angle in pose.rpy.tolist())
        return cls(x, y, z, roll, pitch, yaw)

    def pose(self, ground: float = 0.0) -> Pose:
        """Return the pose; ``ground`` is the height to use where ``z`` is not given."""
        radians = [v * 0.017453292519943295 for v in (self.roll_deg, self.pitch_deg, self.yaw_deg)]
        return Pose.from_rpy([self.x, self.y, ground if self.z is None else self.z], radians)


IN_PLACE = PoseSpec(z=0.0)


@dataclass(frozen=True, slots=True)
class FlatGround(GroundDefaults):
    """A plane, level or tilted about y so that x points uphill.

    With one size it has no edge for wheels and bodies; with two it is a floor that ends there.
    """

    type: Literal["flat"] = "flat"
    size: float | tuple[float, float] = number(2000.0, above=0.0, most=1e5)
    slope_deg: float = number(0.0, least=-80.0, most=80.0)
    cross_slope_deg: float = number(0.0, least=-80.0, most=80.0)
    material: str = "concrete"
    texture: str = ""  # an image file


@dataclass(frozen=True, slots=True)
class RollingGround(GroundDefaults):
    """Smooth random hills on a grid, generated from the seed and level around the origin."""

    type: Literal["rolling"] = "rolling"
    size: tuple[float, float] = (60.0, 60.0)
    cell: float = number(0.25, above=0.0, most=100.0)
    height: float = number(1.0, least=0.0, most=1000.0)  # m, from the lowest to the highest point
    wavelength: float = number(15.0, above=0.0)  # m, of the largest hills
    seed: int = 1
    material: str = "grass"
    texture: str = ""


@dataclass(frozen=True, slots=True)
class HeightLayer:
    """A ground texture that begins at a height; the first one is everywhere."""

    texture: str
    size: float = number(2.0, above=0.0)  # m covered by one tile
    from_height: float = 0.0  # m above the lowest point
    fade: float = number(0.0, least=0.0)  # m of height over which it fades in


@dataclass(frozen=True, slots=True)
class HeightmapGround(GroundDefaults):
    """Ground from an image or an elevation file, centred on x = y = 0.

    It has one texture stretched over it (``texture``), or textures by height (``layers``).
    """

    type: Literal["heightmap"] = "heightmap"
    file: str = ""
    size: tuple[float, float, float] | None = None  # m in x, y, z; images need one
    material: str = "soil"
    texture: str = ""
    layers: tuple[HeightLayer, ...] = ()


@dataclass(frozen=True, slots=True)
class MeshGround(GroundDefaults):
    """Ground from a mesh file, with the mesh's own coordinates."""

    type: Literal["mesh"] = "mesh"
    file: str = ""
    scale: Scale = 1.0
    material: str = "soil"
    texture: str = ""  # replaces the file's own


@dataclass(frozen=True, slots=True)
class NoGround(GroundDefaults):
    """No ground."""

    type: Literal["none"] = "none"


GroundSpec: TypeAlias = (
    FlatGround
    | RollingGround
    | HeightmapGround
    | MeshGround
    | TerrainGround
    | EndlessGround
    | NoGround
)


@dataclass(frozen=True, slots=True)
class BoxSpec:
    """A box by its edge lengths."""

    type: Literal["box"] = "box"
    size: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class SphereSpec:
    """A sphere."""

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


@dataclass(frozen=True, slots=True)
class CapsuleSpec:
    """An upright cylinder with hemispherical ends, each of which adds a radius to its length."""

    type: Literal["capsule"] = "capsule"
    radius: float = number(0.5, above=0.0)
    length: float = number(1.0, above=0.0)


@dataclass(frozen=True, slots=True)
class MeshSpec:
    """A mesh file, with its own colours and textures unless the object has others."""

    type: Literal["mesh"] = "mesh"
    file: str = ""
    scale: Scale = 1.0


ShapeSpec: TypeAlias = BoxSpec | SphereSpec | CylinderSpec | ConeSpec | CapsuleSpec | MeshSpec


@dataclass(frozen=True, slots=True)
class PartSpec:
    """One of several shapes of an object, in its frame; defaults are the object's."""

    shape: ShapeSpec
    pose: PoseSpec = IN_PLACE
    material: str = ""
    colour: RGBA | None = rgba()  # an opacity of 1 may be left out
    texture: str = ""


@dataclass(frozen=True, slots=True)
class PathSpec:
    """The path of a scripted object: from point to point at a speed, once or in a loop."""

    points: tuple[tuple[float, float, float], ...]
    speed: float = number(0.5, above=0.0, most=900.0)  # m/s
    loop: bool = True


@dataclass(frozen=True, slots=True)
class ObjectSpec:
    """An object in the world; without mass, path or ``scripted`` it is static."""

    name: str
    shape: ShapeSpec | None = None  # one shape, or ...
    pose: PoseSpec = PoseSpec()
    mass: float = number(0.0, least=0.0)
    material: str = "concrete"
    colour: RGBA | None = rgba()  # an opacity of 1 may be left out
    path: PathSpec | None = None
    texture: str = ""  # an image file
    parts: tuple[PartSpec, ...] = ()  # ... several
    scripted: bool = False  # moved only by a component


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """An instance of a model file at a pose."""

    file: str  # .yaml (a ModelSpec), .urdf, .xacro, .sdf or a mesh
    name: str = ""  # empty: the model's own
    pose: PoseSpec = PoseSpec()
    fixed: bool | None = None  # None: as in its file
    args: dict[str, str] = field(default_factory=dict)  # of xacro
    search: tuple[str, ...] = ()  # folders with packages, models and meshes


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model's YAML file: shapes of one rigid body, and nested models."""

    name: str = "model"
    description: str = ""
    mass: float = number(0.0, least=0.0)  # kg of all parts together; 0: static
    material: str = "concrete"
    parts: tuple[PartSpec, ...] = ()
    models: tuple[ModelEntry, ...] = ()
    materials: dict[str, Material] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ThingSpec:
    """A prop, such as a tree or a rock: a procedural object on the ground that never moves.

    It may have many ``places`` (x, y and optionally yaw_deg), with ``variants`` different seeds
    among them; or it may follow the ground ``along`` points in steps, like a fence.
    """

    what: str
    name: str = ""  # empty: its kind and a number
    pose: PoseSpec = PoseSpec()
    size: float = number(1.0, above=0.0, most=1000.0)  # scale factor
    seed: int = number(0, least=0, most=2**32 - 1)
    parameters: Data = field(default_factory=dict)
    places: tuple[tuple[float, ...], ...] = ()
    variants: int = number(1, least=1, most=64)
    along: tuple[tuple[float, float], ...] = ()
    step: float = number(2.5, above=0.0, most=100.0)  # m


SOMEWHERE = GeoOrigin()
_DAY = World("")


@dataclass(frozen=True, slots=True)
class WorldSpec:
    """A world of the library, of a user, or written inside a scenario."""

    name: str = "world"
    description: str = ""
    include: str = ""  # another world, for all keys missing here
    gravity: tuple[float, float, float] = _DAY.gravity  # m/s^2
    origin: GeoOrigin = SOMEWHERE
    ground: GroundSpec = FlatGround()
    objects: tuple[ObjectSpec, ...] = ()
    models: tuple[ModelEntry, ...] = ()
    materials: dict[str, Material] = field(default_factory=dict)
    lights: tuple[Light, ...] = _DAY.lights
    ambient: tuple[float, float, float] = _DAY.ambient  # light of the surroundings
    sky: tuple[float, float, float] = _DAY.sky  # colour overhead
    start: PoseSpec = PoseSpec()
    horizon: tuple[float, float, float] | None = _DAY.horizon  # null: paler
    visibility: float = number(_DAY.visibility, least=0.0)  # m; 0: no haze
    things: tuple[ThingSpec, ...] = ()
    scatter: tuple[ScatterSpec, ...] = ()
    weather: WeatherSpec | None = None
    actors: tuple[ActorSpec, ...] = ()  # people, cars and animals
    components: tuple[Data, ...] = ()  # see docs/components.md
