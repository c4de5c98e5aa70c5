"""Barometers and thermometers on bodies that climb."""

import numpy as np
import pytest
from body_bench import Bench

from outrider.core.frames import Pose
from outrider.sensors.air.barometer import Barometer, BarometerParameters
from outrider.sensors.air.thermometer import Thermometer, ThermometerParameters
from outrider.sensors.triad import Triad
from outrider.weather.atmosphere import standard_air
from outrider.world.model import GeoOrigin

STILL = (0.0, 0.0, 0.0)


def bench(altitude=0.0, z=0.0):
    origin = GeoOrigin(48.0, 9.0, altitude)
    return Bench(gravity=STILL, origin=origin, pose=Pose([0.0, 0.0, z]))


def read_air(sensor):
    pressure, temperature = sensor.pressure_message(0), sensor.temperature_message(0)
    return pressure.fluid_pressure, temperature.temperature, sensor.altitude_message(0).data


def test_a_barometer_shows_the_air_at_its_own_height():
    made = bench(altitude=700.0, z=50.0)
    sensor = made.mount(Barometer, pose=Pose([0.0, 0.0, 2.0]))
    pressure, temperature, altitude = made.run(sensor, 0.1, read_air)[-1]
    assert pressure == pytest.approx(standard_air(752.0).pressure_pa)
    assert temperature == pytest.approx(standard_air(752.0).temperature_c)
    assert altitude == pytest.approx(752.0, abs=0.2)


def test_a_metre_of_height_near_the_sea_is_12_pascal():
    low, high = (bench(z=z) for z in (0.0, 1.0))
    drop = [b.run(b.mount(Barometer), 0.05, read_air)[-1][0] for b in (low, high)]
    assert drop[0] - drop[1] == pytest.approx(12.01, abs=0.01)  # 1.225 kg/m^3 * 9.80665 m/s^2


def test_an_altimeter_set_to_another_pressure_shows_another_altitude():
    made = bench()
    sensor = made.mount(Barometer, BarometerParameters(sea_level_pa=100_129.0))
    assert made.run(sensor, 0.05, read_air)[-1][2] == pytest.approx(-100.0, abs=1.0)


def test_noise_has_its_deviation_and_the_message_its_variance():
    made = bench()
    sensor = made.mount(Barometer, BarometerParameters(pressure=Triad(noise_sigma=5.0)))
    shown = made.run(sensor, 20.0, read_air)[:, 0]
    assert len(shown) > 900
    assert np.std(shown) == pytest.approx(5.0, rel=0.1)
    assert np.mean(shown) == pytest.approx(101_325.0, abs=0.6)
    assert sensor.pressure_message(0).variance == pytest.approx(25.0)


def test_a_barometers_range_ends_where_its_data_sheet_says():
    made = bench(altitude=12_000.0)
    sensor = made.mount(Barometer, BarometerParameters(lowest_pa=30_000.0))
    assert made.run(sensor, 0.05, read_air)[-1][0] == 30_000.0


def test_a_slow_thermometer_follows_a_climb_as_its_time_constant_says():
    made = bench()
    made.body["velocity"] = [0.0, 0.0, 0.0]
    sensor = made.mount(Thermometer, ThermometerParameters(time_constant_s=2.0))
    first = made.run(sensor, 0.1, lambda s: s.message(0).temperature)[-1]
    made.engine.place(0, Pose([0.0, 0.0, 1000.0]), np.zeros(3), np.zeros(3))
    after = made.run(sensor, 2.0, lambda s: s.message(0).temperature)[-1]
    air = standard_air(1000.0).temperature_c
    assert first == pytest.approx(15.0)
    assert (after - air) / (first - air) == pytest.approx(np.exp(-1.0), rel=1e-6)


def test_a_fast_thermometer_shows_the_air_at_once_in_steps_of_its_converter():
    made = bench(z=1000.0)
    spec = ThermometerParameters(Triad(resolution=0.0625), lowest_c=-55.0, highest_c=125.0)
    sensor = made.mount(Thermometer, spec)
    shown = made.run(sensor, 0.1, lambda s: s.temperature_c)[-1]
    assert shown == pytest.approx(standard_air(1000.0).temperature_c, abs=0.0313)
    assert shown / 0.0625 == pytest.approx(round(shown / 0.0625))


@pytest.mark.parametrize("kind", [Barometer, Thermometer])
def test_a_sensor_goes_on_from_its_saved_state_to_the_same_values(kind):
    noisy = Triad(noise_sigma=0.3, drift_sigma=1.0, drift_time_s=5.0, turn_on_sigma=2.0)
    made = bench(z=10.0)
    first, second = (made.mount(kind, kind.Parameters(temperature=noisy)) for _ in range(2))
    read = lambda s: s.outputs["temperature"](0).temperature  # noqa: E731
    made.run(first, 0.5, read)
    parts = made.parts(first)
    saved = parts.get_state()
    expected = made.run(first, 0.5, read)
    again = made.parts(second)
    again.set_state(saved)
    assert made.run(second, 0.5, read).tobytes() == expected.tobytes()
