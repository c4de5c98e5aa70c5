"""Methods of dataclasses from disk: the same classes, whatever the file holds."""

import dataclasses
import sys
from contextlib import suppress
from importlib.util import MAGIC_NUMBER
from pathlib import Path

import pytest

from outrider.core.process import dataclass_methods
from outrider.core.process.dataclass_methods import methods_from_disk


@pytest.fixture(autouse=True)
def _written(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "new folder" / "kept.methods"


def _make(path: Path) -> type:
    with methods_from_disk(path):

        @dataclasses.dataclass(frozen=True, slots=True, order=True)
        class Thing:
            name: str
            mass: float = 2.5
            parts: list[int] = dataclasses.field(default_factory=list, kw_only=True)

        return Thing


def _check(thing: type) -> None:
    one = thing("a", parts=[1])
    assert repr(one).endswith("Thing(name='a', mass=2.5, parts=[1])")
    assert one == thing("a", 2.5, parts=[1])
    assert one < thing("b")
    assert dataclasses.replace(one, mass=3.0).mass == 3.0
    assert hash(thing("a", parts=())) == hash(thing("a", parts=()))
    assert thing.__init__.__qualname__ == "_make.<locals>.Thing.__init__"
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'mass'"):
        one.mass = 1.0


def _refuse(*_, **__):
    raise AssertionError("compiled again")


def test_classes_are_the_same_and_compiled_once(path, monkeypatch):
    _check(_make(path))
    monkeypatch.setattr(dataclass_methods, "compile", _refuse, raising=False)
    _check(_make(path))
    with pytest.raises(AssertionError, match="compiled again"):
        _make(path.with_name("another"))


@pytest.mark.parametrize(
    "damaged",
    [
        lambda content: content[:0],
        lambda content: content[:10],
        lambda content: content[:-1],
        lambda content: content[:-300] + b"\xff" + content[-299:],
        lambda content: bytes(len(MAGIC_NUMBER)) + content[len(MAGIC_NUMBER) :],  # other Python
    ],
)
def test_a_file_that_is_damaged_or_of_another_python_is_not_used(path, damaged):
    _make(path)
    whole = path.read_bytes()
    path.write_bytes(damaged(whole))
    _check(_make(path))
    assert path.read_bytes() == whole


def test_what_was_stored_by_other_commands_is_kept_until_it_is_too_much(path, monkeypatch):
    def another() -> None:
        with methods_from_disk(path):
            dataclasses.make_dataclass("Another", ["quite", "other"])

    _make(path)
    alone = path.stat().st_size
    another()
    assert path.stat().st_size > alone
    monkeypatch.setattr(dataclass_methods, "_MOST", 2)
    path.unlink()
    _make(path)
    another()
    assert path.stat().st_size < alone


def test_nothing_is_written_where_python_may_not(path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    _check(_make(path))
    assert not path.exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path.parent.write_text("a file where the folder should be")
    _check(_make(path))


def test_python_is_left_as_it_was(path):
    with suppress(ValueError), methods_from_disk(path):
        assert "exec" in vars(dataclasses)
        raise ValueError("there is no such world")
    assert "exec" not in vars(dataclasses)
