"""Values of scenario keys as ``--set`` takes them on the command line."""

import json
from collections.abc import Mapping, Sequence

from outrider.core.errors import ConfigError
from outrider.core.files.yaml_file import parse_yaml


def settings(values: Mapping[str, object]) -> tuple[str, ...]:
    """Return a ``KEY=VALUE`` for each key."""
    return tuple(f"{key}={_text(value)}" for key, value in values.items())


def replay_command(source: str, chosen: Sequence[str], *, trust: bool = False) -> list[str]:
    """Return the words of the command that opens a run in the editor; ``trust`` for its code."""
    words = ["outrider", "run", source, *(word for one in chosen for word in ("--set", one))]
    return [*words, "--trust"] if trust else words


def _text(value: object) -> str:
    """Return a value that reads back the same, as short as can be."""
    if isinstance(value, str) and _reads_back(value):
        return value
    return json.dumps(value)


def _reads_back(text: str) -> bool:
    try:
        return parse_yaml(f"value: {text}", "value") == {"value": text}
    except ConfigError:
        return False
