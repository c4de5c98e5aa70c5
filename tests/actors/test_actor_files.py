"""The key ``actors`` of files: what is refused, and how."""

import pytest

from outrider.actors.spec import Area, CarSpec, PersonSpec, StopSpec, check_actors
from outrider.core.errors import ConfigError, OutriderError
from outrider.scenarios.build import build
from outrider.scenarios.load import dump, loads


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("{type: persn, points: [[0, 0]]}", "persn"),
        ("{type: person, point: [[0, 0]]}", "points"),
        ("{type: person}", "actors.0: 'person' needs either 'points' or an 'area'"),
        ("{type: person, points: [[0, 0]], area: {}}", "needs either 'points' or an 'area'"),
        ("{type: person, points: [[0, 0], [1, 0]], times: [0]}", "expected one for each of 2"),
        ("{type: person, points: [[0, 0], [1, 0]], times: [1, 1]}", "later than the one before"),
        ("{type: person, name: a/b, points: [[0, 0]]}", "without '/'"),
        ('{type: person, name: "a\\e[2J", points: [[0, 0]]}', "has no control characters"),
        (f"{{type: herd, name: {'x' * 5000}}}", "a name has at most 200 letters"),
        ("{type: person, points: [[0, 0]], speed: -1}", "speed"),
        ("{type: person, area: {size: [0, 3]}}", "area.size"),
        ("{type: car, points: [[1, 1], [1, 1]]}", "at least two different points"),
        ("{type: car, points: [[0, 0], [9, 0]], speeds: [3]}", "one for each of 2 legs"),
        ("{type: herd, animal: cow}", "sheep"),
        ("{type: person, points: [[5000, 0]]}", "there is no ground at x = 5000"),
        ("{type: herd, area: {centre: [5000, 0]}}", "free ground for 0 of 10"),
        ("{type: person, name: jackal, points: [[5, 0]]}", "'jackal'"),
        ("{type: car, count: 200, points: [[0, 20], [10, 20]]}", "room for 3 of 200"),
        ("{type: car, count: 4, points: [[0, 9], [20, 9]], loop: false}", "room for 3 of 4"),
        ("{type: person, count: 9, points: [[3, 3], [4, 3]], loop: false}", "room for 3 of 9"),
        ("{type: car, points: [[0, 20], [0, 1.0e+90]]}", "points.1: expected a place within"),
        ("{type: person, area: {size: [1.0e+90, 1]}}", "area: expected one within"),
        (
            "{type: person, count: 500, area: {centre: [9, 9], size: [1, 1]}}",
            "free ground for 1 of 500",
        ),
    ],
)
def test_bad_entries_are_refused_in_one_sentence(entry, sentence):
    with pytest.raises(OutriderError) as caught:
        build(loads(f"name: try\nactors: [{entry}]"))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_actors_of_one_name_are_refused():
    entry = "{type: person, name: a, points: [[3, 0]]}"
    with pytest.raises(ConfigError, match="two actors have the name 'a'"):
        build(loads(f"actors: [{entry}, {entry}]"))


def test_actors_are_written_as_they_are_read():
    scenario = loads(
        "actors: [{type: car, points: [[0, 9], [9, 9]], stops: [{x: 1, y: 9, red_s: 3}]}, "
        "{type: herd}, {type: person, area: {size: [3, 3]}, colour: [1, 0, 0]}]"
    )
    assert loads(dump(scenario)).actors == scenario.actors


def test_lanes_and_crowds_have_bounds():
    corners = [(float(i), float(i % 2)) for i in range(2001)]
    for actors, said in (
        ((CarSpec(points=((0, 0), (9e4, 0), (0, 0))),), "a lane of 100000 m at most, got 180000"),
        ((CarSpec(points=tuple(corners)),), "2000 points together at most, got 2001"),
        ((PersonSpec(points=tuple(corners)),), "points: expected 2000 at most, got 2001"),
        (
            (CarSpec(points=((0, 0), (9, 0)), stops=(StopSpec(3.0, 0.0),) * 501),),
            "500 stops together at most, got 501",
        ),
        (
            tuple(PersonSpec(name=n, count=500, area=Area()) for n in "abc"),
            "actors: expected 1000 at most, got 1500",
        ),
    ):
        with pytest.raises(ConfigError, match=said):
            check_actors(actors, "w")
