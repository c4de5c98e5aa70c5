"""Elevation files: ASCII grids, SRTM tiles and GeoTIFF, in metres about their middle."""

import sys

import numpy as np
import pytest

from outrider.core.errors import FormatError
from outrider.formats.elevation.grid import filled
from outrider.formats.elevation.heightmap import read_heightmap
from outrider.formats.elevation.resample import geodetic
from outrider.world.tessellate import heightfield_height

HEAD = "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 5500000\ncellsize 10\nNODATA_value -9999\n"


def height(found, x, y):
    return float(heightfield_height(found.field, np.array([x]), np.array([y]))[0])


def elevation(found, x, y):
    return height(found, x, y) + found.lowest


@pytest.fixture
def asc(tmp_path):
    def write(text):
        path = tmp_path / "site.asc"
        path.write_text(text)
        return path

    return write


def test_an_ascii_grid_has_its_first_row_in_the_north(asc):
    found = read_heightmap(asc(HEAD + "103 104 105\n100 101 102\n"))
    assert found.field.size == (20.0, 10.0)  # from the middle of the first cell to that of the last
    assert found.lowest == 100.0
    assert height(found, -10, 5) == pytest.approx(3.0)
    assert height(found, 10, 5) == pytest.approx(5.0)
    assert height(found, -10, -5) == pytest.approx(0.0)
    assert any("taken as metres" in note for note in found.notes)
    assert found.origin is None


def test_a_size_stretches_and_says_so(asc):
    path = asc(HEAD + "103 104 105\n100 101 102\n")
    found = read_heightmap(path, (2.0, 1.0, 50.0))
    assert found.field.size == (2.0, 1.0)
    assert height(found, 1, 0.5) == pytest.approx(50.0)
    assert any("stretched" in note for note in found.notes)


def test_holes_are_filled_from_around_and_counted(asc):
    found = read_heightmap(asc(HEAD + "103 -9999 103\n103 103 103\n"))
    np.testing.assert_allclose(found.field.heights + found.lowest, 103.0)
    assert any("1 samples without data (16.67%) were filled" in note for note in found.notes)


def test_a_prj_file_says_the_unit_and_the_place(asc, tmp_path):
    pyproj = pytest.importorskip("pyproj")
    path = asc(HEAD + "103 104 105\n100 101 102\n")
    (tmp_path / "site.prj").write_text(pyproj.CRS.from_epsg(32632).to_wkt("WKT1_ESRI"))
    found = read_heightmap(path)
    assert found.field.size == (20.0, 10.0)
    to_degrees = pyproj.Transformer.from_crs(32632, 4326, always_xy=True)
    longitude, latitude = to_degrees.transform(500015.0, 5500010.0)
    assert found.origin.latitude_deg == pytest.approx(latitude, abs=1e-9)
    assert found.origin.longitude_deg == pytest.approx(longitude, abs=1e-9)
    assert found.origin.altitude_m == 100.0
    (tmp_path / "site.prj").write_text(pyproj.CRS.from_epsg(2225).to_wkt("WKT1_ESRI"))  # feet
    np.testing.assert_allclose(read_heightmap(path).field.size, [6.096012192, 3.048006096])


def test_without_pyproj_the_place_is_left_out_and_said(asc, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyproj", None)
    path = asc(HEAD + "103 104 105\n100 101 102\n")
    (tmp_path / "site.prj").write_text(
        'PROJCS["UTM 32N",GEOGCS["W",UNIT["Degree",0.0174]],UNIT["Meter",1.0]]'
    )
    found = read_heightmap(path)
    assert found.origin is None
    assert any("outrider[geo]" in note for note in found.notes)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "ncols must be a whole number"),
        ("hello", "ncols must be a whole number"),
        (HEAD.replace("ncols 3", "ncols 100000"), "100000 x 2 heights do not fit into 0 bytes"),
        (HEAD.replace("ncols 3", "ncols three"), "ncols must be a number"),
        (HEAD.replace("cellsize 10", "cellsize 0") + "1 2 3 4 5 6", "cellsize must be above 0"),
        (HEAD + "1 2 3 4 5", "expected 3 x 2 = 6 heights, got 5"),
        (HEAD + "1 2 3 4 5 x", "is not a number"),
        (HEAD + "-9999 -9999 -9999 -9999 -9999 -9999", "only 'no data'"),
    ],
)
def test_bad_grids_are_refused_with_their_name(asc, text, sentence):
    with pytest.raises(FormatError, match=rf"site\.asc: .*{sentence}"):
        read_heightmap(asc(text))


