import time

import pytest

from outrider.scenarios.api import scenario
from outrider.scenarios.build import build
from outrider.sim.profile import StepProfile


@pytest.fixture(scope="module")
def plain_hash():
    simulation = build(scenario("husky-grass-circle"))
    simulation.run(0.1)
    return simulation.state_hash


def test_a_profile_names_the_parts_of_a_step_and_changes_nothing(plain_hash):
    simulation = build(scenario("husky-grass-circle"))
    profile = StepProfile(simulation)
    simulation.run(0.1)
    assert simulation.state_hash == plain_hash
    shares = profile.shares()
    assert sum(share.share for share in shares) == pytest.approx(1.0)
    named = {share.part for share in shares}
    assert {"tyres", "engine", "motors", "contacts", "sensor husky/imu"} <= named
    assert all(share.us >= 0 for share in shares)
    slowest = {share.part for share in shares[:4]}
    assert slowest & {"tyres", "engine"}


def test_no_time_counts_twice():
    simulation = build(scenario("husky-grass-circle"))
    profile = StepProfile(simulation)
    began = time.perf_counter()
    simulation.run(0.1)
    elapsed_us = (time.perf_counter() - began) * 1e6
    assert 0 < sum(share.us for share in profile.shares()) * (simulation.steps - 1) <= elapsed_us
