"""Sheep: together, apart, inside their area, and away from robots."""

import numpy as np
from test_people import place, simulation

HERD = "{type: herd, count: 12, area: {centre: [0, 0], size: [12, 12]}}"


def places(sim, count=12):
    return np.array([place(sim, f"sheep_{k}")[:2] for k in range(1, count + 1)])


def test_a_herd_stays_together_apart_and_in_its_area():
    sim = simulation([HERD])
    moved = places(sim)
    for _ in range(8):
        sim.run(2.5)
        now = places(sim)
        between = np.linalg.norm(now[:, None] - now, axis=-1) + 10 * np.eye(12)
        assert between.min() > 0.5
        assert np.abs(now).max() < 9.0
    assert np.linalg.norm(places(sim) - moved, axis=1).max() > 1.0  # they did not only stand
    spread = np.linalg.norm(now - now.mean(axis=0), axis=1).mean()
    assert spread < 6.0


def test_sheep_run_from_a_robot_and_do_not_where_they_are_told_so():
    robot = "robots: [{model: jackal, pose: {x: 0, y: 0}}]"

    def nearest(manners):
        herd = HERD[:-1] + f", robots: {manners}, flight_distance: 5}}"
        sim = simulation([herd], robot)
        sim.run(8.0)
        return np.linalg.norm(places(sim), axis=1).min()

    assert nearest("avoid") > 4.0
    assert nearest("ignore") < 4.0
