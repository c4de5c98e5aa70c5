"""Write docs/reference and docs/robots from the code: ``python tools/write_reference.py``.

A page lists every key of one kind of file: the dataclasses that the file is read into, with type,
limits, default and the comment beside the field.
"""

import dataclasses
import inspect
import operator
import re
import types
import typing
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

from outrider.actors.spec import CarSpec, HerdSpec, PersonSpec
from outrider.components.catalogue import COMPONENTS
from outrider.core.structure import ByType, plain, without_later
from outrider.loader.library import library_names
from outrider.scenarios.robot_facts import robot_facts
from outrider.scenarios.scenario import Drive, Scenario, Steer, Waypoints
from outrider.sensors.catalogue import SENSORS
from outrider.specs.component import ComponentEntry
from outrider.specs.sensor import SensorEntry, SensorFile
from outrider.specs.world import ModelSpec, ObjectSpec, PoseSpec, WorldSpec
from outrider.sweeps.spec import EvenGrid, LogUniform, Normal, Sweep, Uniform
from outrider.vehicles.robot import load_robot
from outrider.vehicles.spec import RobotSpec
from outrider.weather.spec import WeatherChange, WeatherSpec
from outrider.world.materials import Material

DOCS = Path(__file__).resolve().parents[1] / "docs"
_HOMES: dict[type, str] = {  # the page of what several pages mention
    WorldSpec: "world",
    ObjectSpec: "world",
    PoseSpec: "world",
    Material: "material",
    **dict.fromkeys((WeatherSpec, WeatherChange), "weather"),
    SensorEntry: "sensor",
    **dict.fromkeys((Drive, Steer, Waypoints), "motions"),
    **dict.fromkeys((PersonSpec, CarSpec, HerdSpec), "actors"),
}
_NAMES = {"float": "number", "int": "whole number", "str": "text", "bool": "true or false"}
_MADE = "Generated from the code by `python tools/write_reference.py`.\n"


def pages() -> dict[Path, str]:
    """Return every page's path below docs, and its text."""
    found: dict[str, tuple[str, list[type]]] = {
        "scenario": ("Scenario files", [Scenario]),
        "motions": ("Motions of a robot in a scenario", [Drive, Steer, Waypoints]),
        "actors": ("People, cars and animals", [PersonSpec, CarSpec, HerdSpec]),
        "robot": ("Robot files", [RobotSpec]),
        "world": ("World and model files", [WorldSpec, ModelSpec]),
        "material": ("Materials", [Material]),
        "weather": ("Weather of a world or scenario", [WeatherSpec, WeatherChange]),
        "sensor": ("Sensors: entries and files of models", [SensorEntry, SensorFile]),
        "component": ("Components", [ComponentEntry]),
        "sweep": ("Sweep files", [Sweep, EvenGrid, Uniform, LogUniform, Normal]),
    }
    texts = {Path("reference") / f"{name}.md": _page(name, *page) for name, page in found.items()}
    texts[Path("reference/sensor.md")] += _sensor_types()
    texts[Path("reference/component.md")] += _component_types()
    texts[Path("reference/README.md")] = _index({n: title for n, (title, _) in found.items()})
    for name in library_names("robots"):
        texts[Path("robots") / f"{name}.md"] = _robot_page(name)
    texts[Path("robots/README.md")] = _robot_index()
    return texts


def _index(titles: dict[str, str]) -> str:
    lines = [f"- [{title}]({name}.md)" for name, title in titles.items()]
    return "# Every key of every file\n\n" + _MADE + "\n" + "\n".join(lines) + "\n"


def _page(page: str, title: str, roots: list[type]) -> str:
    sections = (_section(cls, page) for cls in _below(roots, page))
    return f"# {title}\n\n{_MADE}" + "".join(sections)


def _below(roots: list[type], page: str) -> list[type]:
    """Return dataclasses and all that they mention, but for those of other pages."""
    found: dict[type, None] = {}
    waiting = list(roots)
    while waiting:
        cls = waiting.pop(0)
        if cls not in found and _HOMES.get(cls, page) == page:
            found[cls] = None
            waiting += [other for kind in _kinds(cls).values() for other in _classes(kind)]
    return list(found)


def _sensor_types() -> str:
    parts = [
        "\n# Parameters by sensor type\n\nKeys of `parameters` in a model's file, and of `set`.\n"
    ]
    shown: set[type] = set()
    for name in sorted(SENSORS):
        kind: Any = SENSORS.load(name)
        parts.append(_section(kind.Parameters, "sensor", f"`type: {name}`"))
        others = [c for c in _below([kind.Parameters], "sensor")[1:] if c not in shown]
        parts += [_section(cls, "sensor") for cls in others]
        shown.update(others)
    return "".join(parts)


def _component_types() -> str:
    head = "\n# Parameters by component type\n\nFurther keys of an entry.\n"
    kinds = [(name, COMPONENTS.load(name)) for name in sorted(COMPONENTS)]
    return head + "".join(_section(kind, "component", f"`type: {name}`") for name, kind in kinds)


def _section(cls: type, page: str, title: str = "") -> str:
    doc = _linked(" ".join((cls.__doc__ or "").split()))
    head = f"\n## {title or cls.__name__}\n\n{doc}\n\n"
    head += "| key | type | default | meaning |\n|---|---|---|---|\n"
    kinds, comments = _kinds(cls), _comments(cls)
    rows = [_row(field, kinds[field.name], comments, page) for field in dataclasses.fields(cls)]
    return head + "".join(rows)


