"""A Collada file as a tree without namespaces, in which addresses find their elements."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from lxml import etree

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.mesh.raw import Indices
from outrider.formats.number_lists import floats, integers
from outrider.formats.xml_source import Element, XmlSource, parse_xml

Values = TypeVar("Values")

_LONG = 8 << 20  # beyond this lxml refuses texts unless told that they are meant
_KEPT = frozenset(
    [
        "geometry",
        "node",
        "material",
        "effect",
        "image",
        "controller",
        "visual_scene",
        "source",
        "vertices",
        "float_array",
    ]
)


class ColladaDocument(XmlSource):
    """One parsed file; ``notes`` collect what is left out."""

    def __init__(self, path: Path, data: bytes) -> None:
        """Parse and index a file."""
        super().__init__(str(path), data)
        if not isinstance(self.root.tag, str) or etree.QName(self.root).localname != "COLLADA":
            raise FormatError(f"{path}: not a Collada file: its root is <{self.root.tag}>")
        self._ids: dict[tuple[str, str], Element] = {}
        for element in self.root.iter(etree.Element):
            element.tag = etree.QName(element).localname
            name = element.get("id")
            if name is not None and element.tag in _KEPT:
                self._ids.setdefault((str(element.tag), name), element)

    def _parse(self, data: bytes, encoding: str | None) -> Element:
        if len(data) <= _LONG:
            try:
                return super()._parse(data, encoding)
            except FormatError as error:
                raise FormatError("".join(str(error).splitlines())) from None
        # lxml's own limits are off for long texts, so nothing that could grow is let in
        if b"<!" in data.replace(b"<!--", b"").replace(b"<![CDATA[", b"") or b"\0" in data[:64]:
            raise FormatError(f"{self.name}: a document type (DOCTYPE) is not allowed")
        return parse_xml(self.name, data, encoding, huge=True)

    def find(self, tag: str, address: str | None) -> Element | None:
        """Return the element of that tag an address such as ``#id`` means, or None."""
        return self._ids.get((tag, (address or "").strip().removeprefix("#")))

    def named(self, tag: str, owner: Element, attribute: str) -> Element:
        """Return the element that an attribute points to; it must exist."""
        address = self.text(owner, attribute)
        found = self.find(tag, address)
        if found is None:
            raise self.fail(owner, f"there is no <{tag}> with the id '{address[:80]}'")
        return found

    def floats(self, element: Element) -> Array:
        """Return the numbers in an element's text."""
        return self._list(element, floats)

    def integers(self, element: Element) -> Indices:
        """Return the whole numbers in an element's text."""
        return self._list(element, integers)

    def vector(self, element: Element, count: int) -> Array:
        """Return so many finite numbers of an element's text."""
        values = self.floats(element)
        if len(values) != count or not (abs(values) < 1e30).all():
            got = (element.text or "").strip()[:60]
            raise self.fail(element, f"expected {count} finite numbers, got '{got}'")
        return values

    def whole(self, element: Element, attribute: str, default: int) -> int:
        """Return an attribute as a whole number from zero on."""
        text = element.get(attribute, str(default)).strip()
        if not text.isdecimal() or len(text) > 18:
            message = f"{attribute}: expected a whole number, got '{text[:40]}'"
            raise self.fail(element, message)
        return int(text)

    def _list(self, element: Element, parse: Callable[[str], Values]) -> Values:
        try:
            return parse(element.text or "")
        except ValueError:
            raise self.fail(element, "something in its list is not a number") from None
