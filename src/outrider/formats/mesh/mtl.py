"""Wavefront MTL: the colours and textures an OBJ file asks for."""

from dataclasses import replace
from pathlib import Path

from outrider.core.errors import FormatError
from outrider.formats.mesh.opacity import OpacityMap, visible
from outrider.formats.mesh.raw import GREY, RawMaterial
from outrider.formats.mesh.textures import find_beside
from outrider.formats.xml_source import read_bounded

_OPTION_VALUES = {"-o": 3, "-s": 3, "-t": 3, "-mm": 2}  # all other options have one value


def read_libraries(
    path: Path, libraries: tuple[str, ...]
) -> tuple[dict[str, RawMaterial], list[str]]:
    """Return the materials of the files an OBJ names, and notes on what is missing."""
    looks: dict[str, RawMaterial] = {}
    notes: list[str] = []
    for line in libraries:
        names = [line] if find_beside(path, line) else line.split()  # one with blanks, or several
        for name in names:
            found = find_beside(path, name)
            if found is None:
                notes.append(f"{path}: there is no material file '{name[:200]}'")
                continue
            try:
                looks |= read_materials(found)
            except FormatError as error:
                notes.append(f"the materials were left out: {error}")
    return looks, notes


def read_materials(path: Path) -> dict[str, RawMaterial]:
    """Return the materials of an MTL file by name."""
    looks: dict[str, RawMaterial] = {}
    name = None
    for number, line in enumerate(read_bounded(path).splitlines(), 1):
        word, _, rest = line.split(b"#")[0].strip().partition(b" ")
        text = rest.strip().decode(errors="replace")
        if word == b"newmtl":
            name = text
            looks[name] = RawMaterial()
        elif name is not None:
            try:
                looks[name] = _changed(looks[name], word.decode(errors="replace"), text)
            except ValueError:
                raise FormatError(f"{path}:{number}: expected numbers, got '{text[:60]}'") from None
    return {name: replace(look, colour=_visible(look)) for name, look in looks.items()}


def _changed(look: RawMaterial, word: str, text: str) -> RawMaterial:
    r, g, b, a = look.colour
    if word == "Kd" and not text.startswith(("spectral", "xyz")):
        values = [min(1.0, max(0.0, float(value))) for value in text.split()[:3]]
        r, g, b = values if len(values) == 3 else (values or [GREY[0]])[:1] * 3
        return replace(look, colour=(r, g, b, a))
    if word in ("d", "Tr"):
        value = float((text.split() or [""])[-1])
        return replace(look, colour=(r, g, b, value if word == "d" else 1.0 - value))
    if word.lower() == "map_kd":
        return replace(look, texture=_file_name(text))
    if word.lower() == "map_d":
        return replace(look, opacity=OpacityMap(_file_name(text), _channel(text)))
    if word.lower() == "map_tr":  # of the transparency: white is a hole
        return replace(look, opacity=OpacityMap(_file_name(text), _channel(text), 1.0, 0.0))
    return look


def _visible(look: RawMaterial) -> tuple[float, float, float, float]:
    r, g, b, a = look.colour
    return r, g, b, visible(a)


def _channel(text: str) -> str:
    """Return which channel of a picture a texture's options ask for: r, g, b, m, l, or none."""
    words = text.lower().split()[:-1]
    if "-imfchan" not in words[:-1]:
        return ""
    named = words[words.index("-imfchan") + 1]
    return "m" if named == "a" else named if named in ("r", "g", "b", "m", "l") else ""


def _file_name(text: str) -> str:
    """Return the name behind a texture's options; it may hold blanks."""
    words = text.split()
    while words and words[0].startswith("-") and len(words) > 1:
        skip = 1 + _OPTION_VALUES.get(words[0], 1)
        if skip >= len(words):
            break
        words = words[skip:]
    start = text.find(words[0]) if words else 0
    return text[start:] if words and text.startswith("-") else text
