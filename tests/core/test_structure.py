from dataclasses import dataclass, field
from typing import Literal

import pytest

from outrider.core.errors import ConfigError
from outrider.core.structure import from_data, number, plain, rgba


@dataclass(frozen=True)
class Square:
    type: Literal["square"] = "square"
    edge: float = number(1.0, above=0.0)


@dataclass(frozen=True)
class Circle:
    type: Literal["circle"] = "circle"
    radius: float = number(1.0, least=0.0, most=5.0)


@dataclass(frozen=True)
class Thing:
    name: str
    shape: Square | Circle = Square()
    count: int = 1
    tags: tuple[str, ...] = ()
    size: tuple[float, float] = (1.0, 2.0)
    scale: float | tuple[float, float] = 1.0
    limits: dict[str, float] = field(default_factory=dict)
    note: str | None = None
    world: str | Square = "empty"
    on: bool = False
    paint: tuple[float, float, float, float] | None = rgba()

    def __post_init__(self) -> None:
        if self.name == "forbidden":
            raise ValueError("this name is taken")


def test_plain_data_becomes_a_tree_of_dataclasses() -> None:
    thing = from_data(
        Thing,
        {
            "name": "a",
            "shape": {"type": "circle", "radius": 2},
            "tags": ["x", "y"],
            "limits": {"v": 1},
            "world": {"type": "square", "edge": 3},
        },
    )
    assert thing == Thing(
        "a", Circle(radius=2.0), tags=("x", "y"), limits={"v": 1.0}, world=Square(edge=3.0)
    )
    assert isinstance(thing.shape, Circle)
    assert isinstance(thing.shape.radius, float)


