"""GeoTIFF: metres, degrees, feet, no data, half pixels, tiles, compression."""

import sys

import numpy as np
import pytest

from outrider.core.errors import FormatError
from outrider.formats.elevation.heightmap import read_heightmap
from outrider.scenarios.build import build
from outrider.scenarios.load import loads
from outrider.world.tessellate import heightfield_height

rasterio = pytest.importorskip("rasterio")
pyproj = pytest.importorskip("pyproj")
Affine = pytest.importorskip("affine").Affine

ROWS, COLUMNS = np.mgrid[0:60, 0:80]
SLOPE = (500.0 + 0.5 * COLUMNS - 0.25 * ROWS).astype(np.float32)  # rises to the east and north


@pytest.fixture
def tif(tmp_path):
    def write(values=SLOPE, crs="EPSG:32632", transform=None, name="site.tif", **options):
        path = tmp_path / name
        transform = transform or Affine(2.0, 0, 500000, 0, -2.0, 5500000)
        with rasterio.open(
            path,
            "w",
            driver="GTiff",
            height=values.shape[0],
            width=values.shape[1],
            count=1,
            dtype=values.dtype,
            crs=crs,
            transform=transform,
            **options,
        ) as file:
            file.write(values, 1)
        return path

    return write


def height(found, x, y):
    return float(heightfield_height(found.field, np.array([x]), np.array([y]))[0])


def elevation(found, x, y):
    return height(found, x, y) + found.lowest


def test_projected_metres_are_taken_as_they_are(tif):
    found = read_heightmap(tif())
    assert found.field.size == (158.0, 118.0)  # between the middles of the outer pixels
    assert elevation(found, -79, 59) == pytest.approx(500.0)
    assert elevation(found, 79, 59) == pytest.approx(539.5)
    assert elevation(found, -79, -59) == pytest.approx(500.0 - 14.75)
    to_degrees = pyproj.Transformer.from_crs(32632, 4326, always_xy=True)
    longitude, latitude = to_degrees.transform(500080.0, 5499940.0)  # half pixels in
    assert found.origin.latitude_deg == pytest.approx(latitude, abs=1e-10)
    assert found.origin.longitude_deg == pytest.approx(longitude, abs=1e-10)
    assert any("EPSG:32632" in note for note in found.notes)


def test_the_lowest_point_is_zero_unless_kept(tif):
    found = read_heightmap(tif())
    assert found.field.heights.min() == 0.0
    assert found.lowest == found.origin.altitude_m == pytest.approx(485.25)


def test_pixel_is_point_and_pixel_is_area_differ_by_half_a_pixel(tif):
    area = read_heightmap(tif())
    point = tif(name="point.tif")
    with rasterio.open(point, "r+") as file:
        file.update_tags(AREA_OR_POINT="Point")
    again = read_heightmap(point)
    assert again.field.size == area.field.size
    # GDAL keeps the transform on the pixels' corners either way, so the place stays
    assert again.origin.latitude_deg == pytest.approx(area.origin.latitude_deg, abs=1e-7)


def test_degrees_become_metres_at_their_place(tif):
    pymap3d = pytest.importorskip("pymap3d")
    step = 1 / 3600
    path = tif(crs="EPSG:4326", transform=Affine(step, 0, 8.9, 0, -step, 49.9))
    found = read_heightmap(path)
    assert found.origin.latitude_deg == pytest.approx(49.9 - 30 * step)
    assert found.origin.longitude_deg == pytest.approx(8.9 + 40 * step)
    east, north = 79 * step * 71_740, 59 * step * 111_230
    np.testing.assert_allclose(found.field.size, [east, north], rtol=1e-3)
    for x, y in ((-600.0, 500.0), (300.0, -800.0), (0.0, 0.0)):
        latitude, longitude, _ = pymap3d.enu2geodetic(
            x, y, 0.0, found.origin.latitude_deg, found.origin.longitude_deg, 0.0
        )
        column, row = (longitude - 8.9) / step - 0.5, (49.9 - latitude) / step - 0.5
        assert elevation(found, x, y) == pytest.approx(500 + 0.5 * column - 0.25 * row, abs=2e-3)
    assert any("degrees converted to metres" in note for note in found.notes)


def test_feet_become_metres(tif):
    found = read_heightmap(tif(crs="EPSG:2225"))
    np.testing.assert_allclose(found.field.size, np.array([158.0, 118.0]) * 1200 / 3937)
    assert any("unit 0.3048" in note for note in found.notes)


@pytest.mark.parametrize("void", [-9999.0, -32768.0, np.nan, -3.4028235e38])
@pytest.mark.parametrize("declared", [True, False])
def test_no_data_is_filled_whether_declared_or_not(tif, void, declared):
    values = SLOPE.copy()
    values[20:24, 30:33] = void
    found = read_heightmap(tif(values, nodata=void if declared else None))
    rows = found.field.heights.T[::-1] + found.lowest
    np.testing.assert_allclose(rows, SLOPE, atol=2.0)
    assert any("12 samples without data" in note for note in found.notes)


