import math

import numpy as np
import pytest
from allan import allan_deviation

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.core.structure import from_data
from outrider.sensors.noise import (
    Bias,
    Chain,
    Distortion,
    ErrorModel,
    GaussMarkov,
    HectorDrift,
    Quantisation,
    RandomWalk,
    Saturation,
    White,
)
from outrider.sensors.triad import Triad

ZERO = np.zeros(3)
RATE = 100.0
DT = 1 / RATE


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def record(error: ErrorModel, samples: int, dt: float = DT) -> Array:
    return np.array([error.apply(ZERO, dt) for _ in range(samples)])


def test_white_noise_has_the_stated_sigma_and_no_memory() -> None:
    noise = record(White(rng(), 3, sigma=0.2), 20000)
    assert noise.std(axis=0) == pytest.approx([0.2] * 3, rel=0.03)
    assert np.abs(noise.mean(axis=0)).max() < 0.2 * 4 / math.sqrt(20000)
    kurtosis = (noise**4).mean() / (noise**2).mean() ** 2
    assert kurtosis == pytest.approx(3.0, abs=0.1)
    for lag in (1, 7):
        assert abs((noise[lag:] * noise[:-lag]).mean()) < 0.04 * 4 / math.sqrt(60000)


@pytest.mark.parametrize("rate", [10.0, 400.0])
def test_a_density_gives_sigma_by_the_root_of_the_rate(rate: float) -> None:
    noise = record(White(rng(), 3, density=0.01), 20000, 1 / rate)
    assert noise.std() == pytest.approx(0.01 * math.sqrt(rate), rel=0.02)


def test_axes_and_errors_are_independent() -> None:
    random = rng()
    one, two = record(White(random, 3, 1.0), 5000), record(White(random, 3, 1.0), 5000)
    both = np.corrcoef(np.column_stack([one, two]).T)
    assert np.abs(both - np.eye(6)).max() < 0.06


def test_a_turn_on_bias_is_constant_in_a_run_and_spread_over_units() -> None:
    offset = (1.0, 2.0, 3.0)
    biases = np.array([Bias(rng(i), 3, 0.5, offset).bias for i in range(2000)])
    assert biases.mean(axis=0) == pytest.approx([1.0, 2.0, 3.0], abs=0.05)
    assert biases.std(axis=0) == pytest.approx([0.5] * 3, rel=0.06)
    assert np.ptp(record(Bias(rng(), 3, 0.5), 10), axis=0).max() == 0


@pytest.mark.parametrize("dt", [0.01, 0.1])
def test_a_random_walk_spreads_with_the_root_of_time_at_any_rate(dt: float) -> None:
    ends = []
    for seed in range(300):
        walk = RandomWalk(rng(seed), 3, 0.3)
        ends.append(record(walk, round(4.0 / dt), dt)[-1])
    assert np.std(ends) == pytest.approx(0.3 * math.sqrt(4.0), rel=0.08)


@pytest.mark.parametrize("dt", [0.02, 0.5, 3.0])
def test_gauss_markov_is_exact_at_any_step(dt: float) -> None:
    process = record(GaussMarkov(rng(), 3, sigma=2.0, time_s=1.5), 40000, dt)
    samples = max(1, round(1.0 / dt))
    product = (process[samples:] * process[:-samples]).mean()
    effective = 3 * 40000 * min(1.0, dt / 1.5)  # independent values
    assert process.var() == pytest.approx(4.0, rel=5 * math.sqrt(2 / effective))
    expected = 4.0 * math.exp(-samples * dt / 1.5)
    assert product == pytest.approx(expected, abs=4.0 * 6 / math.sqrt(effective))


def test_gauss_markov_from_a_walk_starts_at_zero_and_walks_at_first() -> None:
    ends = []
    for seed in range(400):
        process = GaussMarkov.from_random_walk(rng(seed), 3, 0.3, 1000.0)
        assert not process.bias.any()
        ends.append(record(process, 50, 0.02)[-1])
    assert np.std(ends) == pytest.approx(0.3, rel=0.07)


def test_hector_drift_has_the_deviation_that_its_formula_gives() -> None:
    starts = [HectorDrift(rng(i), 3, 0.005, 3600.0).bias for i in range(1000)]
    assert np.std(starts) == pytest.approx(0.005, rel=0.06)
    drift = HectorDrift(rng(), 3, 1.0, 2.0)
    long_run = record(drift, 60000, 0.02)[1000:]
    assert long_run.std() == pytest.approx(math.sqrt(0.02), rel=0.1)  # 0.14 D at 50 Hz
    exact = record(GaussMarkov(rng(), 3, 1.0, 2.0), 60000, 0.02)
    assert exact.std() == pytest.approx(1.0, rel=0.1)


def test_allan_deviation_of_white_noise_falls_with_half_a_decade_per_decade() -> None:
    noise = record(White(rng(), 3, density=0.02), 60000)
    taus = [0.01, 0.1, 1.0, 10.0]
    deviation = allan_deviation(noise, DT, taus)
    assert deviation[2] == pytest.approx(0.02, rel=0.05)  # the density is read at one second
    assert deviation == pytest.approx([0.02 / math.sqrt(tau) for tau in taus], rel=0.12)


