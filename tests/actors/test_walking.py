"""How walkers keep out of each other's way."""

import math

import numpy as np
import pytest

from outrider.actors.surroundings import ROBOT, Circles
from outrider.actors.walking import pushes


def push(me, other, *, robot=False, velocity=(0.0, 0.0)):
    own = Circles(np.array([me]), np.array([velocity]), np.array([0.3]), np.array([0]))
    owner = np.array([ROBOT if robot else 1])
    others = Circles(np.array([other]), np.zeros((1, 2)), np.array([0.5]), owner)
    return pushes(own, others)[0].tolist()


def test_who_stands_is_pushed_away_and_to_the_right_by_the_social_force():
    away = 4.0 * math.exp(-1.2 / 0.35)
    aside = 0.35 * 4.0 * math.exp(-1.2 / 1.0)
    assert push([0.0, 0.0], [2.0, 0.0]) == pytest.approx([-away, -aside])


def test_a_robot_pushes_more_and_what_is_behind_less():
    one = np.array(push([0.0, 0.0], [2.0, 0.0]))
    assert push([0.0, 0.0], [2.0, 0.0], robot=True) == pytest.approx((9.0 / 4.0 * one).tolist())
    ahead = push([0.0, 0.0], [2.0, 0.0], velocity=(1.0, 0.0))
    behind = push([0.0, 0.0], [2.0, 0.0], velocity=(-1.0, 0.0))
    assert ahead == pytest.approx(one.tolist())
    assert behind == pytest.approx((0.3 * one).tolist())


def test_nobody_is_pushed_by_its_own_circles():
    own = Circles(np.eye(2), np.zeros((2, 2)), np.full(2, 0.3), np.zeros(2, np.int64))
    assert pushes(own, own).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_pushes_of_many_add_up():
    random = np.random.default_rng(3)
    own = Circles(np.zeros((1, 2)), np.zeros((1, 2)), np.array([0.3]), np.array([0]))
    centres = random.uniform(-4.0, 4.0, (9, 2))
    others = Circles(centres, np.zeros((9, 2)), np.full(9, 0.5), np.arange(1, 10))
    total = np.sum([push([0.0, 0.0], centre) for centre in centres.tolist()], axis=0)
    assert pushes(own, others)[0].tolist() == pytest.approx(total.tolist())
