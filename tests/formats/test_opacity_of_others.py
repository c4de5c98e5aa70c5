"""One pane as others write it: whatever the format, it is as opaque as the file says."""

import base64
import json

import numpy as np
import pytest
from PIL import Image

from outrider.formats.import_file import as_world, import_file
from outrider.formats.mesh.asset import read_mesh_asset
from outrider.formats.mesh.gltf.write import write_glb
from outrider.formats.mesh.srgb import linear_from_srgb
from outrider.formats.textures import load_texture

BLUE = (0.2, 0.4, 0.9)
WORDS = " ".join(map(str, BLUE))
RED_ASSET = "<material name='g' rgba='1 0 0 1'/>"
OPACITIES = (0.06, 0.1, 0.3, 0.5, 0.9, 1.0)


def obj(folder, material, name="pane"):
    (folder / f"{name}.mtl").write_text(f"newmtl glass\nKd {WORDS}\n{material}\n", "utf-8")
    corners = "v 2 -1 -1\nv 2 1 -1\nv 2 1 1\nv 2 -1 1\n"
    text = f"mtllib {name}.mtl\n{corners}usemtl glass\nf 1 2 3 4\n"
    (folder / f"{name}.obj").write_text(text, "utf-8")
    return folder / f"{name}.obj"


def gltf(folder, factor=(1, 1, 1, 1), texture="", **material):
    points = np.array([[2, -1, -1], [2, -1, 1], [2, 1, 1], [2, 1, -1]], "<f4")
    places = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], "<f4")
    data = points.tobytes() + places.tobytes() + np.array([0, 1, 2, 0, 2, 3], "<u2").tobytes()
    surface = {"baseColorFactor": list(factor)}
    if texture:
        surface["baseColorTexture"] = {"index": 0}
    shape = {"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}
    views = [(0, 48), (48, 32), (80, 12)]
    kinds = [(5126, 4, "VEC3"), (5126, 4, "VEC2"), (5123, 6, "SCALAR")]
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [shape]}],
        "materials": [{"pbrMetallicRoughness": surface, **material}],
        "textures": [{"source": 0}],
        "images": [{"uri": texture or "none.png"}],
        "buffers": [
            {
                "byteLength": len(data),
                "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode(),
            }
        ],
        "bufferViews": [{"buffer": 0, "byteOffset": at, "byteLength": n} for at, n in views],
        "accessors": [
            {"bufferView": i, "componentType": kind, "count": n, "type": of}
            for i, (kind, n, of) in enumerate(kinds)
        ],
    }
    (folder / "pane.gltf").write_text(json.dumps(document), "utf-8")
    return folder / "pane.gltf"


def veil(folder, opacity, colour=BLUE):
    pixels = np.full((8, 8, 4), [*(round(255 * c) for c in colour), round(255 * opacity)], np.uint8)
    Image.fromarray(pixels).save(folder / "veil.png")
    return "veil.png"


def sdf(folder, shape, look):
    visual = f"<visual name='v'><geometry>{shape}</geometry>{look}</visual>"
    model = f"<model name='pane'><static>1</static><link name='l'>{visual}</link></model>"
    (folder / "pane.sdf").write_text(f"<sdf version='1.6'>{model}</sdf>", "utf-8")
    return folder / "pane.sdf"


def mjcf(folder, geom, asset=""):
    body = f"<worldbody><geom type='box' size='.01 1 1' {geom}/></worldbody>"
    (folder / "pane.xml").write_text(f"<mujoco><asset>{asset}</asset>{body}</mujoco>", "utf-8")
    return folder / "pane.xml"


def look(path):
    (model,) = (m for m in as_world(import_file(path)).models if m.name != "ground_plane")
    (shape,) = model.links[0].visuals
    return shape.material


def texel(path):
    return load_texture(look(path).texture)[4, 4].tolist()