def _row(field: Any, kind: Any, comments: dict[str, str], page: str) -> str:
    told = _type(kind, page) + _limits(field.metadata)
    name = field.name.rstrip("_")  # 'class' is a word of Python's
    cells = [f"`{name}`", told, _default(field), _linked(comments.get(field.name, ""))]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _linked(text: str) -> str:
    """Return a text with pages that it names as links."""
    return re.sub(r"docs/([\w/-]+)\.md", r"[\1](../\1.md)", text)


def _limits(limits: Any) -> str:
    words = {"above": "above", "least": "at least", "most": "at most"}
    told = [f"{words[key]} {limits[key]:g}" for key in words if limits.get(key) is not None]
    return f", {', '.join(told)}" if told else ""


def _default(field: Any) -> str:
    if field.default is not dataclasses.MISSING:
        value = plain(field.default)
    elif field.default_factory is not dataclasses.MISSING:
        value = plain(field.default_factory())
    else:
        return "**required**"
    return f"`{_yaml(value)}`"


def _yaml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_yaml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_yaml(v) for v in value) + "]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return f"{value:g}" if isinstance(value, float) else str(value) or "''"


def _type(kind: Any, page: str) -> str:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        by = next((extra for extra in args[1:] if isinstance(extra, ByType)), None)
        return (
            _type(args[0], page)
            if by is None
            else _or(_type(by.find(name), page) for name in by.known)
        )
    if origin in (typing.Union, types.UnionType):
        return _or("null" if arg is type(None) else _type(arg, page) for arg in args)
    if origin is typing.Literal:
        return _or(f"`{arg}`" for arg in args)
    if origin is tuple and args[-1:] == (Ellipsis,):
        return f"list of {_type(args[0], page)}"
    if origin is tuple:
        return f"{len(args)} x {_type(args[0], page)}"
    if origin is dict:
        return f"{_type(args[0], page)} -> {_type(args[1], page)}"
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        name, home = str(kind.__name__), _HOMES.get(kind, page)
        return f"[{name}]({'' if home == page else f'{home}.md'}#{name.lower()})"
    return _NAMES.get(getattr(kind, "__name__", ""), "any")


def _or(words: Iterator[str] | typing.Iterable[str]) -> str:
    return " or ".join(words)


def _classes(kind: Any) -> Iterator[type]:
    """Yield the dataclasses that a type mentions."""
    if dataclasses.is_dataclass(kind):
        yield kind  # type: ignore[misc]
    for by in (arg for arg in typing.get_args(kind) if isinstance(arg, ByType)):
        yield from (by.find(name) for name in by.known)
        return
    for arg in typing.get_args(kind):
        yield from _classes(arg)


def _kinds(cls: type) -> dict[str, Any]:
    hints = typing.get_type_hints(cls, include_extras=True)
    return {name: _imported(kind) for name, kind in hints.items()}


def _imported(kind: Any) -> Any:
    """Return a type with the classes that are imported only when a file needs them."""
    if typing.get_origin(kind) not in (typing.Union, types.UnionType):
        return without_later(kind)
    return reduce(operator.or_, map(without_later, typing.get_args(kind)))


def _comments(cls: type) -> dict[str, str]:
    """Return the comment behind or above each field, also of the classes that it builds on."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if dataclasses.is_dataclass(base):
            above: list[str] = []
            for line in inspect.getsource(base).splitlines():
                if match := re.match(r"    (\w+): .*?(?:  # (.*))?$", line):
                    said = match[2] or " ".join(above)
                    found |= {match[1]: said.replace("None:", "null:")} if said else {}
                comment = re.match(r"    # (.*)$", line)
                above = [*above, comment[1]] if comment else []
    return found


def _robot_index() -> str:
    rows = [
        f"| [{name}]({name}.md) | {load_robot(name).spec.description} |\n"
        for name in library_names("robots")
    ]
    return (
        f"# The robots of the library\n\n{_MADE}`outrider check ROBOT` prints the same for any "
        "robot, yours included.\n\n| robot | description |\n|---|---|\n" + "".join(rows)
    )


def _robot_page(name: str) -> str:
    facts, spec = robot_facts(name), load_robot(name).spec
    lines = [f"# {name}\n\n{spec.description}\n\n{_MADE}"]
    lines.append(f"\n![{name}](../images/gallery/robot-{name}.jpg)\n\n## Limits\n\n")
    lines += [f"- `{key}`: {value}\n" for key, value in facts["limits"].items()]
    lines.append(
        "\n## Sensors\n\nPositions are in the frame of the root link, x forward, y to the left.\n\n"
        "| name | model | position (m) | looks | frame | rate |\n|---|---|---|---|---|---|\n"
    )
    for key, s in facts["sensors"].items():
        cells = [key, s["model"], s["at_m"], s.get("looks", ""), s["frame"], f"{s['rate_hz']:g} Hz"]
        lines.append("| " + " | ".join(cells) + " |\n")
    lines.append("\n## Topics\n\n| topic | type and rate |\n|---|---|\n")
    lines += [f"| `{topic}` | {said} |\n" for topic, said in facts["topics"].items()]
    return "".join(lines)


def main() -> None:
    """Write every page."""
    for path, text in pages().items():
        (DOCS / path).parent.mkdir(exist_ok=True)
        (DOCS / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
