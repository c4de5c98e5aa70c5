"""Ground that only tyres feel has the spectrum it says it has."""

import numpy as np
import pytest
from numpy.typing import NDArray
from vehicle_rig import GRAVITY, plane, stand

from outrider.scene import roughness
from outrider.scene.roughness import relief_height
from outrider.world.materials import Material, Roughness

CELL = roughness.SIDE / roughness.CELLS


def _spectrum(profiles: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return wave numbers and the one-sided density of profiles in rows, by Parseval."""
    count = profiles.shape[1]
    power = np.abs(np.fft.rfft(profiles, axis=1) / count) ** 2  # of each wave, m^2
    return np.fft.rfftfreq(count, CELL), 2 * power.mean(axis=0) * (count * CELL)


@pytest.mark.parametrize("along", [0, 1])
@pytest.mark.parametrize("slope", [2.0, 2.8])
def test_profiles_of_a_tile_have_the_stated_density_and_slope(slope: float, along: int) -> None:
    heights = roughness.tile(slope, seed=7).astype(np.float64)
    n, density = _spectrum(heights if along else heights.T)
    band = (n > 1.2) & (n < 12.0)
    fitted_slope, level = np.polyfit(np.log(n[band] / 0.1), np.log(density[band]), 1)
    assert -fitted_slope == pytest.approx(slope, rel=0.1)
    middle = np.log(4.0 / 0.1)
    at_4 = np.exp(level + fitted_slope * middle)  # where the fit is firm
    assert at_4 == pytest.approx((4.0 / 0.1) ** -slope, rel=0.1)


def test_a_tile_repeats_for_its_seed_and_differs_for_another() -> None:
    first = roughness._make(2.0, 1)
    assert np.array_equal(first, roughness._make(2.0, 1))
    assert abs(np.corrcoef(first.ravel(), roughness._make(2.0, 2).ravel())[0, 1]) < 0.1


def test_tiles_join_without_a_step() -> None:
    tiles = roughness.tile(2.0, 1)[None]
    line = np.arange(-0.1, 0.1, 0.002)
    heights = np.array([relief_height(tiles, 0, x, 3.21) for x in line])
    far = np.array([relief_height(tiles, 0, x + 3 * roughness.SIDE, 3.21) for x in line])
    steepest = np.abs(np.diff(tiles[0], axis=0)).max() / CELL
    assert np.abs(np.diff(heights)).max() <= steepest * 0.002 * 1.01
    assert far == pytest.approx(heights, abs=1e-6)


def test_a_robot_on_rough_ground_follows_its_heights_and_keeps_its_weight() -> None:
    ground = Material(roughness=Roughness(density=2e-3))
    rig = stand("jackal", plane(ground), seed=3)
    rig.drive(0.2)
    heights = rig.run(20.0, lambda: rig.base["position"][2])
    felt = roughness.tile(2.0, 3) * roughness.amplitude(ground.roughness)
    assert 0.3 * felt.std() < heights.std() < 1.1 * felt.std()
    rig.drive(0.0)
    rig.run(2.0)
    assert rig.ground_force()[2] == pytest.approx(rig.mass * GRAVITY, rel=0.01)


@pytest.mark.parametrize("robot", ["autominy", "create"])
def test_small_wheels_do_not_fall_through_ground_rougher_than_they_are(robot: str) -> None:
    rig = stand(robot, plane(Material(roughness=Roughness(density=5e-2))))
    start = rig.base["position"][2]
    rig.drive(0.3)
    heights = rig.run(10.0, lambda: rig.base["position"][2])
    assert np.abs(heights - start).max() < 0.05