@pytest.mark.parametrize("opacity", OPACITIES)
def test_every_format_says_how_opaque_a_pane_is(tmp_path, opacity):
    linear = [linear_from_srgb(c) for c in BLUE]
    box = "<box><size>.02 2 2</size></box>"
    paint = f"<material><diffuse>{WORDS} 1</diffuse></material>"
    clear = f"<transparency>{1 - opacity}</transparency>"
    obj(tmp_path, "", "solid")
    written = [
        lambda: obj(tmp_path, f"d {opacity}"),
        lambda: obj(tmp_path, f"Tr {1 - opacity}"),
        lambda: gltf(tmp_path, (*linear, opacity), alphaMode="BLEND"),
        lambda: sdf(tmp_path, box, paint + clear),
        lambda: sdf(tmp_path, "<mesh><uri>solid.obj</uri></mesh>", clear),
        lambda: mjcf(tmp_path, f"rgba='{WORDS} {opacity}'"),
        lambda: mjcf(tmp_path, "material='g'", f"<material name='g' rgba='{WORDS} {opacity}'/>"),
        lambda: mjcf(tmp_path, f"material='g' rgba='{WORDS} {opacity}'", RED_ASSET),
    ]
    for write in written:
        assert look(write()).colour == pytest.approx((*BLUE, opacity), abs=1e-6)


@pytest.mark.parametrize(("factor", "opacity"), [(0.3, 0.0), (0.4, 1.0), (0.9, 1.0)])
def test_a_mask_is_there_or_not(tmp_path, factor, opacity):
    path = gltf(tmp_path, (1, 1, 1, factor), alphaMode="MASK", alphaCutoff=0.35)
    assert look(path).colour[3] == opacity


@pytest.mark.parametrize(
    ("mode", "opacity", "left"),
    [
        ({}, 0.3, 255),  # OPAQUE: whatever the picture says
        ({"alphaMode": "MASK", "alphaCutoff": 0.25}, 0.3, 255),
        ({"alphaMode": "MASK", "alphaCutoff": 0.25}, 0.2, 0),
        ({"alphaMode": "MASK"}, 0.7, 255),
        ({"alphaMode": "BLEND"}, 0.3, 76),
    ],
)
def test_the_mode_of_a_material_decides_about_its_pictures_opacity(tmp_path, mode, opacity, left):
    assert texel(gltf(tmp_path, texture=veil(tmp_path, opacity), **mode))[3] == left


def test_what_the_picture_of_a_solid_thing_says_of_opacity_makes_no_leaf_of_it(tmp_path):
    path = gltf(tmp_path, texture=veil(tmp_path, 0.3))
    assert not look(path).soft
    path = gltf(tmp_path, texture=veil(tmp_path, 0.3), alphaMode="BLEND")
    assert look(path).soft


def test_a_pictures_light_is_multiplied_by_the_colour(tmp_path):
    linear = [linear_from_srgb(c) for c in BLUE]
    path = gltf(tmp_path, (*linear, 1.0), texture=veil(tmp_path, 1.0, (1, 1, 1)))
    assert texel(path)[:3] == [51, 102, 230]  # BLUE, of 255
    assert look(path).colour == (1, 1, 1, 1)


def test_a_changed_picture_is_adapted_anew(tmp_path):
    path = gltf(tmp_path, (0.5, 0.5, 0.5, 1.0), texture=veil(tmp_path, 1.0, (1, 1, 1)))
    bright = texel(path)
    path = gltf(tmp_path, (0.5, 0.5, 0.5, 1.0), texture=veil(tmp_path, 1.0, (0.5, 0.5, 0.5)))
    path.touch()
    assert texel(path)[0] < bright[0]


def test_glass_that_transmits_light_is_nearly_clear(tmp_path):
    path = gltf(tmp_path, extensions={"KHR_materials_transmission": {"transmissionFactor": 1.0}})
    assert look(path).colour[3] == pytest.approx(0.1)


@pytest.mark.parametrize("opacity", [0.3, 1.0])
def test_a_veil_that_was_written_and_read_again_is_the_same(tmp_path, opacity):
    path = gltf(tmp_path, texture=veil(tmp_path, opacity), alphaMode="BLEND")
    before = texel(path)
    again = tmp_path / "again.glb"
    again.write_bytes(write_glb(as_world(import_file(path)).models[0]))
    assert texel(again) == before


def test_zeros_of_exporters_that_mean_the_transparency_are_turned_round(tmp_path):
    for text in ("d 0", "Tr 1"):
        (part,) = read_mesh_asset(obj(tmp_path, text)).parts
        assert part.opacity == 1.0
