import numpy as np
import pymap3d
import pytest

from outrider.core.frames import Array
from outrider.sensors.gnss.geodesy import LocalFrame, from_ecef, to_ecef
from outrider.world.model import GeoOrigin

LATITUDES = (-90.0, -89.9999999, -45.0, -1e-9, 0.0, 1e-7, 37.4, 52.4559, 89.9999, 90.0)
LONGITUDES = (-180.0, -179.9999999, -77.0, 0.0, 13.2973, 90.0, 179.99999999, 180.0)
HEIGHTS = (-5000.0, 0.0, 8848.0, 400e3, 20_200e3)
PLACES = [(a, b, c) for a in LATITUDES for b in LONGITUDES for c in HEIGHTS]
ORIGINS = [
    GeoOrigin(49.9, 8.9, 120.0),
    GeoOrigin(-90.0, 0.0, 2800.0),
    GeoOrigin(90.0, 45.0, 0.0),
    GeoOrigin(0.0, 180.0, 0.0),
    GeoOrigin(-17.0, 179.9999, 10.0),
]


def apart_deg(a: float, b: float) -> float:
    """Return how far two longitudes are apart, whichever way round."""
    return abs((a - b + 180) % 360 - 180)


def test_to_earth_centred_coordinates_as_pymap3d() -> None:
    for place in PLACES:
        assert to_ecef(*place) == pytest.approx(pymap3d.geodetic2ecef(*place), abs=1e-6)


def test_back_from_earth_centred_coordinates_exactly() -> None:
    for latitude, longitude, height in PLACES:
        found = from_ecef(to_ecef(latitude, longitude, height))
        assert found[0] == pytest.approx(latitude, abs=1e-9)
        assert found[2] == pytest.approx(height, abs=1e-6)
        if abs(latitude) < 90:
            east_m = np.cos(np.radians(latitude)) * 111e3
            assert apart_deg(found[1], longitude) * east_m < 1e-6


def test_back_from_earth_centred_coordinates_as_pymap3d() -> None:
    for place in [p for p in PLACES if p[2] < 10e3]:  # at 400 km theirs is off by 2e-9 degrees
        ecef = to_ecef(*place)
        theirs = pymap3d.ecef2geodetic(*ecef)
        ours = from_ecef(ecef)
        assert ours[0] == pytest.approx(float(theirs[0]), abs=1e-9)
        assert ours[2] == pytest.approx(float(theirs[2]), abs=1e-3)


def scattered() -> Array:
    return np.random.default_rng(1).uniform(-20e3, 20e3, (60, 3)) * [1, 1, 0.1]


@pytest.mark.parametrize("origin", ORIGINS)
def test_places_of_a_world_are_where_pymap3d_has_them(origin: GeoOrigin) -> None:
    frame = LocalFrame(origin)
    where = (origin.latitude_deg, origin.longitude_deg, origin.altitude_m)
    for place in scattered():
        latitude, longitude, height = frame.geodetic(place)
        back = pymap3d.geodetic2enu(latitude, longitude, height, *where)
        assert np.array(back, float) == pytest.approx(place, abs=1e-3)
        theirs = pymap3d.enu2geodetic(*place, *where)
        assert latitude == pytest.approx(float(theirs[0]), abs=1e-9)
        assert height == pytest.approx(float(theirs[2]), abs=1e-3)


@pytest.mark.parametrize("origin", ORIGINS)
def test_places_of_a_world_come_back_to_a_micrometre(origin: GeoOrigin) -> None:
    frame = LocalFrame(origin)
    for place in scattered():
        assert frame.local(*frame.geodetic(place)) == pytest.approx(place, abs=1e-6)


def test_anywhere_on_earth_a_fix_comes_back_to_a_millimetre() -> None:
    random = np.random.default_rng(2)
    for _ in range(300):
        origin = GeoOrigin(random.uniform(-90, 90), random.uniform(-180, 180), 50.0)
        frame = LocalFrame(origin)
        place = random.uniform(-5000, 5000, 3)
        assert frame.local(*frame.geodetic(place)) == pytest.approx(place, abs=1e-3)


def test_x_is_east_y_north_and_z_up() -> None:
    frame = LocalFrame(GeoOrigin(49.9, 8.9, 100.0))
    latitude, longitude, height = frame.geodetic(np.array([100.0, 0.0, 0.0]))
    assert longitude > 8.9
    assert latitude == pytest.approx(49.9, abs=1e-7)
    latitude, longitude, _ = frame.geodetic(np.array([0.0, 1000.0, 0.0]))
    assert latitude - 49.9 == pytest.approx(1000 / 111_232, rel=1e-3)  # metres per degree there
    assert longitude == pytest.approx(8.9, abs=1e-12)
    assert frame.geodetic(np.array([0.0, 0.0, 7.0]))[2] == pytest.approx(107.0)
    assert height == pytest.approx(100.0, abs=1e-3)
