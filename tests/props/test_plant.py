"""Plants kept on disk."""

import numpy as np
import pytest

from outrider.props import plant
from outrider.props.prop import Prop
from outrider.props.tree import SPECIES, tree


def _numbers(prop: Prop) -> list[object]:
    found: list[object] = []
    for part in (*prop.visuals, *prop.colliders):
        found += [part.pose.position.tolist(), part.pose.rotation.tolist(), part.material]
        for name in ("vertices", "faces", "uv", "radius", "length"):
            value = getattr(part.shape, name, None)
            found.append(value.tolist() if isinstance(value, np.ndarray) else value)
    return found


@pytest.mark.parametrize("species", SPECIES)
def test_a_tree_from_the_disk_is_the_one_that_grew(species, tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    grown = tree(3, species=species)
    assert len(list((tmp_path / "plants").iterdir())) == 1
    monkeypatch.setattr(plant, "_packed", lambda _: pytest.fail("it grew again"))
    assert _numbers(tree(3, species=species)) == _numbers(grown)


def test_what_grew_from_other_text_is_not_taken(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    tree(3)
    monkeypatch.setattr(plant, "_version", lambda: "another")
    tree(3)
    assert len(list((tmp_path / "plants").iterdir())) == 2
