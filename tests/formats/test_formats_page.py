"""The table of formats in the docs, the program's own table and the readers say the same."""

import re
from pathlib import Path

import pytest
from PIL import Image

from outrider.core.errors import FormatError
from outrider.formats.export_file import WRITERS
from outrider.formats.import_file import file_kind, import_file
from outrider.formats.mesh.files import load_raw
from outrider.formats.mesh.write import WRITERS as MESH_WRITERS
from outrider.formats.reader import reader_of
from outrider.formats.textures import FORMATS as PILLOW_FORMATS
from outrider.specs.file_kinds import FORMATS, format_of, suffixes, written

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


def rows():
    """Return what the page says of each format: its suffixes, and those it is written with."""
    found = {}
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 6 and cells[0] != "format":
            known = tuple(re.findall(r"`(\.\w+)`", cells[1]))
            told = tuple(re.findall(r"`(\.\w+)`", cells[3]))
            found[cells[0]] = known, known if cells[3] == "yes" else told
    return found


def test_the_page_has_every_format_and_no_other():
    read = {row.name: (row.suffixes, row.written) for row in FORMATS if row.kind != "unread mesh"}
    assert rows() == read


def test_the_page_names_what_is_not_read():
    sentence = PAGE[PAGE.index("Files of other 3D programs") :]
    assert tuple(re.findall(r"`(\.\w+)`", sentence)) == suffixes("unread mesh")


@pytest.mark.parametrize("kind", ["mesh", "elevation"])
def test_every_format_with_readers_of_its_own_has_one(kind):
    for suffix in suffixes(kind):
        assert callable(reader_of(Path(f"a{suffix}"), kind))


def test_what_is_written_has_a_writer():
    assert {*WRITERS, *MESH_WRITERS} == set(written("description", "mesh"))


def test_the_pictures_are_those_that_pillow_is_allowed_to_open():
    Image.init()
    allowed = {suffix for suffix, name in Image.EXTENSION.items() if name in PILLOW_FORMATS}
    assert {*suffixes("image", "height image")} <= allowed
    named = {Image.EXTENSION[suffix] for suffix in suffixes("image")}
    assert named == set(PILLOW_FORMATS)


@pytest.mark.parametrize("suffix", suffixes("unread mesh"))
def test_a_file_that_is_not_read_is_refused_with_advice(tmp_path, suffix):
    file = tmp_path / f"thing{suffix}"
    file.write_bytes(b"content")
    for read in (load_raw, import_file):
        with pytest.raises(FormatError, match=f"{suffix} files are not read; convert it to GLB"):
            read(file)


@pytest.mark.parametrize("suffix", suffixes("height image", "elevation"))
def test_every_height_file_is_told_as_one(suffix):
    assert file_kind(Path(f"hills{suffix}")) == "heightmap"
    assert format_of(f"hills{suffix}", "mesh") is None
