"""Writes a description's colours into its mesh files, for viewers that look only there.

rviz paints a Wavefront mesh as its own materials say, grey if there are none, and ignores the
colour that the URDF gives it. So such a mesh is shown to others as a copy with that colour.
"""

from pathlib import Path

from lxml import etree

from outrider.core.cache import content_key
from outrider.core.cache_folder import cache_dir
from outrider.core.files.atomic_file import replacing
from outrider.core.files.package_files import is_file
from outrider.formats.asset_paths import AssetPaths


def with_colours(urdf: str, paths: AssetPaths) -> str:
    """Return a description whose colourless meshes are copies in its colours."""
    root = etree.fromstring(urdf.encode(), etree.XMLParser(resolve_entities=False))
    named = {m.get("name", ""): _colour(m) for m in root.findall("material")}
    changed = False
    for visual in root.iter("visual"):
        mesh, material = visual.find("geometry/mesh"), visual.find("material")
        if mesh is None or material is None:
            continue
        colour = _colour(material) or named.get(material.get("name", ""), ())
        file = paths.base / mesh.get("filename", "")
        if colour and file.suffix.lower() == ".obj" and is_file(file) and paths.within(file):
            mesh.set("filename", str(_painted(file, colour)))
            changed = True
    return etree.tostring(root, encoding="unicode") if changed else urdf


def is_painted(file: Path) -> bool:
    """Return whether a file is such a copy."""
    return file.parent == _folder().resolve()


def _folder() -> Path:
    return cache_dir() / "painted"


def _colour(material: etree._Element) -> tuple[float, ...]:
    """Return red, green, blue and alpha, or nothing."""
    found = material.find("color")
    try:
        colour = tuple(map(float, found.get("rgba", "").split())) if found is not None else ()
    except ValueError:
        return ()
    return colour if len(colour) == 4 else ()


def _painted(file: Path, colour: tuple[float, ...]) -> Path:
    """Return the path of a copy in a colour; of the file itself where that cannot be."""
    data = file.read_bytes()
    if b"usemtl" in data:
        return file  # it has colours of its own
    key = content_key(data, colour)
    copy = _folder() / f"{key}.obj"
    try:
        if not copy.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            _write(copy.with_suffix(".mtl"), _material(colour))
            _write(copy, f"mtllib {key}.mtl\nusemtl paint\n".encode() + data)
    except OSError:
        return file  # grey is better than nothing
    return copy


def _material(colour: tuple[float, ...]) -> bytes:
    shade = " ".join(f"{part:g}" for part in colour[:3])
    return f"newmtl paint\nKa {shade}\nKd {shade}\nKs 0.1 0.1 0.1\nd {colour[3]:g}\n".encode()


def _write(path: Path, data: bytes) -> None:
    with replacing(path) as file:
        file.write(data)
