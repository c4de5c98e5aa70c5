"""outrider.snapshot with arguments that cannot be."""

import pytest

import outrider as o


@pytest.mark.parametrize(
    ("view", "complaint"),
    [
        ({"what": "colours"}, "what: expected one of colour, depth, labels, got 'colours'"),
        ({"eye": (1, 2)}, "eye: expected 3 finite numbers"),
        ({"at": (1, 2, float("nan"))}, "at: expected 3 finite numbers"),
        ({"fov_deg": None}, "fov_deg: expected a finite number, got None"),
        ({"pitch_deg": None}, "pitch_deg: expected a finite number, got None"),
    ],
)
def test_a_view_that_cannot_be_is_refused_in_one_sentence(view, complaint):
    with pytest.raises(o.OutriderError, match=complaint):
        o.snapshot("empty", **view)


def test_an_unknown_joint_is_told_with_those_of_its_model():
    session = o.Session(o.scenario("demo", "world=empty"))
    with pytest.raises(o.OutriderError, match=r"jackal' has: .*front_left_wheel"):
        o.Control(session).call("set_joints", model="jackal", joints={"nope": 1})
