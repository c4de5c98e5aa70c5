"""The ground of a world: a floor, hills, or a site's own terrain."""

from pathlib import Path

from outrider.builders.placed import whole_path
from outrider.core.errors import ConfigError
from outrider.core.structure import Data, from_data
from outrider.specs.file_kinds import is_kind
from outrider.specs.references import rooted
from outrider.specs.world import (
    FlatGround,
    GroundSpec,
    HeightmapGround,
    MeshGround,
    RollingGround,
    Scale,
)
from outrider.terrain.recipe import EndlessGround, TerrainGround


class Ground:
    """The one ground of a world; ``seen`` of False hides it from sensors, not from wheels."""

    def __init__(self, spec: GroundSpec, seen: bool) -> None:
        self.spec = spec
        self.seen = seen


class Floor(Ground):
    """A rectangle with edges, level or sloped: x and y point uphill by the given angles."""

    def __init__(
        self,
        x: float,
        y: float,
        material: str = "concrete",
        *,
        texture: str | Path = "",
        slope_deg: float = 0.0,
        cross_slope_deg: float = 0.0,
        seen: bool = True,
    ) -> None:
        image = whole_path(texture)
        spec = FlatGround("flat", (x, y), slope_deg, cross_slope_deg, material, image)
        super().__init__(spec, seen)


class Hills(Ground):
    """Smooth random hills, level around the origin; ``height`` is from lowest to highest."""

    def __init__(
        self,
        x: float,
        y: float,
        height: float = 1.0,
        wavelength: float = 15.0,
        material: str = "grass",
        *,
        seed: int = 1,
        cell: float = 0.25,
        texture: str | Path = "",
        seen: bool = True,
    ) -> None:
        image = whole_path(texture)
        size = (x, y)
        spec = RollingGround(
            "rolling",
            size,
            cell,
            height=height,
            wavelength=wavelength,
            seed=seed,
            material=material,
            texture=image,
        )
        super().__init__(spec, seen)


class Land(Ground):
    """Terrain from a recipe; further keys as in a world file: base, layers, paths, ..."""

    def __init__(self, x: float, y: float, *, seen: bool = True, **recipe: object) -> None:
        data = {"type": "terrain", "size": [x, y], **recipe}
        super().__init__(from_data(TerrainGround, map_files_of(data), "Land"), seen)


class EndlessLand(Ground):
    """Terrain that stays on disk: an array (.npy), an image or an elevation file."""

    def __init__(
        self, file: str | Path, x: float = 15_000.0, y: float = 15_000.0, **recipe: object
    ) -> None:
        base = {"type": "file", "file": whole_path(file), "height": recipe.pop("height", None)}
        data = {"type": "endless", "size": [x, y], "base": base, **recipe}
        super().__init__(from_data(EndlessGround, data, "EndlessLand"), True)


def map_files_of(data: Data) -> Data:
    """Return a recipe with absolute file paths."""
    found: Data = rooted({"ground": data}, "world", Path())["ground"]
    return found


class Terrain(Ground):
    """A file: an image with its ``size`` in x, y and z, an elevation file, or a mesh."""

    def __init__(
        self,
        file: str | Path,
        size: tuple[float, float, float] | None = None,
        material: str = "soil",
        *,
        texture: str | Path = "",
        scale: Scale = 1.0,
        seen: bool = True,
    ) -> None:
        path, image = whole_path(file), whole_path(texture)
        mesh = is_kind(file, "mesh", "unread mesh")
        if mesh and size is not None:
            raise ConfigError(f"{file}: a mesh has its own size; give a scale")
        if not mesh and scale != 1.0:
            raise ConfigError(f"{file}: heights have no scale; give a size in x, y and z")
        spec: GroundSpec = HeightmapGround("heightmap", path, size, material, image)
        if mesh:
            spec = MeshGround("mesh", path, scale, material, image)
        super().__init__(spec, seen)
