"""Files that were damaged at random end in one sentence, never in a traceback."""

import numpy as np
import pytest
from plain_mesh import read_mesh

from outrider.core.errors import OutriderError
from outrider.core.files.package_files import LIBRARY
from outrider.formats.urdf.read import read_urdf
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world

URDF = b"""<?xml version="1.0"?><robot name="r">
<material name="m"><color rgba="1 0 0 1"/></material>
<link name="a"><inertial><origin xyz="0 0 1" rpy="0 1 0"/><mass value="2.5"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<visual><geometry><mesh filename="a.obj" scale="1 1 1"/></geometry><material name="m"/></visual>
<collision><geometry><box size="1 2 3"/></geometry></collision></link><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1"/><dynamics damping="1" friction="0.1"/></joint>
<gazebo reference="a"><mu1>0.5</mu1></gazebo></robot>"""
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1/1/1 -1//2 2 4\n"
STL = b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
WORLD = (LIBRARY / "worlds" / "playground.yaml").read_bytes().replace(b"0.25", b"1.5", 1)


def damaged(data, rng):
    """Change, drop or repeat a few stretches of bytes."""
    out = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        at, length = rng.integers(0, len(out)), rng.integers(1, 9)
        bytes_ = [bytes(rng.integers(0, 256, length, dtype=np.uint8)), b"", out[at : at + 40] * 2]
        bytes_ += [b"-", b"1e999", b"0", b"nan", b"'", b"\n"]
        out[at : at + length] = bytes_[rng.integers(0, len(bytes_))]
        out = out or bytearray(b" ")
    return bytes(out)


@pytest.mark.parametrize(
    ("name", "data", "read"),
    [
        ("r.urdf", URDF, read_urdf),
        ("d.obj", OBJ, read_mesh),
        ("d.stl", STL, read_mesh),
        ("w.yaml", WORLD, lambda path: build_world(load_world_spec(path))),
    ],
    ids=["urdf", "obj", "stl", "world"],
)
@pytest.mark.filterwarnings("error")
def test_damaged_files_are_read_or_refused(tmp_path, name, data, read):
    (tmp_path / "a.obj").write_bytes(OBJ)
    rng = np.random.default_rng(0)
    path = tmp_path / name
    refused = 0
    for _ in range(200):
        path.write_bytes(damaged(data, rng))
        try:
            read(path)
        except OutriderError:
            refused += 1
    assert refused > 20
