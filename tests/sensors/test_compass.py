import math
from typing import Any

import numpy as np
import pytest
from body_bench import Bench

from outrider.core.errors import ConfigError
from outrider.core.frames import Array, Pose
from outrider.sensors.compass import Compass, CompassParameters
from outrider.sensors.magnetism import earth_field
from outrider.sensors.triad import Triad
from outrider.world.model import GeoOrigin

# The test values that NOAA publishes with each model: year, height (km), latitude, longitude,
# then north, east and down in nT and declination in degrees.
NOAA = [
    (2025.0, 0.0, 80.0, 0.0, 6521.6, 145.9, 54791.5, 1.28),
    (2025.0, 0.0, 0.0, 120.0, 39677.8, -109.6, -10580.2, -0.16),
    (2025.0, 0.0, -80.0, 240.0, 6117.5, 15751.9, -52022.5, 68.78),
    (2025.0, 100.0, 80.0, 0.0, 6216.0, 92.4, 52598.8, 0.85),
    (2025.0, 100.0, 0.0, 120.0, 37688.6, -96.2, -10152.1, -0.15),
    (2025.0, 100.0, -80.0, 240.0, 5907.6, 14780.3, -49540.7, 68.21),
    (2027.5, 0.0, 80.0, 0.0, 6500.8, 294.5, 54869.4, 2.59),
    (2027.5, 0.0, 0.0, 120.0, 39701.6, -167.4, -10381.8, -0.24),
    (2027.5, 0.0, -80.0, 240.0, 6200.7, 15730.3, -51783.7, 68.49),
    (2027.5, 100.0, 80.0, 0.0, 6196.7, 233.8, 52670.5, 2.16),
    (2027.5, 100.0, 0.0, 120.0, 37711.5, -148.7, -9969.8, -0.23),
    (2027.5, 100.0, -80.0, 240.0, 5984.0, 14760.1, -49317.7, 67.93),
    (2020.0, 0.0, 80.0, 0.0, 6570.4, -146.3, 54606.0, -1.28),
    (2020.0, 100.0, -80.0, 240.0, 5744.9, 14799.5, -49969.4, 68.78),
    (2022.5, 0.0, 0.0, 120.0, 39684.7, -42.2, -10809.5, -0.06),
]
HERE = GeoOrigin(49.9, 8.9, 0.0)
EXACT = CompassParameters(heading_step_deg=0.001)


@pytest.mark.parametrize("row", NOAA)
def test_the_field_is_that_of_the_official_test_values(row: tuple[float, ...]) -> None:
    year, height_km, latitude, longitude, north, east, down, declination = row
    field = earth_field(GeoOrigin(latitude, longitude, height_km * 1000), year)
    assert field * 1e9 == pytest.approx([east, north, -down], abs=0.06)
    assert math.degrees(math.atan2(field[0], field[1])) == pytest.approx(declination, abs=0.0051)


def test_dates_without_a_model_are_refused() -> None:
    with pytest.raises(ConfigError, match="covers 2010 to 2030, not 1999"):
        earth_field(HERE, 1999.0)
    assert np.linalg.norm(earth_field(HERE, 2029.9)) > 4e-5
    assert np.linalg.norm(earth_field(HERE, 2010.0)) > 4e-5


def mounted(
    yaw_deg: float,
    parameters: CompassParameters = EXACT,
    *,
    roll: float = 0.0,
    pitch: float = 0.0,
    **more: Any,
) -> Compass:
    """Return a compass that has measured once; its heading is ``yaw_deg`` clockwise from north."""
    yaw = math.radians(90.0 - yaw_deg)
    bench = Bench(origin=HERE, pose=Pose.from_rpy([0, 0, 0], [roll, pitch, yaw]))
    compass: Compass = bench.mount(Compass, parameters, **more)
    compass.sample(0)
    return compass


def near_angle(a: float, b: float) -> float:
    return abs((a - b + 180) % 360 - 180)


