"""glTF and GLB: what trimesh writes, and by hand what it does not."""

import base64
import io
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from plain_mesh import read_mesh

from outrider.core.errors import FormatError
from outrider.formats.mesh.asset import read_mesh_asset
from outrider.formats.mesh.srgb import linear_from_srgb, srgb_from_linear
from outrider.formats.textures import load_texture
from outrider.world.shapes import Box
from outrider.world.tessellate import tessellate

POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
PLACES = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], "<f4")
FACES = np.array([0, 1, 2, 0, 2, 3], "<u2")


def picture():
    file = io.BytesIO()
    Image.new("RGB", (2, 2), (10, 20, 30)).save(file, "PNG")
    return file.getvalue()


def document(**changes):
    """A textured corner in one buffer: points, texture coordinates, faces, an image."""
    parts = [POINTS.tobytes(), PLACES.tobytes(), FACES.tobytes(), picture()]
    starts = np.cumsum([0, *map(len, parts)])
    views = [
        {"buffer": 0, "byteOffset": int(start), "byteLength": len(part)}
        for start, part in zip(starts, parts, strict=False)
    ]
    found = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Corner", "mesh": 0}],
        "meshes": [
            {
                "name": "Shape",
                "primitives": [
                    {
                        "attributes": {"POSITION": 0, "TEXCOORD_0": 1},
                        "indices": 2,
                        "material": 0,
                    }
                ],
            }
        ],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"bufferView": 3, "mimeType": "image/png"}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5123, "count": 6, "type": "SCALAR"},
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": int(starts[-1])}],
    }
    found |= changes
    return found, b"".join(parts)


def glb(json_part, binary):
    text = json.dumps(json_part).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


@pytest.fixture
def write(tmp_path):
    def write(name="thing.glb", **changes):
        path = tmp_path / name
        path.write_bytes(glb(*document(**changes)))
        return path

    return write


def test_y_up_becomes_z_up_and_the_picture_s_top_v_1(write):
    (part,) = read_mesh_asset(write()).parts
    assert part.name == "Corner"
    assert part.mesh.vertices.shape == (4, 3)
    table = np.column_stack([part.mesh.vertices, part.mesh.uv])[part.mesh.faces]
    assert table[0].tolist() == [[0, 0, 0, 0, 1], [1, 0, 0, 1, 1], [0, 0, 1, 0, 0]]
    assert table[1].tolist() == [[0, 0, 0, 0, 1], [0, 0, 1, 0, 0], [0, -1, 0, 1, 0]]


def test_an_image_inside_the_file_is_kept_where_others_can_open_it(write):
    (part,) = read_mesh_asset(write()).parts
    assert Path(part.texture).is_absolute()
    assert load_texture(part.texture)[0, 0].tolist() == [10, 20, 30, 255]


def test_a_gltf_with_everything_as_data_addresses_is_the_same(tmp_path, write):
    found, binary = document()
    data = base64.b64encode(binary).decode()
    found["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{data}"
    path = tmp_path / "thing.gltf"
    path.write_text(json.dumps(found))
    one, other = read_mesh_asset(path).parts[0], read_mesh_asset(write()).parts[0]
    np.testing.assert_array_equal(one.mesh.vertices, other.mesh.vertices)
    assert one.texture == other.texture


def test_buffers_and_images_may_lie_beside_the_file(tmp_path):
    found, binary = document(images=[{"uri": "my%20wall.png"}])
    found["buffers"][0]["uri"] = "thing.bin"
    (tmp_path / "thing.bin").write_bytes(binary)
    (tmp_path / "my wall.png").write_bytes(picture())
    path = tmp_path / "thing.gltf"
    path.write_text(json.dumps(found))
    assert read_mesh_asset(path).parts[0].texture == str(tmp_path / "my wall.png")


def test_nodes_move_turn_and_scale_their_children(write):
    half = 0.5**0.5
    nodes = [
        {"children": [1], "translation": [10, 0, 0]},
        {"mesh": 0, "name": "n", "rotation": [0, 0, half, half], "scale": [2, 1, 1]},
    ]
    part = read_mesh_asset(write(nodes=nodes)).parts[0]
    tip = part.mesh.vertices[part.mesh.faces[0, 1]]
    np.testing.assert_allclose(tip, [10, 0, 2], atol=1e-9)


def test_a_matrix_is_written_column_by_column_and_mirrors_keep_faces_outward(write):
    matrix = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]
    part = read_mesh_asset(write(nodes=[{"mesh": 0, "matrix": matrix}])).parts[0]
    assert part.mesh.vertices[:, 0].max() == 5.0
    a, b, c = part.mesh.vertices[part.mesh.faces[0]]
    np.testing.assert_allclose(np.cross(b - a, c - a), [0, -1, 0])


def test_colours_count_light_and_become_what_screens_count(write):
    look = {"baseColorFactor": [0.5, 0.0, 1.0, 0.25]}
    plain = read_mesh_asset(write(materials=[{"pbrMetallicRoughness": look}])).parts[0]
    assert plain.colour == pytest.approx((0.7354, 0.0, 1.0, 1.0), abs=1e-4)
    material = {"pbrMetallicRoughness": look, "alphaMode": "BLEND", "doubleSided": True}
    glass = read_mesh_asset(write("glass.glb", materials=[material])).parts[0]
    assert glass.opacity == 0.25
    assert glass.double_sided
    for value in np.linspace(0, 1, 11):
        assert linear_from_srgb(srgb_from_linear(value)) == pytest.approx(value, abs=1e-12)


