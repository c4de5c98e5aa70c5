"""The table of formats in the docs and the readers and writers that there are say the same."""

import re
from pathlib import Path

import pytest

from outrider.formats.elevation.heightmap import _DEM_READERS
from outrider.formats.export_file import WRITERS
from outrider.formats.import_file import DESCRIPTIONS, HEIGHTS
from outrider.formats.mesh.files import READERS
from outrider.formats.mesh.write import WRITERS as MESH_WRITERS
from outrider.formats.textures import FORMATS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "formats.md"
_PICTURES = {"JPEG": {".jpg", ".jpeg"}, "TIFF": {".tif", ".tiff"}}


def rows():
    found = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 6 and cells[0] != "format":
            suffixes = set(re.findall(r"`(\.\w+)`", cells[1]))
            written = set(re.findall(r"`(\.\w+)`", cells[3]))
            found[cells[0]] = suffixes, suffixes if cells[3] == "yes" else written
    return found


def gathered(names, column=0):
    return set().union(*(rows()[name][column] for name in names))


MESHES = ("Collada", "Wavefront", "STL", "PLY", "glTF 2.0", "FBX")
TREES = ("URDF", "xacro", "SDF 1.4 to 1.11", "MJCF")


@pytest.mark.parametrize(
    ("names", "known"),
    [
        (MESHES, set(READERS)),
        (TREES, set(DESCRIPTIONS)),
        (("height images", "elevation"), {*HEIGHTS, *_DEM_READERS}),
        (("elevation",), set(_DEM_READERS)),
        (("pictures",), set().union(*(_PICTURES.get(f, {f".{f.lower()}"}) for f in FORMATS))),
    ],
)
def test_what_is_read_stands_in_the_table(names, known):
    assert gathered(names) == known


def test_what_is_written_stands_in_the_table():
    assert gathered((*TREES, *MESHES), 1) == {*WRITERS, *MESH_WRITERS}
