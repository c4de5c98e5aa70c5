import numpy as np

from outrider.physics.tyres.data import MOVER, TYRE
from outrider.physics.tyres.near_movers import near_movers, near_tyres
from outrider.physics.tyres.tyres import _vehicles
from outrider.world.state import BODY

REACH = 1.3


def _scene(seed: int, vehicles: int, movers: int):
    random = np.random.default_rng(seed)
    tyres = np.zeros(4 * vehicles, TYRE)
    tyres["model"] = np.repeat(np.arange(vehicles), 4)
    tyres["radius"], tyres["half_width"] = 0.17, 0.06
    places = np.repeat(random.uniform(-12, 12, (vehicles, 3)) * [1, 1, 0.1], 4, axis=0)
    tyres["hub_world"] = places + random.uniform(-0.5, 0.5, (4 * vehicles, 3))
    bodies = np.zeros(movers, BODY)
    bodies["rotation"][:, 3] = 1.0
    bodies["position"] = random.uniform(-12, 12, (movers, 3)) * [1, 1, 0.1]
    parts = np.zeros(movers, MOVER)
    parts["body"], parts["model"] = np.arange(movers), random.integers(0, 2 * vehicles, movers)
    parts["radius"] = random.uniform(0.1, 1.0, movers)
    parts["near"] = 1  # left from a step before
    return tyres, bodies, parts


def _one_by_one(tyres, bodies, part):
    reach = np.hypot(REACH * tyres["radius"], tyres["half_width"] / 2)
    apart = np.linalg.norm(tyres["hub_world"] - bodies["position"][part["body"]], axis=1)
    return np.flatnonzero((apart < part["radius"] + reach) & (tyres["model"] != part["model"]))


def test_the_same_movers_are_near_as_when_each_is_tested_against_each_tyre():
    for seed, vehicles, movers in ((1, 1, 40), (2, 30, 150), (3, 60, 5)):
        tyres, bodies, parts = _scene(seed, vehicles, movers)
        count = near_movers(tyres, _vehicles(tyres), bodies, parts, REACH)
        expected = [len(_one_by_one(tyres, bodies, part)) > 0 for part in parts]
        assert (parts["near"] == expected).all()
        assert count == sum(expected)
    assert 0 < count < movers


def test_the_tyres_near_a_mover_are_those_of_others_within_reach():
    tyres, bodies, parts = _scene(2, 30, 150)
    found = np.zeros(len(tyres), np.int32)
    for part in parts:
        count = near_tyres(tyres, bodies, part, REACH, found)
        assert found[:count].tolist() == _one_by_one(tyres, bodies, part).tolist()


def test_without_tyres_nothing_is_near():
    tyres, bodies, parts = _scene(1, 1, 5)
    none = tyres[:0]
    assert _vehicles(none).shape == (0, 3)
    assert near_movers(none, _vehicles(none), bodies, parts, REACH) == 0
