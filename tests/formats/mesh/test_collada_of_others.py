"""Real Collada files: sizes, places and textures, and what pycollada makes of the same files."""

import time
from pathlib import Path

import numpy as np
import pytest
from plain_mesh import read_mesh

from outrider.formats.mesh.asset import asset_geometry, read_mesh_asset
from outrider.formats.textures import load_texture, texture_info

HRATC = "hratc_and_race_worlds/Media/models"


def bounds(asset):
    corners = np.concatenate([part.mesh.vertices for part in asset.parts])
    return corners.min(axis=0), corners.max(axis=0)


def size(asset):
    low, high = bounds(asset)
    return high - low


def faces(asset):
    return sum(len(part.mesh.faces) for part in asset.parts)


def test_the_hratc_ground_is_30_48_metres_square(shared_data):
    asset = read_mesh_asset(shared_data / HRATC / "scenario1.dae")
    np.testing.assert_allclose(size(asset)[:2], [30.48, 30.48], atol=1e-3)
    low, high = bounds(asset)
    assert (low[2], high[2]) == (pytest.approx(-0.778, abs=1e-3), pytest.approx(3.341, abs=1e-3))
    assert faces(asset) == 6400
    assert len(read_mesh(shared_data / HRATC / "scenario1.dae").vertices) == 3362
    grass = [part for part in asset.parts if part.texture]
    assert {Path(part.texture).name for part in grass} == {"Vegetation_Grass1.jpg"}
    assert any("unit 0.0254 m applied" in note for note in asset.notes)


def test_of_sketchup_s_double_faces_the_grass_is_seen(shared_data):
    asset = read_mesh_asset(shared_data / HRATC / "scenario1.dae")
    (ground,) = asset_geometry(asset)
    assert Path(ground.material.texture).name == "Vegetation_Grass1.jpg"
    assert len(ground.shape.faces) == 3200
    a, b, c = np.moveaxis(ground.shape.vertices[ground.shape.faces], 1, 0)
    assert np.cross(b - a, c - a)[:, 2].min() > 0
    pine = asset_geometry(read_mesh_asset(shared_data / HRATC / "PineTree.dae"))
    assert sum(len(geometry.shape.faces) for geometry in pine) == 186_652 // 2


def test_the_olive_tree_is_opaque_with_its_leaves_cut_out(shared_data):
    asset = read_mesh_asset(shared_data / HRATC / "OliveTree1.dae")
    np.testing.assert_allclose(size(asset), [2.78, 3.03, 2.98], atol=0.01)
    assert len(asset.parts) == 73
    assert {part.opacity for part in asset.parts} == {1.0}
    assert all(part.double_sided for part in asset.parts)
    textures = {Path(part.texture).name for part in asset.parts}
    assert textures == {"texture0.png", "texture0.jpg"}
    leaves = next(part.texture for part in asset.parts if part.texture.endswith(".png"))
    assert texture_info(leaves).mode == "RGBA"
    opacity = load_texture(leaves)[..., 3]
    assert opacity.min() < 64 < 250 < opacity.max()
    assert len(asset_geometry(asset)) == 2


def test_the_pine_tree_is_made_of_library_nodes(shared_data):
    start = time.process_time()
    asset = read_mesh_asset(shared_data / HRATC / "PineTree.dae")
    assert time.process_time() - start < 3.0
    assert faces(asset) == 186_652
    np.testing.assert_allclose(size(asset), [5.17, 5.21, 6.35], atol=0.01)
    assert {part.opacity for part in asset.parts} == {1.0}


