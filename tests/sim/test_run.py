"""Running a simulation for some time."""

import numpy as np
import pytest

from outrider.core.errors import ConfigError
from outrider.scenarios.build import build
from outrider.scenarios.scenario import Scenario


@pytest.mark.parametrize("duration", [-1.0, float("nan"), float("inf"), "x", None])
def test_a_time_that_is_none_is_one_sentence(duration):
    simulation = build(Scenario())
    with pytest.raises(ConfigError, match="expected seconds, 0 or more, got"):
        simulation.run(duration)
    assert simulation.steps == 0


@pytest.mark.parametrize("duration", [0.01, np.float32(0.01), np.float64(0.01)])
def test_it_runs_so_long(duration):
    simulation = build(Scenario())
    simulation.run(duration)
    assert simulation.time_s == pytest.approx(0.01)