def test_a_texture_transform_moves_the_places(write):
    texture = {
        "index": 0,
        "extensions": {"KHR_texture_transform": {"offset": [0.5, 0], "scale": [2, 1]}},
    }
    material = {"pbrMetallicRoughness": {"baseColorTexture": texture}}
    part = read_mesh_asset(write(materials=[material])).parts[0]
    assert part.mesh.uv[part.mesh.faces[0]].tolist() == [[0.5, 1], [2.5, 1], [0.5, 0]]


def test_strips_fans_and_bytes_as_fractions_are_read(write):
    found, _ = document()
    strip = [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 5}]}]
    assert len(read_mesh(write("strip.glb", meshes=strip)).faces) == 2
    fan = [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 6}]}]
    assert read_mesh(write("fan.glb", meshes=fan)).faces.shape == (2, 3)
    accessors = found["accessors"]
    accessors[1] = {
        "bufferView": 1,
        "componentType": 5121,
        "count": 4,
        "type": "VEC2",
        "normalized": True,
    }
    assert read_mesh_asset(write("u8.glb", accessors=accessors)).parts[0].mesh.uv.max() <= 1.0


def test_sparse_values_replace_others(write):
    found, _ = document()
    sparse = {
        "count": 1,
        "indices": {"bufferView": 2, "byteOffset": 2, "componentType": 5123},
        "values": {"bufferView": 0, "byteOffset": 36},
    }
    accessors = found["accessors"]
    accessors[0] |= {"sparse": sparse}
    assert read_mesh_asset(write(accessors=accessors)).parts[0].mesh.vertices[:, 0].max() == 0.0


def test_trimesh_s_box_keeps_its_volume_and_shares_its_corners(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    box = tessellate(Box((1.0, 2.0, 3.0)))
    solid = trimesh.Trimesh(box.vertices, box.faces, process=False)
    path = tmp_path / "box.glb"
    path.write_bytes(solid.export(file_type="glb"))
    mesh = read_mesh(path)
    assert len(mesh.vertices) == 8
    np.testing.assert_allclose(np.ptp(mesh.vertices, axis=0), [1.0, 3.0, 2.0])  # z was up there
    assert trimesh.Trimesh(mesh.vertices, mesh.faces, process=False).volume == pytest.approx(6.0)


DRACO = "KHR_draco_mesh_compression"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"extensionsRequired": [DRACO]}, "compressed with Draco.*without compression"),
        ({"extensionsRequired": ["ACME_magic"]}, "needs the extension ACME_magic"),
        ({"asset": {"version": "1.0"}}, "expected glTF version 2, got '1.0'"),
        ({"asset": None}, "expected glTF version 2"),
        ({"nodes": [{"mesh": 7}]}, r"meshes\[7\] does not exist"),
        ({"nodes": [{"mesh": "a"}]}, "must be a whole number, got a"),
        ({"nodes": [{"children": [0]}]}, "its own descendant"),
        ({"nodes": [{"mesh": 0, "scale": [1, 1]}]}, "scale must be 3 finite numbers"),
        ({"nodes": [{"mesh": 0, "rotation": [0, 0, 0, 0]}]}, "length zero"),
        ({"nodes": []}, r"nodes\[0\] does not exist"),
        ({"scenes": 5}, r"scenes\[0\] does not exist"),
        ({"meshes": [5]}, r"meshes\[0\] is not an object"),
        ({"meshes": [{"primitives": [5]}]}, "its JSON does not follow the glTF specification"),
        ({"meshes": [{"primitives": [{"attributes": {}}]}]}, "must be a whole number, got None"),
        ({"buffers": [{"byteLength": 10_000_000_000}]}, "claims 10000000000 bytes"),
        ({"buffers": [{"byteLength": 4, "uri": "gone.bin"}]}, "its file 'gone.bin' is missing"),
        ({"buffers": [{"byteLength": 4, "uri": "../../x.bin"}]}, "is missing"),
    ],
)
def test_bad_files_are_refused_with_their_name(write, changes, sentence):
    with pytest.raises(FormatError, match=rf"thing\.glb.*{sentence}"):
        read_mesh_asset(write(**changes))


@pytest.mark.parametrize(
    ("number", "change", "sentence"),
    [
        (0, {"count": 2_000_000_000}, "2000000000 values needs 24000000000 of 48 bytes"),
        (0, {"count": -1}, "count must be a whole number, got -1"),
        (0, {"componentType": 1}, "no known type"),
        (2, {"count": 3, "componentType": 5125}, "names vertex"),
        (1, {"count": 3}, "expected as many texture coordinates as vertices"),
    ],
)
def test_accessors_are_not_believed_beyond_their_bytes(write, number, change, sentence):
    found, _ = document()
    found["accessors"][number] |= change
    with pytest.raises(FormatError, match=rf"thing\.glb.*{sentence}"):
        read_mesh_asset(write(accessors=found["accessors"]))


def test_lengths_in_the_head_are_checked(tmp_path):
    whole = glb(*document())
    path = tmp_path / "bad.glb"
    path.write_bytes(whole[:8] + (2**32 - 1).to_bytes(4, "little") + whole[12:])
    with pytest.raises(FormatError, match="claims 4294967295 bytes, but has"):
        read_mesh_asset(path)
    path.write_bytes(whole[:12] + (2**31).to_bytes(4, "little") + whole[16:])
    with pytest.raises(FormatError, match="a chunk claims 2147483648 bytes"):
        read_mesh_asset(path)


def test_a_picture_that_cannot_be_had_is_noted(write):
    asset = read_mesh_asset(write(images=[{"bufferView": 0}]))
    assert any("neither PNG nor JPEG" in note for note in asset.notes)
    assert asset.parts[0].texture == ""
