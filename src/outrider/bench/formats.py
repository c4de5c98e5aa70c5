"""Formats: how long large worlds and robots take to import, cold and warm, next to trimesh."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from outrider.bench.measurement import Measurement, middle
from outrider.bench.terrain import heights
from outrider.core.errors import FormatError
from outrider.core.files.package_files import LIBRARY
from outrider.formats.export_file import export_file
from outrider.formats.mesh.gltf.write import write_glb
from outrider.formats.mesh.write import write_mesh
from outrider.formats.urdf.read import read_urdf
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.tessellate import heightfield_mesh

CELLS = 1171  # a side: 2,742,482 triangles
COLD_S, WARM_S, ROBOT_S = 20.0, 4.0, 0.5
_WARM_RUNS = 3
_ROBOT_RUNS = 5


class Formats:
    """Imports, exports and projects; each import runs in a process of its own."""

    def __init__(self, cells: int = CELLS) -> None:
        """``cells`` a side make twice as many triangles, squared."""
        self.cells = cells

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other."""
        with tempfile.TemporaryDirectory() as folder:
            for path in self._terrain(Path(folder)):
                yield from self._world(path)
            yield from self._robots(Path(folder))

    def _terrain(self, folder: Path) -> Iterator[Path]:
        """Write the same terrain in three formats."""
        mesh = heightfield_mesh(heights(self.cells))
        for suffix in (".stl", ".obj"):
            write_mesh(mesh, folder / f"terrain{suffix}")
            yield folder / f"terrain{suffix}"
        world = World("w", (Model("m", (Link("l", None, (Geometry(mesh),)),), mobility="static"),))
        (folder / "terrain.glb").write_bytes(write_glb(world))
        yield folder / "terrain.glb"

    def _world(self, path: Path) -> Iterator[Measurement]:
        """Measure to the end of the scene, and to where the engine could take its first step."""
        what = f"2.7M triangles, {path.suffix[1:].upper()}"
        peers = _peer("peer", path)
        kinds = [("scene", "import and scene")]
        if path.suffix == ".stl":  # beyond the file, the format does not matter
            kinds.append(("ready", "import, scene and engine"))
        for kind, name in kinds:
            with tempfile.TemporaryDirectory() as cache:
                cold, *_ = _job(kind, path, cache)
                warm, spread = middle([_job(kind, path, cache)[0] for _ in range(_WARM_RUNS)])
            yield Measurement(f"{name}, {what}, cold", cold, "s", "lower", 0.0, peers, limit=COLD_S)
            yield Measurement(
                f"{name}, {what}, warm", warm, "s", "lower", spread, peers, limit=WARM_S
            )

    def _robots(self, folder: Path) -> Iterator[Measurement]:
        jackal = folder / "jackal.urdf"
        export_file(read_urdf(LIBRARY / "robots" / "jackal" / "jackal.urdf"), jackal)
        yield self._robot("Jackal of the library, URDF", jackal, folder / "jackal_files")

    def _robot(self, name: str, path: Path, meshes: Path) -> Measurement:
        with tempfile.TemporaryDirectory() as cache:
            seconds = [_job("robot", path, cache)[0] for _ in range(_ROBOT_RUNS)]
        value, spread = middle(seconds)
        peers = {f"{name}, its meshes alone": t for name, t in _peer("peer_meshes", meshes).items()}
        return Measurement(f"import, {name}", value, "s", "lower", spread, peers, limit=ROBOT_S)


def _peer(kind: str, path: Path) -> dict[str, float]:
    if find_spec("trimesh") is None:
        return {}
    with tempfile.TemporaryDirectory() as cache:
        return {"trimesh": _job(kind, path, cache)[0]}


def _job(kind: str, path: Path, cache: str) -> tuple[float, float]:
    """Return seconds and megabytes of one import in a new process."""
    done = subprocess.run(
        [sys.executable, "-m", "outrider.bench.format_job", kind, str(path)],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "OUTRIDER_CACHE": cache},
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise FormatError(f"the benchmark '{kind}' of {path.name} failed: {reason}")
    found: dict[str, float] = json.loads(done.stdout)
    return found["seconds"], found["memory_mb"]
