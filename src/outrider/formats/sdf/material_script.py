"""Ogre's material scripts: enough of them to find a material's colour and texture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from outrider.formats.files_read import note_read

MAX_BYTES = 4 << 20
_MATERIAL = re.compile(r"(?:^|\})\s*material\s+([^\s:{]+)\s*(?::\s*([^\s{]+))?", re.MULTILINE)
_TEXTURE = re.compile(r"(?:^|[\s{])texture\s+(\S+)")
_FIGURE = r"([-+.\deE]+)"
_DIFFUSE = re.compile(
    rf"(?:^|[\s{{])diffuse\s+{_FIGURE}\s+{_FIGURE}\s+{_FIGURE}(?:[ \t]+{_FIGURE})?"
)
_COMMENT = re.compile(r"//[^\n]*")


@dataclass(frozen=True, slots=True)
class ScriptMaterial:
    """What a script says of one material."""

    texture: str = ""
    colour: tuple[float, float, float, float] | None = None
    parent: str = ""


def read_scripts(places: list[Path]) -> dict[str, ScriptMaterial]:
    """Return all materials in ``.material`` files and folders of them."""
    found: dict[str, ScriptMaterial] = {}
    for place in places:
        files = sorted(place.glob("*.material")) if place.is_dir() else [place]
        for file in files[:200]:
            note_read(file)
            if file.suffix == ".material" and file.stat().st_size <= MAX_BYTES:
                found |= parse_script(file.read_text(encoding="utf-8", errors="replace"))
    return found


def parse_script(text: str) -> dict[str, ScriptMaterial]:
    """Return the materials of one script; a material may build on another."""
    text = _COMMENT.sub("", text)
    heads = list(_MATERIAL.finditer(text))
    found: dict[str, ScriptMaterial] = {}
    for head, following in zip_longest(heads, heads[1:]):
        body = text[head.end() : following.start() if following else len(text)]
        texture, diffuse = _TEXTURE.search(body), _DIFFUSE.search(body)
        found[head.group(1).strip("\"'")] = ScriptMaterial(
            texture.group(1).strip("\"'") if texture else "",
            _colour(diffuse) if diffuse else None,
            (head.group(2) or "").strip("\"'"),
        )
    return found


def _colour(found: re.Match[str]) -> tuple[float, float, float, float] | None:
    try:
        r, g, b, a = (min(max(float(v or 1.0), 0.0), 1.0) for v in found.groups())
    except ValueError:
        return None
    return r, g, b, a


def looked_up(scripts: dict[str, ScriptMaterial], name: str) -> ScriptMaterial | None:
    """Return a material with what it does not say filled in from those it builds on."""
    chain: list[ScriptMaterial] = []
    seen: set[str] = set()
    while name in scripts and name not in seen:
        seen.add(name)
        chain.append(scripts[name])
        name = scripts[name].parent
    if not chain:
        return None
    texture = next((material.texture for material in chain if material.texture), "")
    colour = next((material.colour for material in chain if material.colour), None)
    return ScriptMaterial(texture, colour)
