"""Everything a browser needs to draw a simulation: objects, poses and lighting."""

from dataclasses import dataclass, field

import numpy as np

from outrider.core.cache import content_key
from outrider.core.structure import Data
from outrider.render.light import lighting_of
from outrider.render.transparent import of_a_face
from outrider.scene.scene import Part, Scene
from outrider.scene.surface import Floats32
from outrider.ui.stage.materials import Looks, MaterialList
from outrider.ui.stage.mesh import WebMesh, merged
from outrider.ui.stage.shape_meshes import ShapeMeshes
from outrider.ui.stage.tiles import LARGE, Tiles, tiles_of
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Faces


@dataclass(slots=True)
class Stage:
    """One build of a simulation, ready to draw; meshes are fetched by key."""

    manifest: Data
    meshes: dict[str, WebMesh] = field(default_factory=dict)
    tiles: dict[str, Tiles] = field(default_factory=dict)

    def packed(self, key: str) -> bytes | None:
        """Return the mesh with a key, or a tile by ``key.number.fine`` or ``key.number.coarse``."""
        if key in self.meshes:
            return self.meshes[key].packed()
        name, _, rest = key.partition(".")
        number, _, version = rest.partition(".")
        tiles = self.tiles.get(name)
        if tiles is None or not number.isdecimal() or version not in ("fine", "coarse"):
            return None
        if int(number) >= len(tiles):
            return None
        return tiles.mesh(int(number), fine=version == "fine").packed()


class StageMaker:
    """Builds stages one after another; unchanged meshes keep their keys."""

    def __init__(self) -> None:
        self.materials = MaterialList()
        self._pieces = ShapeMeshes()
        self._labels = _OwnerLabels()  # a name keeps its number
        self._tiles: dict[str, Tiles] = {}

    def make(self, scene: Scene) -> Stage:
        """Return the stage of a scene."""
        names = self._labels
        stage = Stage({})
        drawn = scene.drawn()
        groups = [] if drawn is None else [self._static(drawn, names, stage)]
        for part in scene.view.movers:
            label = names.of(scene.assembly.bodies[part.body].name)
            labels = [label] * len(part.names)
            groups.append({"body": part.body, "parts": self._parts(part, labels, stage)})
        stage.manifest = {"groups": groups, "labels": list(names.all), "world": _world(scene)}
        return stage

    def _static(self, part: Part, names: "_OwnerLabels", stage: Stage) -> Data:
        labels = [names.of(name or "world") for name in part.names]
        return {"body": -1, "parts": self._parts(part, labels, stage)}

    def _parts(self, part: Part, labels: list[int], stage: Stage) -> list[Data]:
        """Return the draw calls: one mesh per material, and tiles of very large shapes."""
        alike: dict[Material, list[WebMesh]] = {}
        rows: list[Data] = []
        surface = part.surface
        for geometry, (vertices, faces), label in zip(
            surface.geometry, surface.meshes, labels, strict=True
        ):
            tiles = None
            if len(faces) >= LARGE:
                tiles = self._cut(geometry, vertices, faces, label)
            if tiles is not None:
                rows.append(_tiles_row(tiles, self.materials.looks(geometry.material), stage))
                continue
            piece = self._pieces.piece(geometry, vertices, faces, label)
            alike.setdefault(of_a_face(geometry.material, vertices, faces), []).append(piece)
        for material, pieces in alike.items():
            textured = [p for p in pieces if p.uv is not None]
            plain = [p for p in pieces if p.uv is None]
            looks = self.materials.looks(material)
            rows += [_row(merged(some), looks, stage) for some in (textured, plain) if some]
        return rows

    def _cut(
        self, geometry: Geometry, vertices: Floats32, faces: Faces, label: int
    ) -> Tiles | None:
        """Return a large shape in tiles, cached."""
        key = content_key(vertices, faces, label)
        if key not in self._tiles:
            made = tiles_of(geometry, vertices, faces, label)
            if made is None:
                return None
            self._tiles = {key: made}  # those of the world before are not needed any more
        return self._tiles[key]


class _OwnerLabels:
    def __init__(self) -> None:
        self.all: list[str] = []
        self._numbers: dict[str, int] = {}

    def of(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self.all)
            self.all.append(name)
        return self._numbers[name]


def _row(mesh: WebMesh, looks: Looks, stage: Stage) -> Data:
    key = mesh.key
    stage.meshes[key] = mesh
    return {"mesh": key, "looks": looks}


def _tiles_row(tiles: Tiles, looks: Looks, stage: Stage) -> Data:
    key = f"t{tiles.label}n{len(tiles.positions)}"
    stage.tiles[key] = tiles
    boxes = [[*low.tolist(), *high.tolist()] for low, high in map(tiles.box, range(len(tiles)))]
    return {"tiles": key, "boxes": boxes, "looks": looks}


def _world(scene: Scene) -> Data:
    world = scene.assembly.world
    light = lighting_of(world)
    static = scene.view.static.surface if scene.view.static else None
    low = static.low if static else np.array([-10.0, -10.0, 0.0])
    high = static.high if static else np.array([10.0, 10.0, 0.0])
    return {
        "name": world.name,
        "low": low.tolist(),
        "high": high.tolist(),
        "start": world.start.position.tolist(),
        "ambient": light.ambient.tolist(),
        "sky": light.sky.tolist(),
        "horizon": light.horizon.tolist(),
        "haze": light.haze,
        "lights": [
            {
                "kind": int(row["kind"]),
                "shadows": bool(row["shadows"]),
                "position": row["position"].tolist(),
                "towards": row["towards"].tolist(),
                "colour": row["colour"].tolist(),
                "range": float(row["range"]),
            }
            for row in light.lights
        ],
    }
