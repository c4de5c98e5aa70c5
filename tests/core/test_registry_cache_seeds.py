import os
from pathlib import Path

import numpy as np
import pytest

from outrider.core.cache import cached, content_key
from outrider.core.errors import ConfigError
from outrider.core.registry import Registry
from outrider.core.seeds import generator


def test_a_registry_loads_only_what_is_asked_for() -> None:
    registry = Registry("thing", {"counter": "collections:Counter", "broken": "no.such:Thing"})
    assert registry.load("counter")("aab")["a"] == 2
    assert list(registry) == ["broken", "counter"]


def test_an_unknown_name_is_refused_with_a_near_match_and_the_list() -> None:
    registry = Registry("thing", {"counter": "collections:Counter"})
    with pytest.raises(ConfigError) as error:
        registry.load("countr")
    expected = "there is no thing 'countr' (did you mean 'counter'?); known: counter"
    assert str(error.value) == expected


def test_the_same_name_and_seed_give_the_same_numbers_whoever_else_asks() -> None:
    first = generator(1, "imu", "jackal").normal(size=5)
    generator(1, "gps").normal(size=100)
    assert (generator(1, "imu", "jackal").normal(size=5) == first).all()
    assert (generator(1, "imu", "husky").normal(size=5) != first).all()
    assert (generator(2, "imu", "jackal").normal(size=5) != first).all()


def test_arrays_are_made_once_and_a_broken_file_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    made = []

    def make() -> dict[str, np.ndarray]:
        made.append(1)
        return {"a": np.arange(3)}

    for _ in range(3):
        assert (cached("kind", "key", make)["a"] == [0, 1, 2]).all()
    assert len(made) == 1
    (tmp_path / "kind" / "key.npz").write_bytes(b"broken")
    cached("kind", "key", make)
    assert len(made) == 2
    assert [path.name for path in (tmp_path / "kind").iterdir()] == ["key.npz"]


def test_a_cache_that_cannot_be_written_only_costs_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "file"))
    assert cached("kind", "key", lambda: {"a": np.ones(2)})["a"].sum() == 2


def test_content_keys_tell_arrays_apart_by_bytes_shape_and_type() -> None:
    a = np.arange(6.0)
    keys = {
        content_key(a),
        content_key(a.reshape(2, 3)),
        content_key(a.astype(np.float32)),
        content_key(a + 1),
        content_key(a, 1),
        content_key(a, "1"),
    }
    assert len(keys) == 6
    assert content_key(a.copy()) == content_key(a)


def test_a_damaged_cache_file_is_made_again(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    whole = {"a": np.arange(50.0), "b": np.ones((3, 3), np.int32)}
    cached("kind", "key", lambda: whole)
    (file,) = (tmp_path / "kind").glob("*.npz")
    good, rng = file.read_bytes(), np.random.default_rng(0)
    for round_ in range(300):
        bad = bytearray(good)
        if round_ % 3 == 0:
            bad = bad[: rng.integers(0, len(bad))]
        for _ in range(4 if len(bad) else 0):
            bad[rng.integers(0, len(bad))] = rng.integers(0, 256)
        file.write_bytes(bytes(bad))
        found = cached("kind", "key", lambda: whole)
        assert set(found) == {"a", "b"}


def test_of_a_bounded_kind_only_the_newest_files_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    for number in range(5):
        cached("tiles", f"{number}", lambda: {"a": np.zeros(1)}, most=2)
        os.utime(tmp_path / "tiles" / f"{number}.npz", ns=(number, number))
    assert sorted(path.stem for path in (tmp_path / "tiles").iterdir()) == ["3", "4"]