@pytest.mark.parametrize("heading", [0.0, 45.0, 90.0, 180.0, 271.0, 359.0])
def test_headings_turn_clockwise_from_magnetic_north(heading: float) -> None:
    declination = 3.7254  # WMM2025 at this place, 2026.0
    compass = mounted(heading)
    assert compass.declination_deg == pytest.approx(declination, abs=1e-3)
    assert near_angle(compass.heading_deg, heading - declination) < 0.002
    true = CompassParameters(reference="true", heading_step_deg=0.001)
    assert near_angle(mounted(heading, true).heading_deg, heading) < 0.002


def test_facing_magnetic_north_the_field_is_ahead_and_down() -> None:
    field = mounted(3.7254).field
    assert field[0] == pytest.approx(20179.7e-9, rel=1e-4)
    assert field[1] == pytest.approx(0.0, abs=1e-9)
    assert field[2] == pytest.approx(-44770.2e-9, rel=1e-4)  # into the ground, z is up
    east = mounted(3.7254 + 90).field
    assert east[1] == pytest.approx(20179.7e-9, rel=1e-4)  # north is to the left


def test_the_raw_output_counts_tenths_of_degrees() -> None:
    hmc = CompassParameters(heading_step_deg=0.1)
    for heading in (0.0, 90.0, 3.7254, 3.7):
        compass = mounted(heading, hmc)
        raw = compass.raw_message(0).data
        assert 0 <= raw <= 3599
        assert near_angle(raw / 10, heading - 3.7254) <= 0.0501
        assert compass.heading_message(0).data == pytest.approx(raw / 10)
    assert mounted(3.70, hmc).raw_message(0).data == 0  # -0.03 degrees is 360.0 is 0


def test_tilt_bends_the_heading_of_a_two_axis_compass_as_geometry_says() -> None:
    pitch = math.radians(-10.0)  # nose up
    tilted = mounted(90.0 + 3.7254, pitch=pitch)
    flat, down = 20179.7, 44770.2
    # facing magnetic east with the nose up, the downward field shows in the forward axis
    expected = math.degrees(math.atan2(flat, -down * math.sin(math.radians(10.0))))
    assert tilted.heading_deg == pytest.approx(expected, abs=0.01)
    assert abs(tilted.heading_deg - 90) > 20
    levelled = CompassParameters(tilt_compensated=True, heading_step_deg=0.001)
    for roll in (0.0, 0.4, -1.0):
        compass = mounted(123.0, levelled, roll=roll, pitch=pitch)
        assert near_angle(compass.heading_deg, 123.0 - 3.7254) < 0.002


def turned_about(parameters: CompassParameters) -> Array:
    return np.array([mounted(h, parameters).field for h in range(0, 360, 10)])


def test_hard_iron_shifts_and_soft_iron_stretches_the_circle() -> None:
    hard = turned_about(CompassParameters(hard_iron=(5e-6, -3e-6, 1e-6)))
    assert hard[:, :2].mean(axis=0) == pytest.approx([5e-6, -3e-6], abs=1e-10)
    soft = turned_about(CompassParameters(soft_iron=((1.2, 0, 0), (0, 0.9, 0), (0, 0, 1.0))))
    assert np.ptp(soft, axis=0)[:2] == pytest.approx([2.4 * 20179.7e-9, 1.8 * 20179.7e-9], rel=0.01)


def test_noise_is_as_stated_and_repeats_from_its_state() -> None:
    parameters = CompassParameters(
        Triad(noise_sigma=3e-7, turn_on_sigma=1e-6), heading_sigma_deg=0.5, heading_step_deg=0.001
    )
    compass = mounted(30.0, parameters)
    start = compass.get_state()
    rows = []
    for k in range(3000):
        compass.sample(k * 20_000_000)
        rows.append([*compass.field, compass.heading_deg])
    found = np.array(rows)
    assert found[:, :3].std(axis=0) == pytest.approx([3e-7] * 3, rel=0.06)
    assert compass.message(0).magnetic_field_covariance[0] == pytest.approx(9e-14)
    across = math.degrees(3e-7 / 20179.7e-9)
    assert found[:, 3].std() == pytest.approx(math.hypot(0.5, across), rel=0.08)
    compass.set_state(start)
    compass.sample(0)
    assert [*compass.field, compass.heading_deg] == rows[0]
