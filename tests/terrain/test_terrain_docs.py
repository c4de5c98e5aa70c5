"""What the pages on terrain and materials show must run."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from outrider.core.files.yaml_file import parse_yaml
from outrider.core.structure import from_data
from outrider.loader.library import load_world_spec
from outrider.loader.materials import library_materials
from outrider.loader.world import build_world
from outrider.specs.world import WorldSpec

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "terrain.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_quarry_of_the_page_is_a_world():
    spec = from_data(WorldSpec, parse_yaml(blocks("yaml")[0], "page"), "page")
    world = build_world(replace(spec, ground=replace(spec.ground, pixels=64)))
    assert {"water", "landmark", "rocks_0", "bushs_1"} <= {m.name for m in world.models}
    textures = {g.material.texture for g in world.models[0].links[0].visuals}
    assert all(Path(texture).is_file() for texture in textures)


def test_the_lines_of_python_run_as_printed():
    names = {}
    for code in blocks("python"):
        exec(code, names)
    assert np.linalg.norm(names["sim"].robots["jackal"].pose.position[:2]) > 0.8


def test_the_endless_world_finds_its_map_beside_the_file(tmp_path):
    text = blocks("yaml")[1].replace("[15000, 15000]", "[200, 300]")
    np.save(tmp_path / "map.npy", np.arange(21 * 31, dtype=np.float32).reshape(21, 31) / 100)
    (tmp_path / "far.yaml").write_text(text, encoding="utf-8")
    spec = load_world_spec(tmp_path / "far.yaml")
    world = build_world(replace(spec, ground=replace(spec.ground, pixels=0)))
    assert world.models[0].links[0].visuals[0].shape.triangles == 2 * 20 * 30


def test_the_page_of_materials_names_only_materials_there_are():
    text = (DOCS / "materials.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z, -]+) \| (?:0|passed)", text, re.MULTILINE)
    names = [name.strip() for row in rows for name in row.split(",")]
    assert len(names) > 10
    assert set(names) <= set(library_materials())
