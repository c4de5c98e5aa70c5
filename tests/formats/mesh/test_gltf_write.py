import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from written_models import ROBOTS, links_of, little_world, robot, written

from outrider.core.errors import FormatError
from outrider.formats.elevation.write import grey_png
from outrider.formats.mesh.asset import read_mesh_asset
from outrider.formats.mesh.gltf.write import write_glb
from outrider.world.model import Model, World

trimesh = pytest.importorskip("trimesh")

Y_UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]])


def document(data: bytes) -> dict[str, Any]:
    magic, version, length, size, kind = struct.unpack("<4sIII4s", data[:20])
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON")
    found: dict[str, Any] = json.loads(data[20 : 20 + size])
    return found


@pytest.mark.parametrize("name", ROBOTS)
def test_trimesh_finds_every_link_in_its_place(name: str, tmp_path: Path) -> None:
    model = robot(name)
    path = written(tmp_path, "robot.glb", write_glb(model))
    scene = trimesh.load_scene(path)
    for link, (frame, _, _) in links_of(model).items():
        got, _ = scene.graph.get(link.split("/")[-1])
        np.testing.assert_allclose(got, Y_UP @ frame, atol=1e-9, err_msg=link)


def test_our_own_reader_sees_the_same_triangles_and_colours(tmp_path: Path) -> None:
    model = robot("jackal")
    asset = read_mesh_asset(written(tmp_path, "robot.glb", write_glb(model)))
    low = np.min([part.mesh.vertices.min(axis=0) for part in asset.parts], axis=0)
    high = np.max([part.mesh.vertices.max(axis=0) for part in asset.parts], axis=0)
    np.testing.assert_allclose(high - low, [0.511, 0.428, 0.2625], atol=1e-3)
    wanted = {g.material.colour for link in model.links for g in link.visuals}
    found = {tuple(round(c, 6) for c in part.colour) for part in asset.parts}
    assert found == {tuple(round(c, 6) for c in colour) for colour in wanted}


def test_a_world_has_its_pictures_inside(tmp_path: Path) -> None:
    picture = grey_png(np.arange(16.0).reshape(4, 4) * 4096)
    texture = written(tmp_path, "poster.png", picture)
    data = write_glb(little_world(str(texture)))
    found = document(data)
    assert len(found["images"]) == len(found["textures"]) == 1
    assert picture in data
    scene = trimesh.load_scene(written(tmp_path, "world.glb", data))
    poster = [g for g in scene.geometry.values() if getattr(g.visual, "uv", None) is not None]
    assert len(poster) == 1
    order = np.lexsort(poster[0].vertices.T)
    np.testing.assert_allclose(poster[0].visual.uv[order], [[0, 0], [1, 0], [0, 1], [1, 1]])


def test_shapes_that_are_the_same_are_stored_once() -> None:
    found = document(write_glb(robot("jackal")))
    shown = [node for node in found["nodes"] if "mesh" in node]
    assert len(found["meshes"]) < len(shown)


def test_every_accessor_lies_inside_its_view_and_tells_its_bounds() -> None:
    found = document(write_glb(little_world()))
    for accessor in found["accessors"]:
        view = found["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor["type"]] * 4
        assert accessor["count"] * width == view["byteLength"]
        assert view["byteOffset"] % 4 == 0
    positions = {m["primitives"][0]["attributes"]["POSITION"] for m in found["meshes"]}
    assert all({"min", "max"} <= found["accessors"][i].keys() for i in positions)


def test_leaves_are_cut_out_and_glass_is_blended(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    leaf = tmp_path / "leaf.png"
    image.new("RGBA", (2, 2), (0, 255, 0, 0)).save(leaf)
    found = document(write_glb(little_world(str(leaf))))
    modes = {item["name"]: item.get("alphaMode", "OPAQUE") for item in found["materials"]}
    assert modes["poster"] == "MASK"
    assert modes["grass"] == "OPAQUE"


@pytest.mark.parametrize("thing", [World("nothing"), Model("empty", ())])
def test_nothing_to_show_is_an_error(thing: World | Model) -> None:
    with pytest.raises(FormatError, match=r"empty|nothing"):
        write_glb(thing)
