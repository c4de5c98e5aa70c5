"""One import in a process of its own, timed: ``python -m outrider.bench.format_job KIND FILE``."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil


def ready(path: Path) -> None:
    """Import a world, build the scene for rays and the model for the engine."""
    from outrider.formats.import_file import as_world, import_file
    from outrider.physics.mujoco.model import MujocoModel
    from outrider.scene.scene import Scene
    from outrider.world.assembly import assemble

    assembly = assemble(as_world(import_file(path)))
    Scene(assembly)
    MujocoModel(assembly, 0.0025)


def scene(path: Path) -> None:
    """Import a world and build the scene for rays."""
    from outrider.formats.import_file import as_world, import_file
    from outrider.scene.scene import Scene
    from outrider.world.assembly import assemble

    Scene(assemble(as_world(import_file(path))))


def robot(path: Path) -> None:
    """Import a robot's description."""
    from outrider.formats.import_file import import_file

    import_file(path)


def peer(path: Path) -> None:
    """Load a mesh with trimesh, and nothing else."""
    import trimesh

    trimesh.load(path)


def peer_meshes(path: Path) -> None:
    """Load all meshes of a folder with trimesh, and nothing else."""
    import trimesh

    for file in sorted(path.rglob("*")):
        if file.suffix in (".obj", ".stl"):
            trimesh.load(file)


JOBS: dict[str, Callable[[Path], None]] = {
    "ready": ready,
    "scene": scene,
    "robot": robot,
    "peer": peer,
    "peer_meshes": peer_meshes,
}
_MODULES = {
    "peer": ("trimesh",),
    "peer_meshes": ("trimesh",),
}
_OURS = (
    "mujoco",
    "numba",
    "embreex",
    "outrider.formats.import_file",
    "outrider.scene.scene",
    "outrider.physics.mujoco.model",
)


def main() -> None:
    """Time one job; modules are imported before, for us and for the peer alike."""
    kind, path = sys.argv[1], Path(sys.argv[2])
    for module in _MODULES.get(kind, _OURS):
        __import__(module)
    began = time.perf_counter()
    JOBS[kind](path)
    seconds = time.perf_counter() - began
    memory = psutil.Process().memory_info().rss / 2**20
    sys.stdout.write(json.dumps({"seconds": seconds, "memory_mb": memory}))


if __name__ == "__main__":
    main()
