import numpy as np
import pytest

from outrider.bench.growth_law import fitted


@pytest.mark.parametrize(
    ("fixed", "each", "power"), [(12.0, 19.0, 1.0), (0.0, 3.0, 2.0), (100.0, 0.5, 1.5)]
)
def test_a_law_is_found_again_from_its_costs(fixed, each, power):
    sizes = (1, 5, 20, 50, 200)
    law = fitted(sizes, [fixed + each * n**power for n in sizes])
    assert law.power == pytest.approx(power, abs=0.02)
    assert law.each == pytest.approx(each, rel=0.1)
    assert law.fixed == pytest.approx(fixed, rel=0.1, abs=0.2)


def test_noise_of_some_percent_does_not_hide_a_square():
    sizes = np.array([10, 50, 200, 500])
    noise = 1 + 0.05 * np.random.default_rng(3).standard_normal(4)
    law = fitted(sizes, (40 + 0.02 * sizes**2.0) * noise)
    assert 1.6 < law.power < 2.4


def test_a_cost_that_hardly_grows_has_a_small_power():
    sizes = (1e4, 1e5, 1e6, 3e6)
    assert fitted(sizes, [5 + 0.3 * np.log(n) for n in sizes]).power < 0.3
