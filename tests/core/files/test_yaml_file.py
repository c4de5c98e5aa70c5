"""YAML by libyaml: the same data as by PyYAML's own reader, and no stack that overflows."""

import os
from pathlib import Path

import pytest
import yaml

import outrider
from outrider.core.errors import ConfigError
from outrider.core.files.yaml_file import parse_yaml, read_yaml

LIBRARY = sorted((Path(outrider.__file__).parent / "library").rglob("*.yaml"))


def by_pyyaml(text: str, monkeypatch: pytest.MonkeyPatch) -> object:
    with monkeypatch.context() as context:
        context.setattr(yaml, "__with_libyaml__", False)
        return parse_yaml(text, "file")


def test_files_of_the_library_read_the_same_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in LIBRARY[::10]:
        text = path.read_text("utf-8")
        assert repr(parse_yaml(text, "file")) == repr(by_pyyaml(text, monkeypatch))


@pytest.mark.parametrize(
    "text", ["a: [1, 2", "a: 1\n\tb: 2", "a: 1\na: 2", "a: b: c", "a: !x 1", "a: *b", "a: 'x"]
)
def test_errors_are_told_in_the_same_words(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError) as fast:
        parse_yaml(text, "file")
    with pytest.raises(ConfigError) as slow:
        by_pyyaml(text, monkeypatch)
    assert str(fast.value) == str(slow.value)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("!!timestamp x", "a value that is no timestamp"),
        ("!!bool 5", "a value that is no bool"),
        ('!!int ""', "a value that is no int"),
        ("2020-13-45", "a value that is no timestamp"),
        ("9" * 5000, "a value that is no int"),
        ('"a\\0"', "text with a zero character"),
        ("!!set 5", "expected a mapping node, but found scalar"),
    ],
)
def test_a_value_that_is_not_what_its_tag_says_is_told(value: str, told: str) -> None:
    with pytest.raises(ConfigError, match=f"f.yaml:2: not YAML: {told}"):
        parse_yaml(f"b: 1\na: {value}", "f.yaml")


@pytest.mark.parametrize("text", ["a: " + "[" * 100_000, "- " * 100_000 + "a", "{a: " * 100_000])
def test_values_that_nest_too_deeply_are_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_yaml(text, "file")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "scenario.yaml")
    with pytest.raises(ConfigError, match=r"scenario\.yaml: is not a file"):
        read_yaml(tmp_path / "scenario.yaml")