@pytest.mark.parametrize(
    "options",
    [
        {"tiled": True, "blockxsize": 16, "blockysize": 16},
        {"compress": "deflate", "predictor": 3},
        {"compress": "lzw", "tiled": True, "blockxsize": 32, "blockysize": 32},
    ],
)
def test_tiles_and_compression_change_nothing(tif, options):
    found = read_heightmap(tif(**options))
    np.testing.assert_array_equal(found.field.heights.T[::-1] + found.lowest, SLOPE)


@pytest.mark.parametrize("kind", ["int16", "uint16", "int32", "float64"])
def test_whole_numbers_and_fractions_of_any_width_are_read(tif, kind):
    found = read_heightmap(tif(SLOPE.astype(kind)))
    np.testing.assert_array_equal(found.field.heights.T[::-1] + found.lowest, SLOPE.astype(kind))


def test_scale_and_offset_of_the_band_are_applied(tif):
    path = tif(SLOPE.astype("int16"))
    with rasterio.open(path, "r+") as file:
        file.scales, file.offsets = (0.1,), (7.0,)
    found = read_heightmap(path)
    assert elevation(found, -79, 59) == pytest.approx(57.0)


def test_south_up_and_turned_grids_are_set_upright(tif):
    path = tif(SLOPE[::-1], transform=Affine(2.0, 0, 500000, 0, 2.0, 5499880))
    found = read_heightmap(path)
    assert elevation(found, 0, 40) - elevation(found, 0, -40) == pytest.approx(0.25 * 40, abs=0.2)


def test_without_coordinate_system_the_unit_is_taken_as_metres_and_said(tif):
    found = read_heightmap(tif(crs=None))
    assert found.field.size == (158.0, 118.0)
    assert found.origin is None
    assert any("names no coordinate system" in note for note in found.notes)


@pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")
def test_a_tiff_that_is_no_map_is_an_image(tif):
    path = tif((SLOPE * 100).astype("uint16"), crs=None, transform=Affine.identity())
    with pytest.raises(FormatError, match=r"site\.tif: an image has no size of its own"):
        read_heightmap(path)
    found = read_heightmap(path, (80.0, 60.0, 655.35))
    np.testing.assert_allclose(found.field.heights.T[::-1], np.floor(SLOPE * 100) / 100)


def test_without_rasterio_the_error_names_the_extra(tif, monkeypatch):
    path = tif()
    monkeypatch.setitem(sys.modules, "rasterio", None)
    with pytest.raises(FormatError, match=r"site\.tif: .*pip install outrider\[geo\]"):
        read_heightmap(path)


def test_a_whole_country_is_refused(tif):
    path = tif(crs="EPSG:4326", transform=Affine(0.1, 0, 5, 0, -0.1, 50))
    with pytest.raises(FormatError, match=r"site\.tif: 7\.9 x 5\.9 degrees are too large"):
        read_heightmap(path)


def test_cells_of_an_impossible_size_are_refused(tif):
    path = tif(crs=None, transform=Affine(1e200, 0, 5, 0, -1e200, 50))
    with pytest.raises(FormatError, match=r"site\.tif: .* is no piece of ground"):
        read_heightmap(path)


@pytest.mark.filterwarnings("ignore")  # of odd TIFF tags
def test_damaged_files_are_read_or_refused(tif):
    whole = tif(SLOPE[:12, :9].copy(), compress="deflate").read_bytes()
    path = tif()
    random = np.random.default_rng(4)
    refused = []
    for _ in range(100):
        data = bytearray(whole)
        for place in random.integers(0, len(data), 3):
            data[place] = random.integers(0, 256)
        path.write_bytes(
            data[: random.integers(8, len(data) + 1)] if random.random() < 0.3 else data
        )
        try:
            read_heightmap(path, (1.0, 1.0, 1.0))
        except FormatError as error:
            refused.append(str(error))
    assert refused
    assert all(sentence.startswith(str(path)) for sentence in refused)


@pytest.mark.parametrize("heading", [0.0, 90.0])
def test_a_jackal_drives_on_the_site_of_a_file_at_its_place_on_earth(tif, heading):
    """A hill east and north of the middle: the way up is as steep as the file says."""
    east, north = (COLUMNS - 39.5) * 2.0, (29.5 - ROWS) * 2.0
    hill = (100 + 8 * np.exp(-((east - 40) ** 2 + (north - 25) ** 2) / (2 * 25.0**2))).astype("f4")
    path = tif(hill, nodata=-9999, tiled=True, blockxsize=16, blockysize=16, compress="deflate")
    scenario = loads(
        f"world: {{ground: {{type: heightmap, file: {path}}}}}\n"
        f"robots: [{{model: jackal, pose: {{yaw_deg: {heading}}},"
        " motion: {type: drive, speed: 1.0}}]\n"
    )
    simulation = build(scenario)
    simulation.run(6.0)
    x, y, z = next(iter(simulation.robots.values())).pose.position
    true = 100 + 8 * np.exp(-((x - 40) ** 2 + (y - 25) ** 2) / (2 * 25.0**2)) - float(hill.min())
    assert np.hypot(x, y) > 5.0
    assert z - true == pytest.approx(0.0635, abs=0.03)
    assert simulation.rig.assembly.world.origin.latitude_deg == pytest.approx(49.6514, abs=1e-3)
