"""The recipe of a terrain, as in a world file."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from outrider.core.structure import Data, number

Range: TypeAlias = tuple[float, float]
Point: TypeAlias = tuple[float, float]
SEED_MOST = 2**32 - 1


@dataclass(frozen=True, slots=True)
class LevelBase:
    """Level land."""

    type: Literal["level"] = "level"


@dataclass(frozen=True, slots=True)
class NoiseBase:
    """Hills of all sizes: each octave has half the wavelength and ``gain`` times the height."""

    type: Literal["noise"] = "noise"
    height: float = number(1.0, least=0.0, most=9000.0)  # m, from the lowest to the highest point
    wavelength: float = number(50.0, above=0.0, most=1e6)  # m, of the largest hills
    octaves: int = number(6, least=1, most=16)
    gain: float = number(0.45, above=0.0, most=1.0)  # amplitude of an octave over the one before
    ridged: bool = False  # sharp crests instead of round tops


@dataclass(frozen=True, slots=True)
class FileBase:
    """Heights from an image, which needs a ``height``, or from an elevation file."""

    type: Literal["file"] = "file"
    file: str = ""
    height: float | None = None  # m from black to white, or from the lowest to the highest point


BaseSpec: TypeAlias = LevelBase | NoiseBase | FileBase


@dataclass(frozen=True, slots=True)
class NoiseLayer(NoiseBase):
    """More hills on top; their name sets them apart from others of the same seed."""

    name: str = "hills"


@dataclass(frozen=True, slots=True)
class CratersLayer:
    """Craters at random places: N(larger than D) falls with D to the power of ``law``."""

    type: Literal["craters"] = "craters"
    count: int = number(100, least=0, most=200_000)
    diameter: Range = (2.0, 50.0)
    law: float = number(2.0, above=0.0, most=6.0)  # exponent of how many are larger
    depth: float = number(0.2, least=0.0, most=1.0)  # of the diameter
    rim: float = number(0.04, least=0.0, most=1.0)  # of the diameter
    worn: float = number(0.5, least=0.0, most=1.0)  # fraction of depth lost by erosion at most
    keep_clear: float = number(0.0, least=0.0)  # m around the start


@dataclass(frozen=True, slots=True)
class CraterLayer:
    """One crater at a place."""

    type: Literal["crater"] = "crater"
    x: float = 0.0
    y: float = 0.0
    diameter: float = number(20.0, above=0.0)
    depth: float = number(0.2, least=0.0, most=1.0)  # times the diameter
    rim: float = number(0.04, least=0.0, most=1.0)  # times the diameter


@dataclass(frozen=True, slots=True)
class HillLayer:
    """A round or long hill; a hollow if its height is below zero."""

    type: Literal["hill"] = "hill"
    x: float = 0.0
    y: float = 0.0
    size: Range = (20.0, 20.0)  # m across, up to its edge
    yaw_deg: float = 0.0
    height: float = number(1.0, least=-9000.0, most=9000.0)
    flat: float = number(0.0, least=0.0, most=0.95)  # fraction of the radius that is level on top


@dataclass(frozen=True, slots=True)
class RidgeLayer:
    """A ridge along points; a ditch if its height is negative."""

    type: Literal["ridge"] = "ridge"
    points: tuple[Point, ...] = ()
    width: float = number(4.0, above=0.0)  # m at the foot
    height: float = number(1.0, least=-1000.0, most=1000.0)


@dataclass(frozen=True, slots=True)
class TerraceLayer:
    """Steps of height ``step`` cut into all slopes."""

    type: Literal["terrace"] = "terrace"
    step: float = number(1.0, above=0.0)
    sharpness: float = number(0.8, least=0.0, most=1.0)  # 0: slopes as they were, 1: steps


@dataclass(frozen=True, slots=True)
class SteepestLayer:
    """Stretch all heights so far so that the steepest triangle has this slope."""

    type: Literal["steepest"] = "steepest"
    slope_deg: float = number(25.0, above=0.0, most=85.0)


@dataclass(frozen=True, slots=True)
class FlattenLayer:
    """A level area, blended into the terrain around it over ``blend`` metres."""

    type: Literal["flatten"] = "flatten"
    x: float = 0.0
    y: float = 0.0
    size: Range = (6.0, 6.0)
    yaw_deg: float = 0.0
    round: bool = True
    height: float | None = None  # None: the terrain's height at its centre
    blend: float = number(5.0, above=0.0)


LayerSpec: TypeAlias = (
    NoiseLayer
    | CratersLayer
    | CraterLayer
    | HillLayer
    | RidgeLayer
    | TerraceLayer
    | SteepestLayer
    | FlattenLayer
)


@dataclass(frozen=True, slots=True)
class PathLayer:
    """A path or road along points: evened across its width and, over ``smooth`` metres, along."""

    points: tuple[Point, ...]
    width: float = number(2.0, above=0.0)
    blend: float = number(2.0, least=0.0)
    smooth: float = number(10.0, least=0.0)
    material: str = "gravel"
    name: str = "path"


@dataclass(frozen=True, slots=True)
class SurfaceRule:
    """Where the ground has another material: all conditions must hold; later rules take precedence.

    ``patches`` is the fraction of the area, in random patches of ``patch_size`` metres. A mask is
    an image over the whole terrain, north up: the rule applies where it is brighter than half.
    """

    material: str
    height: Range | None = None
    slope_deg: Range | None = None
    patches: float = number(1.0, above=0.0, most=1.0)
    patch_size: float = number(10.0, above=0.0)
    centre: Point = (0.0, 0.0)
    radius: float | None = None  # m around the centre
    mask: str = ""


@dataclass(frozen=True, slots=True)
class WaterSpec:
    """A still sheet of water; wheels pass through it, cameras and LiDARs see it."""

    level: float = 0.0
    x: float = 0.0
    y: float = 0.0
    size: Range = (20.0, 20.0)
    material: str = "water"


@dataclass(frozen=True, slots=True)
class OpeningSpec:
    """An opening for a tunnel; its walls and roof are a separate prop (a culvert)."""

    x: float = 0.0
    y: float = 0.0
    yaw_deg: float = 0.0
    length: float = number(20.0, above=0.0)
    width: float = number(4.0, above=0.0)
    height: float = number(3.0, above=0.0)  # m from the floor to the top of the roof
    floor: float | None = None  # None: the height of the lower end
    material: str = "gravel"


@dataclass(frozen=True, slots=True)
class Region:
    """Where props may be scattered: all conditions must hold."""

    centre: Point = (0.0, 0.0)
    radius: float | None = None
    size: Range | None = None  # a rectangle about the centre
    height: Range | None = None
    slope_deg: Range | None = None
    materials: tuple[str, ...] = ()  # of the ground; none: all
    mask: str = ""  # an image over the whole land, north up: denser where brighter
    patches: float = number(1.0, above=0.0, most=1.0)
    patch_size: float = number(10.0, above=0.0)


@dataclass(frozen=True, slots=True)
class ScatterSpec:
    """Many props of one kind: a count, or a density per square metre of the region.

    ``size`` scales the prop; N(larger than s) falls with s to the power of ``law`` (0: all sizes
    are equally likely).
    """

    what: str
    name: str = ""
    count: int | None = number(None, least=0, most=1_000_000)
    density: float | None = number(None, least=0.0, most=1000.0)  # per m^2
    size: Range = (1.0, 1.0)
    law: float = number(0.0, least=0.0, most=6.0)  # exponent of how many are larger
    variants: int = number(4, least=1, most=64)
    region: Region = Region()
    keep_clear: float = number(0.5, least=0.0)  # m from paths, water and the centres of other props
    clear_start: float = number(2.0, least=0.0)  # m around the start
    sink: float = number(0.1, least=0.0, most=1.0)  # fraction of its size sunk into the ground
    tilt: bool = False  # whether it tilts with the ground
    collide: bool = True
    parameters: Data = field(default_factory=dict)
    seed: int | None = number(None, least=0, most=SEED_MOST)  # None: the terrain's


class GroundDefaults:
    """What may be asked of every kind of ground; kinds that have such a key replace it."""

    __slots__ = ()

    material: str = ""
    texture: str = ""
    seed: int = 0
    water: tuple[WaterSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class TerrainGround(GroundDefaults):
    """Terrain from a recipe: a base, layers in order, paths, materials and water.

    ``cell`` is the distance between height samples in metres.
    """

    type: Literal["terrain"] = "terrain"
    size: Range = (100.0, 100.0)
    centre: Point = (0.0, 0.0)
    cell: float = number(0.5, above=0.0, most=1000.0)
    seed: int = number(1, least=0, most=SEED_MOST)
    base: BaseSpec = LevelBase()
    layers: tuple[LayerSpec, ...] = ()
    paths: tuple[PathLayer, ...] = ()
    material: str = "grass"
    surfaces: tuple[SurfaceRule, ...] = ()
    water: tuple[WaterSpec, ...] = ()
    openings: tuple[OpeningSpec, ...] = ()
    pixels: int = number(2048, least=0, most=16384)  # of the colour map's longer side; 0: none
    z: float | None = None  # height at x = y = 0; None: as the layers give it


@dataclass(frozen=True, slots=True)
class EndlessGround(GroundDefaults):
    """Terrain from a map of any size, which stays on disk, at full resolution everywhere.

    The base is a file (.npy, image or elevation file; its own cells are used) or noise with cells
    of ``cell`` metres. ``surfaces`` only colour it; for wheels it has one material.
    """

    type: Literal["endless"] = "endless"
    size: Range = (15_000.0, 15_000.0)
    cell: float = number(2.0, above=0.0, most=1000.0)
    seed: int = number(1, least=0, most=SEED_MOST)
    base: BaseSpec = NoiseBase("noise", 400.0, 4000.0, 11, 0.42)
    material: str = "grass"
    surfaces: tuple[SurfaceRule, ...] = ()
    pixels: int = number(2048, least=0, most=16384)
