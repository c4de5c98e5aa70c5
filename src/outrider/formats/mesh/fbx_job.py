"""An FBX file read by Assimp in a process of its own: ``python fbx_job.py FILE OUT``.

A damaged file may crash Assimp; it takes this process with it, not the simulator.
"""

import json
import sys
from pathlib import Path
from typing import Any

import assimp_py
import numpy as np

from outrider.core.structure import Data


def main() -> None:
    """Write all triangles of the file, in metres, as named arrays."""
    flags = (
        assimp_py.Process_Triangulate
        | assimp_py.Process_SortByPType
        | assimp_py.Process_GlobalScale
    )
    scene = assimp_py.import_file(sys.argv[1], flags)
    arrays: Data = {}
    names: list[tuple[str, int]] = []
    _walk(scene, scene.root_node, np.eye(4), arrays, names)
    about = {"groups": names, "materials": [_plain(m) for m in scene.materials]}
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    with Path(sys.argv[2]).open("wb") as file:
        np.savez(file, **arrays)


def _walk(scene: Any, node: Any, T_parent: Any, arrays: Data, names: list[tuple[str, int]]) -> None:
    T = T_parent @ np.array(node.transformation, float)
    for index in node.mesh_indices:
        mesh = scene.meshes[index]
        if mesh.num_indices != 3 * mesh.num_faces:
            continue  # lines and points
        number = len(names)
        points = np.array(mesh.vertices, float).reshape(-1, 3)
        arrays[f"points{number}"] = points @ T[:3, :3].T + T[:3, 3]
        faces = np.array(mesh.indices, np.int64).reshape(-1, 3)
        arrays[f"faces{number}"] = faces[:, ::-1] if np.linalg.det(T[:3, :3]) < 0 else faces
        if mesh.texcoords:
            uv = np.array(mesh.texcoords[0], float).reshape(len(points), -1)
            arrays[f"uv{number}"] = uv[:, :2]
        names.append((str(node.name or mesh.name), int(mesh.material_index)))
    for child in node.children:
        _walk(scene, child, T, arrays, names)


def _plain(material: Data) -> Data:
    return {
        "colour": [float(v) for v in material.get("COLOR_DIFFUSE", ())],
        "opacity": float(material.get("OPACITY", 1.0)),
        "texture": _picture(material, assimp_py.TextureType_DIFFUSE),
        "opacity_map": _picture(material, assimp_py.TextureType_OPACITY),
    }


def _picture(material: Data, use: int) -> str:
    found = material.get("TEXTURES", {}).get(use, [])
    return str(found[0]) if found else ""


if __name__ == "__main__":
    main()
