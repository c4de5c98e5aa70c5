"""Output for people (aligned columns) and for programs (JSON)."""

import json
import math
from collections.abc import Mapping, Sequence

import typer


def print_json(value: object) -> None:
    """Print one JSON value; NaN and infinity, which JSON cannot represent, become null."""
    typer.echo(json.dumps(_finite(value), allow_nan=False))


def print_table(rows: Sequence[Mapping[str, object]]) -> None:
    """Print rows under the names of their keys; the last column is not padded."""
    if not rows:
        return
    lines = [[key.upper().replace("_", " ") for key in rows[0]]]
    lines += [[_shown(value) for value in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


def print_facts(facts: Mapping[str, object], indent: str = "") -> None:
    """Print names and values, one per line; lists and mappings are indented."""
    for name, value in facts.items():
        label = f"{indent}{name}:"
        if isinstance(value, Mapping):
            typer.echo(label if value else f"{label} none")
            print_facts(value, indent + "  ")
        elif isinstance(value, list) and not _is_size(value):
            typer.echo(label if value else f"{label} none")
            for item in value:
                typer.echo(f"{indent}  - {_shown(item)}")
        else:
            typer.echo(f"{label} {_shown(value)}")


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and _is_size(value):
        return " x ".join(f"{part:.2f}" for part in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _is_size(value: list[object]) -> bool:
    return value != [] and isinstance(value[0], float)


def _finite(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
