"""What the pages on worlds, building and projects show must run, and their figures be true."""

import re
from pathlib import Path

import pytest

from outrider.core.files.yaml_file import parse_yaml
from outrider.core.structure import from_data
from outrider.loader.library import resolve_world_spec
from outrider.loader.materials import library_materials
from outrider.loader.world import build_world
from outrider.specs.world import ModelSpec

DOCS = Path(__file__).resolve().parents[2] / "docs"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_world_and_the_model_of_the_worlds_page_can_be_built():
    world, model = (parse_yaml(text, "page") for text in blocks("worlds.md", "yaml"))
    made = build_world(resolve_world_spec(world, Path(), "page"))
    assert [m.name for m in made.models] == ["ground", "wall", "ball", "table", "shuttle"]
    assert len(from_data(ModelSpec, model).parts) == 2


def test_the_table_of_materials_is_that_of_the_library():
    text = (DOCS / "worlds.md").read_text(encoding="utf-8").partition("\n## Materials\n")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|", text, re.MULTILINE)
    shown = {name: tuple(map(float, figures)) for name, *figures in rows}
    assert shown == {
        name: (m.friction, m.lateral_ratio, m.rolling_resistance)
        for name, m in library_materials().items()
    }


@pytest.mark.parametrize("page", ["build-a-world.md", "projects.md"])
def test_the_lines_of_python_run_as_printed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in blocks(page, "python"):
        exec(code, names)
    if page == "build-a-world.md":
        assert (tmp_path / "robots" / "cart" / "cart.yaml").is_file()
    else:
        assert names["session"].simulation.time_s == pytest.approx(2.0)
