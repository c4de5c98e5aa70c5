"""Worlds written to files: they read back to the same thing, wherever their files lie."""

import os
import signal
import subprocess
import sys

import pytest

from outrider.core.errors import OutriderError
from outrider.loader.library import library_names, load_world_spec
from outrider.loader.save import save_model, save_world, seen_from
from outrider.specs.world import (
    BoxSpec,
    CapsuleSpec,
    ConeSpec,
    CylinderSpec,
    FlatGround,
    HeightmapGround,
    MeshGround,
    MeshSpec,
    ModelEntry,
    ModelSpec,
    NoGround,
    ObjectSpec,
    PartSpec,
    PathSpec,
    PoseSpec,
    SphereSpec,
    WorldSpec,
)
from outrider.world.materials import Material, Roughness
from outrider.world.model import GeoOrigin, Light


@pytest.mark.parametrize("name", library_names("worlds"))
def test_worlds_of_the_library_read_back_to_the_same(name, tmp_path):
    spec = load_world_spec(name)
    assert load_world_spec(save_world(spec, tmp_path / "w.yaml")) == spec


def everything(folder) -> WorldSpec:
    """Return a world that uses every key, with odd numbers."""
    file = str(folder / "assets" / "thing.obj")
    parts = (
        PartSpec(CapsuleSpec(radius=1 / 3, length=0.1), PoseSpec(0.1, z=0.2, roll_deg=1e-5)),
        PartSpec(MeshSpec(file=file, scale=(1.0, 2.0, -3.0)), material="ice", colour=(0, 0, 1, 1)),
    )
    objects = (
        ObjectSpec("yes", BoxSpec(size=(1e-3, 2e7, 1 / 7)), PoseSpec(z=None), mass=0.1),
        ObjectSpec("1e3", SphereSpec(radius=0.5), texture=file),
        ObjectSpec("ü: #", CylinderSpec(), path=PathSpec(((0.0, 1.0, 2.0), (3.0, 4.0, 5.0)))),
        ObjectSpec("cone", ConeSpec(), colour=(0.1, 0.2, 0.3, 0.4)),
        ObjectSpec("group", None, parts=parts, mass=2.0),
    )
    return WorldSpec(
        "every thing",
        "all: of it",
        "",
        (0.1, 0.0, -1.62),
        GeoOrigin(-33.5, 151.25, 12.5),
        FlatGround(size=(3.0, 4.0), slope_deg=2.5, texture=file),
        objects,
        (ModelEntry(file, "m", PoseSpec(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), fixed=True),),
        materials={
            "own": Material(friction=0.123456789012345, roughness=Roughness(1e-5), texture=file)
        },
        lights=(Light("lamp", "spot", (1.0, 2.0, 3.0)),),
        ambient=(0.1, 0.1, 0.1),
        sky=(0.0, 0.0, 0.0),
        start=PoseSpec(1.0, yaw_deg=-90.0),
    )


def test_every_key_reads_back_to_the_last_bit(tmp_path):
    spec = everything(tmp_path)
    path = save_world(spec, tmp_path / "worlds" / "w.yaml")
    assert load_world_spec(path) == spec
    assert "../assets/thing.obj" in path.read_text()
    assert str(tmp_path) not in path.read_text()


@pytest.mark.parametrize(
    "ground",
    [
        NoGround(),
        MeshGround(file="/far/away/a.obj", scale=2.0),
        HeightmapGround(file="/far/away/a.tif", size=(1.0, 2.0, 3.0)),
    ],
    ids=lambda ground: ground.type,
)
def test_every_ground_reads_back(ground, tmp_path):
    spec = WorldSpec("w", ground=ground)
    path = save_world(spec, tmp_path / "deep" / "down" / "w.yaml")
    assert load_world_spec(path) == spec


def test_a_saved_folder_can_be_moved(tmp_path):
    spec = everything(tmp_path / "a")
    save_world(spec, tmp_path / "a" / "worlds" / "w.yaml")
    (tmp_path / "a").rename(tmp_path / "b")
    moved = load_world_spec(tmp_path / "b" / "worlds" / "w.yaml")
    assert moved.models[0].file == str(tmp_path / "b" / "assets" / "thing.obj")


def test_a_saved_file_is_written_as_people_write_it(tmp_path):
    item = ObjectSpec("crate", BoxSpec(size=(0.4, 0.4, 0.4)), PoseSpec(3.0, yaw_deg=20.0), 4.0)
    path = save_world(WorldSpec("yard", objects=(item,)), tmp_path / "w.yaml")
    assert path.read_text() == (
        "name: yard\n"
        "ground: {type: flat}\n"
        "objects:\n"
        "- name: crate\n"
        "  shape: {type: box, size: [0.4, 0.4, 0.4]}\n"
        "  pose: {x: 3.0, yaw_deg: 20.0}\n"
        "  mass: 4.0\n"
    )


def test_files_far_away_keep_their_whole_path(tmp_path):
    deep = tmp_path / "a" / "b" / "c" / "d"
    assert seen_from(tmp_path, tmp_path / "x.obj") == "x.obj"
    assert seen_from(deep, tmp_path / "a" / "b" / "x.obj") == "../../x.obj"
    assert seen_from(deep, tmp_path / "x.obj") == str(tmp_path / "x.obj")


def test_models_are_saved_too(tmp_path):
    spec = ModelSpec("tree", mass=3.0, parts=(PartSpec(ConeSpec(), PoseSpec(z=1.0)),))
    text = save_model(spec, tmp_path / "tree.yaml").read_text()
    assert text.startswith("name: tree\nmass: 3.0\nparts:")


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutriderError, match=r"w\.yaml: cannot be written"):
        save_world(WorldSpec(), tmp_path / "file" / "w.yaml")


_SAVES = """
import sys
from pathlib import Path
from outrider.loader.save import save_world
from outrider.specs.world import BoxSpec, ObjectSpec, WorldSpec
count = 0
while True:
    count += 1
    items = tuple(ObjectSpec(f"box_{i}_{count}", BoxSpec()) for i in range(500))
    save_world(WorldSpec(objects=items), Path(sys.argv[1]))
    print(count, flush=True)
"""


def test_a_save_that_is_killed_leaves_a_whole_file(tmp_path):
    path = tmp_path / "w.yaml"
    process = subprocess.Popen(
        [sys.executable, "-c", _SAVES, str(path)], stdout=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    last = process.communicate()[0].split()[-1:] or ["2"]
    names = {item.name.split("_")[2] for item in load_world_spec(path).objects}
    assert len(names) == 1
    assert int(names.pop()) >= int(last[0])
