"""One SDF file: its version, its elements, and where the files lie that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.mesh.link_geometry import ColladaUp
from outrider.formats.notes import Notes
from outrider.formats.sdf.stock import stock_model
from outrider.formats.xml_source import Element, XmlSource, read_bounded

NEWEST = (1, 11)
OLDEST = (1, 4)
MAX_INCLUDES = 20_000
_VERSION = re.compile(r"^(\d{1,3})\.(\d{1,3})$")


@dataclass(frozen=True, slots=True, eq=False)
class SdfDocument:
    """A file that was read; several models of a world may come from one."""

    path: Path
    xml: XmlSource
    version: tuple[int, int]
    assets: AssetPaths

    @property
    def root(self) -> Element:
        """The ``<sdf>`` element."""
        return self.xml.root


@dataclass(frozen=True, slots=True, eq=False)
class IncludedLight:
    """A light in a file of its own, placed by a world."""

    document: SdfDocument
    element: Element
    pose: Pose


@dataclass(slots=True)
class SdfLibrary:
    """Opens files for one reading: each once, and none inside itself."""

    search: tuple[Path, ...]
    notes: Notes
    lenient: bool
    collada_up: ColladaUp = "ros"
    lights: list[IncludedLight] = field(default_factory=list)
    _open: dict[Path, SdfDocument] = field(default_factory=dict)
    _count: int = 0

    def document(self, path: Path) -> SdfDocument:
        """Return the document of a file."""
        path = path.resolve()
        if path not in self._open:
            data = read_bounded(path)
            assets = AssetPaths(path.parent, self.search)
            assets.check_size(data.decode("utf-8", "replace"), str(path))
            xml = XmlSource(str(path), data, log=self.notes)
            self._open[path] = SdfDocument(path, xml, _version(xml), assets)
        return self._open[path]

    def text(self, text: str, base: Path, name: str = "sdf") -> SdfDocument:
        """Return the document of a text; relative paths start in ``base``."""
        xml = XmlSource(name, text.encode(), encoding="utf-8", log=self.notes)
        return SdfDocument(base / name, xml, _version(xml), AssetPaths(base, self.search))

    def included(
        self, document: SdfDocument, element: Element, above: tuple[Path, ...]
    ) -> SdfDocument | None:
        """Return the document that an ``<include>`` names; None if it is missing and may be."""
        self._count += 1
        if self._count > MAX_INCLUDES:
            raise document.xml.fail(element, f"more than {MAX_INCLUDES} includes")
        uri = document.xml.child_text(element, "uri")
        if not uri:
            raise document.xml.fail(element, "a <uri> is required")
        if (text := stock_model(document.assets, uri)) is not None:
            document.xml.note(
                element, f"'{uri}' is not on this machine: Outrider's own is used", "applied", uri
            )
            return self.text(text, document.path.parent, uri)
        try:
            path = _model_file(document.assets, uri).resolve()
        except FormatError as error:
            if not self.lenient:
                raise document.xml.fail(element, str(error)) from None
            document.xml.note(element, f"was left out: {error}", "missing", key=f"include {uri}")
            return None
        if path in above:
            chain = " -> ".join(p.name for p in (*above, path))
            raise document.xml.fail(element, f"files include each other in a cycle: {chain}")
        return self.document(path)


def _version(xml: XmlSource) -> tuple[int, int]:
    root = xml.root
    if root.tag != "sdf":
        raise xml.fail(root, "expected an <sdf>; this is not an SDF file")
    text = (root.get("version") or "").strip()
    found = _VERSION.match(text)
    version = (int(found.group(1)), int(found.group(2))) if found else (0, 0)
    if version[0] != 1:
        raise xml.fail(root, f"version '{text[:20]}' is not known; 1.4 to 1.11 are")
    if not OLDEST <= version <= NEWEST:
        nearest = OLDEST if version < OLDEST else NEWEST
        xml.note(root, f"version {text} is read as {nearest[0]}.{nearest[1]}", "guessed")
        return nearest
    return version


def _model_file(assets: AssetPaths, uri: str) -> Path:
    """Return the SDF file of an address: a file, or the folder of a model."""
    if uri.lower().endswith((".sdf", ".world")):
        return assets.find(uri)
    try:
        folder = assets.find_folder(uri)
    except FormatError as error:
        raise FormatError(str(error).replace("there is no folder", "there is no model")) from None
    return _newest(folder)


def _newest(folder: Path) -> Path:
    """Return the file of the highest version that a model's own list names and we can read."""
    manifest = folder / "model.config"
    if not manifest.is_file():
        manifest = folder / "manifest.xml"
    if not manifest.is_file():
        if (folder / "model.sdf").is_file():
            return folder / "model.sdf"
        raise FormatError(f"'{folder}' has neither a model.config nor a model.sdf")
    xml = XmlSource(str(manifest), read_bounded(manifest))
    found: list[tuple[tuple[int, int], str]] = []
    for element in xml.root.findall("sdf"):
        version = _VERSION.match((element.get("version") or "1.4").strip())
        name = (element.text or "").strip()
        if version and name:
            found.append(((int(version.group(1)), int(version.group(2))), name))
    known = [item for item in found if item[0] <= NEWEST] or found
    if not known:
        raise FormatError(f"'{manifest}' names no SDF file")
    return AssetPaths(folder).find(max(known)[1])
