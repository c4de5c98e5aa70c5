import numpy as np
import pytest

from outrider.core.errors import ConfigError
from outrider.scenarios.build import build
from outrider.scenarios.load import loads

TEXT = """
world: {{ground: {{type: none}}}}
robots: []
duration_s: 100
obstacles:
  - {{name: cart, shape: {{type: box}}, pose: {{yaw_deg: 90}},
     path: {{points: {points}, speed: {speed}, loop: {loop}}}}}
"""
TRIANGLE = "[[0, 0, 0], [3, 0, 0], [3, 4, 0]]"  # sides of 3, 4 and 5 m


def cart(points: str, speed: float, loop: str):
    sim = build(loads(TEXT.format(points=points, speed=speed, loop=loop)))
    body = sim.state.bodies[sim.rig.assembly.root("cart")]
    return sim, body


@pytest.mark.parametrize(
    ("seconds", "place"),
    [(1.0, (2, 0, 0)), (1.5, (3, 0, 0)), (2.5, (3, 2, 0)), (4.75, (1.5, 2, 0)), (13.0, (2, 0, 0))],
)
def test_a_scripted_object_is_where_its_path_says(seconds, place):
    sim, body = cart(TRIANGLE, 2.0, "true")
    sim.run(seconds)
    np.testing.assert_allclose(body["position"], place, atol=1e-9)
    np.testing.assert_allclose(body["rotation"], [0, 0, np.sqrt(0.5), np.sqrt(0.5)], atol=1e-12)
    assert np.linalg.norm(body["velocity"]) == pytest.approx(2.0)


def test_corners_between_two_steps_do_not_add_up_errors():
    sim, body = cart("[[0, 0, 0], [0.7, 0, 0]]", 0.911, "true")
    sim.run(20.0)
    way = (0.911 * 20.0) % 1.4
    assert body["position"][0] == pytest.approx(min(way, 1.4 - way), abs=1e-9)


def test_an_object_that_does_not_go_round_stops_at_the_last_point():
    sim, body = cart(TRIANGLE, 2.0, "false")
    sim.run(5.0)
    np.testing.assert_allclose(body["position"], [3, 4, 0], atol=1e-12)
    np.testing.assert_allclose(body["velocity"], 0)


def test_a_path_of_one_point_is_a_place_to_stand():
    sim, body = cart("[[1, 2, 3], [1, 2, 3]]", 1.0, "true")
    sim.run(0.1)
    np.testing.assert_allclose(body["position"], [1, 2, 3])


def test_after_a_reset_the_path_begins_again():
    sim, body = cart(TRIANGLE, 2.0, "true")
    sim.run(2.0)
    before = sim.state_hash
    sim.reset()
    assert body["position"].tolist() == [0, 0, 0]
    sim.run(2.0)
    assert sim.state_hash == before


def test_corners_that_come_without_end_do_not_hold_a_step_for_ever():
    sim, body = cart("[[0, 0, 0], [1e-12, 0, 0]]", 900.0, "true")
    sim.run(0.1)
    np.testing.assert_allclose(body["position"], 0, atol=1e-9)
    points = str([[n * 1e-12, 0.0, 0.0] for n in range(1000)] + [[3.0, 0.0, 0.0]])
    sim, body = cart(points, 2.0, "true")
    sim.run(1.0)
    np.testing.assert_allclose(body["position"], [2, 0, 0], atol=1e-9)


def test_a_path_at_whose_speed_or_end_the_run_would_end_is_refused():
    with pytest.raises(ConfigError, match=r"speed: must be at most 900"):
        cart(TRIANGLE, 1e9, "true")
    with pytest.raises(ConfigError, match=r"'cart' cannot be at x = 1e\+07"):
        cart("[[0, 0, 0], [1e7, 0, 0]]", 2.0, "true")
