"""FBX files, read by Assimp."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.files.scratch import scratch_folder
from outrider.core.structure import Data
from outrider.formats.mesh.opacity import OpacityMap, visible
from outrider.formats.mesh.polygons import as_faces, weld
from outrider.formats.mesh.raw import GREY, RawAsset, RawGroup, RawMaterial, RawMesh

_LONGEST_S = 300


def read_fbx(path: Path, data: bytes) -> RawAsset:
    """Return the triangles of an FBX file in metres; its pictures lie beside it."""
    del data  # Assimp opens the file itself
    if find_spec("assimp_py") is None:
        raise FormatError(f"{path}: FBX files need Assimp: pip install 'outrider[fbx]'")
    with scratch_folder() as folder:
        found = folder / "found.npz"
        _run(path, found)
        with np.load(found, allow_pickle=False) as stored:
            return _asset({name: stored[name] for name in stored.files})


def _run(path: Path, out: Path) -> None:
    job = Path(__file__).with_name("fbx_job.py")
    try:
        done = subprocess.run(
            [sys.executable, str(job), str(path.resolve()), str(out)],
            check=False,
            capture_output=True,
            text=True,
            timeout=_LONGEST_S,
        )
    except subprocess.TimeoutExpired:
        raise FormatError(f"{path}: Assimp took longer than {_LONGEST_S} s") from None
    if done.returncode or not out.is_file():
        said = (done.stderr.strip().splitlines() or ["Assimp crashed"])[-1]
        reason = said.partition("Error: ")[2] or said
        raise FormatError(f"{path}: the FBX file cannot be read: {reason[:200]}")


def _asset(arrays: Data) -> RawAsset:
    about = json.loads(arrays["about"].tobytes())
    meshes = []
    for i, (name, material) in enumerate(about["groups"]):
        points, number = weld(arrays[f"points{i}"])  # Assimp has a vertex for each corner
        own = as_faces(arrays[f"faces{i}"])
        group = RawGroup(name, str(material), number[own], own if f"uv{i}" in arrays else None)
        meshes.append(RawMesh(points, (group,), arrays.get(f"uv{i}"), (name,)))
    looks = {str(i): _look(material) for i, material in enumerate(about["materials"])}
    return RawAsset(tuple(meshes), looks, up_axis="Y")


def _look(material: Data) -> RawMaterial:
    colour = [min(max(v, 0.0), 1.0) for v in material["colour"][:3]]
    r, g, b = colour if len(colour) == 3 else GREY[:3]
    colour_and_opacity = r, g, b, visible(material["opacity"])
    # by Assimp's and Blender's reading white is opaque, whatever the name of the property says
    holes = OpacityMap(material["opacity_map"]) if material["opacity_map"] else None
    return RawMaterial(colour_and_opacity, material["texture"], opacity=holes)