def test_what_is_written_reads_back_the_same_and_leaves_defaults_out() -> None:
    thing = Thing("a", Circle(radius=0.5), 3, ("t",), (3.0, 4.0), 2.0, {"v": 2.0}, "note", on=True)
    data = plain(thing)
    assert from_data(Thing, data) == thing
    assert plain(Thing("b")) == {"name": "b"}
    assert data["shape"] == {"type": "circle", "radius": 0.5}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"name": "a", "shap": 1}, "f.yaml: shap: unknown key (did you mean 'shape'?)"),
        (
            {"name": "a", "shape": {"type": "square", "qq": 1}},
            "f.yaml: shape.qq: unknown key; known: type, edge",
        ),
        ({}, "f.yaml: name: this key is required"),
        ({"name": 3}, "f.yaml: name: expected text, got 3"),
        ({"name": "a", "count": 1.5}, "f.yaml: count: expected a whole number, got 1.5"),
        ({"name": "a", "count": True}, "f.yaml: count: expected a whole number, got true"),
        ({"name": "a", "on": 1}, "f.yaml: on: expected true or false, got 1"),
        ({"name": "a", "size": [1]}, "f.yaml: size: expected 2 values, got 1"),
        ({"name": "a", "size": 3}, "f.yaml: size: expected a list of 2 numbers, got 3"),
        ({"name": "a", "tags": ["x", 2]}, "f.yaml: tags.1: expected text, got 2"),
        ({"name": "a", "limits": {"v": "x"}}, "f.yaml: limits.v: expected a number, got 'x'"),
        (
            {"name": "a", "shape": {"type": "square", "edge": 0}},
            "f.yaml: shape.edge: must be above 0.0, got 0.0",
        ),
        (
            {"name": "a", "shape": {"type": "circle", "radius": 9}},
            "f.yaml: shape.radius: must be at most 5.0, got 9.0",
        ),
        (
            {"name": "a", "shape": {"type": "circl"}},
            (
                "f.yaml: shape.type: expected one of circle, square, got 'circl' "
                "(did you mean 'circle'?)"
            ),
        ),
        (
            {"name": "a", "size": [1, float("nan")]},
            "f.yaml: size.1: expected a finite number, got nan",
        ),
        (
            {"name": "a", "scale": "x"},
            "f.yaml: scale: expected a number or a list of 2 numbers, got 'x'",
        ),
        ({"name": "a", "scale": [60]}, "f.yaml: scale: expected 2 values, got 1"),
        ({"name": "a", "scale": [1, 2, 3]}, "f.yaml: scale: expected 2 values, got 3"),
        ({"name": "a", "scale": [1, "x"]}, "f.yaml: scale.1: expected a number, got 'x'"),
        (
            {"name": "a", "scale": [1, float("inf")]},
            "f.yaml: scale.1: expected a finite number, got inf",
        ),
        (
            {"name": "a", "scale": float("nan")},
            "f.yaml: scale: expected a finite number, got nan",
        ),
        ({"name": "a", "world": 5}, "f.yaml: world: expected text or a mapping, got 5"),
        (
            {"name": "a", "shape": {}},
            "f.yaml: shape.type: this key is required: one of circle, square",
        ),
        ({"name": "forbidden"}, "f.yaml: this name is taken"),
        (
            [],
            (
                "f.yaml: expected a mapping of keys (name, shape, count, tags, size, scale, ...), "
                "got []"
            ),
        ),
        ("a", "f.yaml: expected a mapping such as {name: a}, got 'a'"),
        (
            {"name": "a", "shape": "circle"},
            "f.yaml: shape: expected a mapping such as {type: circle}, got 'circle'",
        ),
        (
            {"name": "a", "shape": "round"},
            "f.yaml: shape: expected a mapping with the key 'type' (circle, square), got 'round'",
        ),
        (
            {"name": "a", "tags": {"x": 1}},
            "f.yaml: tags: expected a list, each entry with a '-', got {'x': 1}",
        ),
        (
            {"name": "a", "tags": {"-x": 1}},
            "f.yaml: tags: expected a list, each entry a '-' and a space, got {'-x': 1}",
        ),
        ({"name": "a", "tags": None}, "f.yaml: tags: expected a list, got nothing"),
        ({"name": "a", "radius": 2}, "f.yaml: radius: unknown key (it belongs under 'shape')"),
        (
            {"name": "a", "paint": "red"},
            (
                "f.yaml: paint: expected red, green and blue from 0 to 1, such as [1, 0.5, 0], "
                "got 'red'"
            ),
        ),
    ],
)
def test_a_mistake_is_named_with_file_and_key(data: object, sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        from_data(Thing, data, "f.yaml")
    assert str(error.value) == sentence


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_too_large_for_any_float_is_refused_like_infinity(sign: int) -> None:
    with pytest.raises(ConfigError, match=r"size\.0: expected a finite number, got -?inf"):
        from_data(Thing, {"name": "a", "size": [sign * 10**400, 1]})
    with pytest.raises(ConfigError, match="name: expected text, got int"):
        from_data(Thing, {"name": sign * 10**5000})


@pytest.mark.parametrize("value", [1e101, -1e308, 10**300])
def test_numbers_whose_squares_are_none_are_refused(value):
    for data in ({"size": [value, 1.0]}, {"limits": {"v": value}}, {"count": int(value)}):
        with pytest.raises(ConfigError, match=r"expected a number up to 1e\+100, got"):
            from_data(Thing, {"name": "a", **data})


@dataclass(frozen=True)
class Painted:
    colour: tuple[float, float, float, float] | None = rgba()


def test_a_colour_may_leave_out_its_opacity() -> None:
    assert from_data(Painted, {"colour": [0.2, 0, 1]}).colour == (0.2, 0.0, 1.0, 1.0)
    assert from_data(Painted, {"colour": [0.2, 0, 1, 0.5]}).colour == (0.2, 0.0, 1.0, 0.5)
    assert from_data(Painted, {}).colour is None


@pytest.mark.parametrize(
    ("colour", "sentence"),
    [([255, 0, 0], "colour.0: must be at most 1.0"), ([0.5], "expected 4 values, got 1")],
)
def test_a_colour_counts_from_0_to_1(colour: list[float], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        from_data(Painted, {"colour": colour})