def test_agriculture_stands_upright_with_its_barn_in_place(shared_data):
    start = time.process_time()
    path = shared_data / "cpr_agriculture_gazebo" / "meshes" / "agriculture_world.dae"
    asset = read_mesh_asset(path)
    assert time.process_time() - start < 1.0
    assert faces(asset) == 17_820
    low, high = bounds(asset)
    np.testing.assert_allclose(low, [-36.4, -59.3, -4.8], atol=0.06)
    np.testing.assert_allclose(high, [83.6, 100.7, 13.3], atol=0.06)
    barn = read_mesh_asset(path, submesh="Barn.001")
    low, high = bounds(barn)
    np.testing.assert_allclose((low + high)[:2] / 2, [-1.5, 20.6], atol=0.1)
    np.testing.assert_allclose(high - low, [22.5, 32.4, 7.6], atol=0.1)
    ground = read_mesh_asset(path, submesh="Ground")
    np.testing.assert_allclose(size(ground)[:2], [120.0, 160.0], atol=0.1)
    assert faces(ground) == 384
    missing = [note for note in asset.notes if "there is no texture" in note]
    assert len(missing) == 2
    assert any("AgriBakeLarge.jpg" in note for note in missing)


def test_create_1_has_its_tga_texture_and_its_diameter(shared_data):
    asset = read_mesh_asset(shared_data / "create_description" / "meshes" / "create_1.dae")
    (part,) = asset.parts
    assert Path(part.texture).name == "create_1.tga"
    assert load_texture(part.texture).shape == (1024, 1024, 4)
    assert part.opacity == 1.0
    np.testing.assert_allclose(size(asset)[:2], [0.33, 0.33], atol=0.005)


def test_create_2_keeps_its_six_colours_and_not_its_lamp(shared_data):
    asset = read_mesh_asset(shared_data / "create_description" / "meshes" / "create_2.dae")
    assert len({part.colour for part in asset.parts}) == 6
    assert faces(asset) == 3328


@pytest.mark.parametrize(
    ("name", "texture", "length"),
    [
        ("board", "car.png", 0.392),
        ("chasi", "carbon_diffuse.png", 0.329),
        ("laser", "car.png", 0.074),
        ("wheel", "car.png", 0.059),
        ("marker", "car_marker_6x6_250_id_9.jpg", 0.029),
        ("camera", "", 0.09),
        ("camera_board", "", 0.096),
    ],
)
def test_the_parts_of_autominy_have_their_size_and_texture(shared_data, name, texture, length):
    asset = read_mesh_asset(shared_data / "autominy_car_description" / "meshes" / f"{name}.dae")
    assert size(asset)[0] == pytest.approx(length, abs=2e-3)
    found = {Path(part.texture).name for part in asset.parts}
    assert texture in found
    assert not [note for note in asset.notes if "there is no" in note]


@pytest.mark.parametrize(
    "name",
    [
        f"{HRATC}/scenario1.dae",
        f"{HRATC}/OliveTree1.dae",
        f"{HRATC}/OliveTree2.dae",
        "cpr_agriculture_gazebo/meshes/agriculture_world.dae",
        "create_description/meshes/create_1.dae",
        "create_description/meshes/create_2.dae",
        "autominy_car_description/meshes/chasi.dae",
        "farley_lab_pieces/bumps/meshes/bumps.dae",
    ],
)
def test_pycollada_sees_the_same_surface(shared_data, name):
    """It walks the scene itself; its units and axes are left as in the file, so they are added."""
    collada = pytest.importorskip("collada")
    path = shared_data / name
    document = collada.Collada(str(path), ignore=[collada.DaeError])
    triangles = []
    for geometry in document.scene.objects("geometry"):
        for primitive in geometry.primitives():
            cut = getattr(primitive, "triangleset", lambda same=primitive: same)()
            if type(cut).__name__ == "BoundTriangleSet":  # not lines
                triangles.append(cut.vertex[cut.vertex_index])
    theirs = np.concatenate(triangles).astype(float) * document.assetInfo.unitmeter
    mine = np.concatenate([p.mesh.vertices[p.mesh.faces] for p in read_mesh_asset(path).parts])
    assert len(mine) == len(theirs)
    np.testing.assert_allclose(mine.min(axis=(0, 1)), theirs.min(axis=(0, 1)), atol=1e-5)
    np.testing.assert_allclose(mine.max(axis=(0, 1)), theirs.max(axis=(0, 1)), atol=1e-5)
    np.testing.assert_allclose(mine.mean(axis=(0, 1)), theirs.mean(axis=(0, 1)), atol=1e-5)
