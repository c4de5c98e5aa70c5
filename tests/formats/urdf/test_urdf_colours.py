"""Meshes that others see in the colours of the description."""

from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")

from lxml import etree  # noqa: E402

from outrider.formats.asset_paths import AssetPaths  # noqa: E402
from outrider.formats.urdf.colours import with_colours  # noqa: E402

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
URDF = """<robot name="r"><material name="paint"><color rgba="0.9 0.5 0.1 1"/></material>
<link name="a"><visual><geometry><mesh filename="{file}"/></geometry>{material}</visual>
<collision><geometry><mesh filename="{file}"/></geometry></collision></link></robot>"""


def shown(folder, material, file="part.obj"):
    """Return the mesh files of the visual and of the collision."""
    root = etree.fromstring(
        with_colours(URDF.format(file=file, material=material), AssetPaths(folder))
    )
    meshes = [root.find(f"link/{part}/geometry/mesh") for part in ("visual", "collision")]
    return [mesh.get("filename") for mesh in meshes]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "cache"))
    (tmp_path / "part.obj").write_text(OBJ)
    return tmp_path


@pytest.mark.parametrize(
    ("material", "colour"),
    [
        ('<material name="paint"/>', (230, 128, 26)),
        ('<material name="own"><color rgba="0.2 0.4 0.6 1"/></material>', (51, 102, 153)),
    ],
)
def test_another_program_reads_the_colour_from_the_mesh(folder, material, colour):
    visual, collision = shown(folder, material)
    assert collision == "part.obj"
    seen = trimesh.load(visual, force="mesh")
    assert len(seen.faces) == 1
    np.testing.assert_allclose(seen.visual.material.diffuse[:3], colour, atol=1)


def test_what_has_colours_of_its_own_or_none_stays(folder):
    assert shown(folder, "")[0] == "part.obj"
    assert shown(folder, '<material name="paint"/>', "absent.obj")[0] == "absent.obj"
    assert shown(folder, '<material name="unknown"/>')[0] == "part.obj"
    (folder / "part.obj").write_text("usemtl red\n" + OBJ)
    assert Path(shown(folder, '<material name="paint"/>')[0]).name == "part.obj"


def test_a_cache_that_cannot_be_written_leaves_the_mesh_as_it_is(folder):
    (folder / "cache").write_text("in the way")
    assert Path(shown(folder, '<material name="paint"/>')[0]).name == "part.obj"


def test_robots_of_the_library_are_described_in_colour(folder):
    from outrider.scenarios.bridging import outside_of
    from outrider.scenarios.load import loads
    from outrider.scenarios.run import Run

    run = Run(loads("world: empty\nrobots: [{model: jackal}]"))
    (robot,) = outside_of(run.session, run.runner).robots()
    meshes = {m.get("filename") for m in etree.fromstring(robot.urdf).iterfind(".//visual//mesh")}
    texts = [Path(urlsplit(mesh).path).read_text() for mesh in meshes]
    assert texts
    assert all("usemtl" in text for text in texts)
