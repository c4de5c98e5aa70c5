"""Meshes with bytes changed, cut, repeated: each is read or ends in one sentence, soon."""

import json

import numpy as np
import pytest
from plain_mesh import read_mesh

from outrider.core.errors import OutriderError
from outrider.formats.elevation.heightmap import read_heightmap
from outrider.formats.mesh.asset import read_mesh_asset
from outrider.formats.mesh.write import mesh_bytes
from outrider.world.shapes import Box, Mesh
from outrider.world.tessellate import tessellate

MUTATIONS = 300
BOX = tessellate(Box((1.0, 2.0, 3.0)))
TEXTURED = Mesh(BOX.vertices, BOX.faces, "", BOX.vertices[:, :2].copy())
OBJ = b"""mtllib a.mtl
o thing
v 0 0 0
v 1 0 0 1
v 1 1 0
v 0.5 0.2 0
v 0 1 -1e-1
vt 0 0
vt 1 .5
usemtl red
f 1/1 2/2/1 3//1 4 5/2
f -1 -2 -3
g other
usemtl blue
f 1/1/1 2/2/1 3/1/1
"""
ASCII_STL = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
PLY = b"""ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
property uchar red
property uchar green
property uchar blue
element face 2
property list uchar int vertex_indices
end_header
0 0 0 1 2 3
1 0 0 1 2 3
1 1 0 1 2 3
0 1 0 1 2 3
4 0 1 2 3
3 0 1 2
"""
DAE = b"""<COLLADA><asset><unit meter="0.5"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique><phong><diffuse><color>1 0 0 1</color>
</diffuse><transparency><float>0.5</float></transparency></phong></technique></profile_COMMON>
</effect></library_effects><library_materials><material id="m"><instance_effect url="#e"/>
</material></library_materials><library_geometries><geometry id="g"><mesh><source id="p">
<float_array id="a">0 0 0 4 0 0 4 4 0 0 4 0 1 1 0 2 1 0 2 2 0</float_array><technique_common>
<accessor source="#a" count="7" stride="3"/></technique_common></source><vertices id="v">
<input semantic="POSITION" source="#p"/></vertices><polygons material="x"><input semantic="VERTEX"
source="#v" offset="0"/><ph><p>0 1 2 3</p><h>4 5 6</h></ph><p>0 1 2</p></polygons><polylist>
<input semantic="VERTEX" source="#v" offset="0"/><vcount>4 3</vcount><p>0 1 2 4 0 1 2</p>
</polylist></mesh></geometry></library_geometries><library_nodes><node id="l">
<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="x"
target="#m"/></technique_common></bind_material></instance_geometry></node></library_nodes>
<library_visual_scenes><visual_scene id="s"><node><rotate>1 0 0 30</rotate><instance_node url="#l"/>
<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""
ASC = b"ncols 3\nnrows 2\nxllcorner 5\nyllcorner 6\ncellsize 10\nnodata_value -9\n1 2 3\n4 -9 6\n"


def gltf():
    data = "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAAA="
    text = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "rotation": [0, 0, 0, 1], "children": [1]}, {"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 6},
        ],
        "buffers": [{"byteLength": 42, "uri": data}],
    }
    return json.dumps(text).encode()


def glb():
    text = gltf()
    text += b" " * (-len(text) % 4)
    head = b"glTF" + (2).to_bytes(4, "little") + (20 + len(text)).to_bytes(4, "little")
    return head + len(text).to_bytes(4, "little") + b"JSON" + text


WHOLE = {
    "obj": OBJ,
    "stl": mesh_bytes(BOX, ".stl"),
    "text.stl": ASCII_STL,
    "ply": mesh_bytes(TEXTURED, ".ply"),
    "text.ply": PLY,
    "dae": DAE,
    "gltf": gltf(),
    "glb": glb(),
    "asc": ASC,
}


def damaged(whole, random):
    """Change a few bytes, digits or words; sometimes cut, drop or repeat a piece."""
    data = bytearray(whole)
    for _ in range(random.integers(1, 4)):
        place = int(random.integers(0, len(data)))
        match random.integers(0, 6):
            case 0:
                data[place] = random.integers(0, 256)
            case 1:
                digits = [k for k, byte in enumerate(data) if 48 <= byte <= 57] or [place]
                data[digits[random.integers(0, len(digits))]] = random.integers(48, 58)
            case 2:
                del data[place : place + int(random.integers(1, 40))]
            case 3:
                data[place:place] = data[place : place + int(random.integers(1, 40))]
            case 4:
                data[place:place] = random.choice(
                    [b"-", b"9999999999", b"nan", b" 1e308 ", b"\0", b"/", b"<", b"[", b"#", b'"']
                )
            case 5:
                del data[place + 1 :]
        if not data:
            return bytes(whole[:1])
    return bytes(data)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", WHOLE)
def test_damaged_files_are_read_or_refused_in_a_sentence(tmp_path, name):
    random = np.random.default_rng(7)
    outcomes = {"read": 0, "refused": 0}
    for k in range(MUTATIONS):
        path = tmp_path / f"{k}.{name}"
        path.write_bytes(damaged(WHOLE[name], random))
        try:
            if name == "asc":
                read_heightmap(path)
            else:
                read_mesh_asset(path)
                read_mesh(path)
            outcomes["read"] += 1
        except OutriderError as error:
            outcomes["refused"] += 1
            sentence = str(error)
            if str(path) not in sentence or "\n" in sentence:
                pytest.fail(f"not one sentence that names the file: {sentence}")
        path.unlink()
    assert min(outcomes.values()) > 5, outcomes


@pytest.mark.parametrize("name", WHOLE)
def test_the_files_that_are_damaged_are_good(tmp_path, name):
    path = tmp_path / f"good.{name}"
    path.write_bytes(WHOLE[name])
    if name == "asc":
        assert read_heightmap(path).field.heights.shape == (3, 2)
    else:
        assert len(read_mesh(path).faces) > 0