def tile(tmp_path, name="N49E008.hgt", side=1201):
    rows, columns = np.mgrid[0:side, 0:side]
    heights = (1000 - rows // 4 + columns // 8).astype(">i2")
    heights[5:8, 9:12] = -32768
    path = tmp_path / name
    path.write_bytes(heights.tobytes())
    return path, heights


def test_an_srtm_tile_lies_where_its_name_says(tmp_path):
    path, heights = tile(tmp_path)
    found = read_heightmap(path)
    assert (found.origin.latitude_deg, found.origin.longitude_deg) == (49.5, 8.5)
    assert elevation(found, 0, 0) == pytest.approx(float(heights[600, 600]), abs=1.0)
    assert found.field.size[0] == pytest.approx(71_700, rel=0.01)  # one degree at 50 north
    assert found.field.size[1] == pytest.approx(111_200, rel=0.01)
    assert any("9 samples without data" in note for note in found.notes)
    assert any("curvature" in note for note in found.notes)


@pytest.mark.parametrize(
    ("name", "place"), [("S33W071.hgt", (-32.5, -70.5)), ("s01e036.hgt", (-0.5, 36.5))]
)
def test_tiles_of_the_south_and_west_have_negative_degrees(tmp_path, name, place):
    found = read_heightmap(tile(tmp_path, name)[0])
    assert (found.origin.latitude_deg, found.origin.longitude_deg) == place


def test_points_on_the_ground_have_the_elevation_of_their_latitude_and_longitude(tmp_path):
    pymap3d = pytest.importorskip("pymap3d")
    path, heights = tile(tmp_path)
    found = read_heightmap(path)
    for x, y in ((-20_000.0, 30_000.0), (15_000.0, -40_000.0), (100.0, 200.0)):
        latitude, longitude, _ = pymap3d.enu2geodetic(x, y, 0.0, 49.5, 8.5, 0.0)
        row, column = (50 - latitude) * 1200, (longitude - 8) * 1200
        assert elevation(found, x, y) == pytest.approx(
            float(heights[round(row), round(column)]), abs=1.01
        )


def test_the_local_plane_agrees_with_pymap3d():
    pymap3d = pytest.importorskip("pymap3d")
    x, y = np.array([0.0, 5e3, -4e4, 1e3]), np.array([0.0, -3e3, 5e4, 9e4])
    for latitude, longitude in ((0.0, 0.0), (49.9, 8.9), (-33.0, -179.5), (71.0, 25.0)):
        mine = geodetic(latitude, longitude, x, y)
        theirs = pymap3d.enu2geodetic(x, y, 0.0 * x, latitude, longitude, 0.0)
        np.testing.assert_allclose(mine[0], theirs[0], atol=1e-9)
        np.testing.assert_allclose((mine[1] - theirs[1] + 180) % 360 - 180, 0.0, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "size", "sentence"),
    [
        ("N49E008.hgt", 1000, "1201 or 3601 samples a side, not 1000 bytes"),
        ("site.hgt", 1201 * 1201 * 2, "name says where it is"),
        ("N95E008.hgt", 1201 * 1201 * 2, "no point on Earth"),
    ],
)
def test_bad_tiles_are_refused_with_their_name(tmp_path, name, size, sentence):
    (tmp_path / name).write_bytes(b"\0" * size)
    with pytest.raises(FormatError, match=rf"{name}: .*{sentence}"):
        read_heightmap(tmp_path / name)


def test_holes_keep_the_slope_around_them():
    rows, columns = np.mgrid[0:40, 0:50]
    plane = 2.0 * rows - columns + 100.0
    holes = plane.copy()
    holes[10:16, 20:24] = np.nan
    holes[0, 0] = -32768
    holes[30, 30] = 1e38
    found, notes = filled("x", holes, None)
    assert "26 samples" in notes[0]
    np.testing.assert_allclose(found, plane, atol=8.0)
    same = np.isfinite(holes) & (holes > -9000) & (holes < 9000)
    np.testing.assert_array_equal(found[same], plane[same])