def test_allan_deviation_of_a_random_walk_rises_with_the_root_of_time() -> None:
    walk = record(RandomWalk(rng(), 3, 0.05), 60000)
    taus = [0.25, 1.0, 4.0, 10.0]
    deviation = allan_deviation(walk, DT, taus)
    assert deviation == pytest.approx([0.05 * math.sqrt(tau / 3) for tau in taus], rel=0.2)


def test_allan_deviation_of_gauss_markov_peaks_at_1_89_times_its_correlation_time() -> None:
    process = record(GaussMarkov(rng(3), 3, sigma=1.0, time_s=0.5), 120000)
    taus = [0.1, 0.2, 0.5, 0.95, 2.0, 5.0, 10.0]
    deviation = allan_deviation(process, DT, taus)
    assert deviation == pytest.approx([_gauss_markov_allan(tau, 1.0, 0.5) for tau in taus], rel=0.1)
    assert deviation.argmax() == 3  # 0.95 s = 1.89 x 0.5 s
    assert deviation[3] == pytest.approx(0.617, rel=0.05)  # known: 0.437 q sqrt(T), q^2 = 2 s^2 / T


def _gauss_markov_allan(tau: float, sigma: float, time_s: float) -> float:
    """Return the textbook's Allan deviation (IEEE Std 952, Markov noise)."""
    x = tau / time_s
    bracket = 1 - (3 - 4 * math.exp(-x) + math.exp(-2 * x)) / (2 * x)
    return sigma * math.sqrt(2 / x * bracket)


def test_scale_and_misalignment_spread_as_stated() -> None:
    matrices = np.array(
        [Distortion(rng(i), 3, 0.01, math.radians(0.5)).matrix for i in range(2000)]
    )
    diagonal = np.array([np.diag(m) for m in matrices])
    assert diagonal.mean() == pytest.approx(1.0, abs=1e-3)
    assert diagonal.std() == pytest.approx(0.01, rel=0.05)
    off = matrices[:, ~np.eye(3, dtype=bool)]
    assert off.std() == pytest.approx(math.radians(0.5), rel=0.05)
    unit = Distortion(rng(), 3, 0.01, 0.01)
    assert unit.apply(np.array([0.0, 2.0, 0.0]), DT) == pytest.approx(2 * unit.matrix[:, 1])


def test_saturation_and_quantisation() -> None:
    value = np.array([-9.0, 0.26, 9.0])
    assert Saturation(5.0).apply(value, DT).tolist() == [-5.0, 0.26, 5.0]
    assert Quantisation(0.1).apply(value, DT) == pytest.approx([-9.0, 0.3, 9.0])
    values = rng().uniform(-10, 10, 30000)
    error = Quantisation(0.1).apply(values, DT) - values
    assert np.abs(error).max() <= 0.05 + 1e-12
    assert error.std() == pytest.approx(0.1 / math.sqrt(12), rel=0.02)


def full_triad() -> Triad:
    return Triad(
        noise_density=0.01,
        noise_sigma=0.01,
        offset=(0.1, 0.0, 0.0),
        turn_on_sigma=0.1,
        random_walk=0.01,
        correlation_s=10.0,
        drift_sigma=0.1,
        drift_time_s=5.0,
        scale_sigma=0.01,
        misalignment_deg=1.0,
        limit=3.0,
        resolution=0.001,
    )


def test_the_same_seed_gives_the_same_errors_and_a_state_repeats_them() -> None:
    chain = full_triad().errors(rng(7))
    start = chain.get_state()
    first = record(chain, 200)
    chain.set_state(start)
    assert (record(chain, 200) == first).all()
    assert (record(full_triad().errors(rng(7)), 200) == first).all()
    assert (record(full_triad().errors(rng(8)), 200) != first).any()


def test_switching_one_error_off_leaves_the_others_as_they_were() -> None:
    loud = Triad(noise_sigma=0.1, turn_on_sigma=1.0, drift_sigma=0.5).errors(rng(3))
    quiet = Triad(turn_on_sigma=1.0, drift_sigma=0.5).errors(rng(3))
    record(loud, 50)
    record(quiet, 50)
    assert loud.bias is not None
    assert (loud.bias == quiet.bias).all()


def test_a_triad_without_figures_changes_nothing() -> None:
    assert Triad().errors(rng()).errors == ()
    value = np.array([1.0, 2.0, 3.0])
    assert Chain([]).apply(value, DT) is value


def test_the_stated_sigmas_are_those_of_the_samples() -> None:
    triad = Triad(noise_density=0.01, noise_sigma=0.05, turn_on_sigma=0.3, drift_sigma=0.4)
    noise = np.array([record(triad.errors(rng(i)), 40) for i in range(300)])
    within = noise - noise.mean(axis=1, keepdims=True)
    assert within.std() * math.sqrt(40 / 39) == pytest.approx(triad.sigma(RATE), rel=0.03)
    assert noise.mean(axis=1).std() == pytest.approx(triad.bias_sigma, rel=0.06)
    assert triad.bias_sigma == pytest.approx(0.5)


def test_bad_figures_are_refused_with_their_key() -> None:
    with pytest.raises(ConfigError, match="noise_density: must be at least 0"):
        from_data(Triad, {"noise_density": -1.0})
    with pytest.raises(ConfigError, match="did you mean 'noise_density'"):
        from_data(Triad, {"noise_densty": 1.0})
