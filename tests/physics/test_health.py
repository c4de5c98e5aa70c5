"""How a run ends whose state leaves all bounds."""

import pytest

from outrider.core.errors import UnstableError
from outrider.scenarios.build import build
from outrider.scenarios.load import loads

FALLING = """
world:
  ground: {type: flat, size: [4, 4]}
  objects: [{name: crate, mass: 1, shape: {type: box}, pose: {x: 9, z: 1}}]
robots: []
physics: {step_s: 0.05}
"""


def test_what_falls_for_ever_is_told_from_what_diverges(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    with pytest.raises(UnstableError, match=r"body 'crate/\w+' fell until 10\d\.\d+ s.* no ground"):
        build(loads(FALLING)).run(200.0)
    (saved,) = (tmp_path / "unstable").iterdir()
    assert saved.suffix == ".npz"


def test_a_cache_that_cannot_be_written_is_told_in_the_same_sentence(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "file"))
    with pytest.raises(UnstableError, match=r"could not be saved in .*: Not a directory"):
        build(loads(FALLING)).run(200.0)
