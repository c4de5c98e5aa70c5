"""XML files read safely, with errors that name file, line and element."""

from __future__ import annotations

import math
import re
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from lxml import etree

from outrider.core.errors import FormatError
from outrider.formats.files_read import note_read
from outrider.formats.lfs_pointer import check_fetched
from outrider.formats.notes import NoteKind, Notes

Element: TypeAlias = "etree._Element"

MAX_BYTES = 64 << 20
_UNKNOWN_VERSION = re.compile(rb"""<\?xml\s+version\s*=\s*["'](?!1\.)""")


def read_bounded(path: Path) -> bytes:
    """Return a file's bytes, refusing what is missing or larger than 64 MB."""
    note_read(path)
    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):  # a pipe or device has no end
            raise FormatError(f"{path}: is not a file")
        if facts.st_size > MAX_BYTES:
            raise FormatError(f"{path}: the file is larger than {MAX_BYTES >> 20} MB")
        return check_fetched(path, path.read_bytes())
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror}") from None


class XmlSource:
    """One XML document: its elements, numbers and errors, and notes on what was left out."""

    def __init__(
        self,
        name: str,
        data: bytes,
        encoding: str | None = None,
        log: Notes | None = None,
        places: Sequence[str] = (),
    ) -> None:
        """Parse; ``encoding`` overrules the file's own word, for text that was decoded before.

        ``places`` say where each element was written, in order, if not in this text.
        """
        self.name = name
        self.log = log or Notes()
        self.root = self._parse(data, encoding)
        self._places = dict(zip(self.root.iter("*"), places, strict=False))

    @property
    def notes(self) -> list[str]:
        """What was noted so far, as sentences."""
        return self.log.texts()

    def lines(self) -> list[int]:
        """Return the line of every element, in order."""
        return [element.sourceline or 0 for element in self.root.iter("*")]  # type: ignore[misc]

    def fail(self, element: Element, message: str) -> FormatError:
        """Make the error for an element; the caller raises it."""
        # what the file holds may have line ends in it, a sentence has none
        return FormatError(" ".join(f"{self.location(element)}: {message}".splitlines()))

    def location(self, element: Element) -> str:
        """Return file, line and element, as errors begin."""
        return f"{self._place(element)}: {label(element)}"

    def _place(self, element: Element) -> str:
        if not self._places:
            return f"{self.name}:{element.sourceline}"
        around = (element, *element.iterancestors())
        return next((self._places[e] for e in around if self._places.get(e)), self.name)

    def note(
        self, element: Element, message: str, kind: NoteKind = "ignored", key: str = ""
    ) -> None:
        """Remember something that was left out or changed; one ``key`` is told once."""
        self.log.add(kind, f"{self.location(element)}: {message}", key)

    def text(self, element: Element, attribute: str) -> str:
        """Return an attribute that must be there."""
        value = element.get(attribute)
        if value is None or not value.strip():
            raise self.fail(element, f"attribute '{attribute}' is required")
        return value.strip()

    def number(self, element: Element, attribute: str, default: float | None = None) -> float:
        """Return an attribute as one finite number."""
        return self.numbers(element, attribute, None if default is None else (default,), 1)[0]

    def numbers(
        self,
        element: Element,
        attribute: str,
        default: tuple[float, ...] | None,
        count: int | None = None,
    ) -> tuple[float, ...]:
        """Return an attribute as so many finite numbers (as many as the default has)."""
        if default is not None and element.get(attribute) is None:
            return default
        wanted = count if count is not None else len(default or ())
        text = self.text(element, attribute)
        return self.parse(element, attribute, text, wanted)

    def parse(self, element: Element, what: str, text: str, count: int) -> tuple[float, ...]:
        """Return ``count`` finite numbers out of a text."""
        try:
            values = tuple(float(word) for word in text.split())
        except ValueError:
            values = ()
        if len(values) != count or not all(math.isfinite(value) for value in values):
            wanted = "a finite number" if count == 1 else f"{count} finite numbers"
            raise self.fail(element, f"{what}: expected {wanted}, got '{text[:60]}'")
        return values

    def only(self, element: Element, tag: str) -> Element | None:
        """Return the one child of that tag, or None; two that differ are an error."""
        found = element.findall(tag)
        if len(found) > 1 and len({_written(child) for child in found}) > 1:
            raise self.fail(found[1], f"{label(element)} has more than one <{tag}>")
        return found[0] if found else None

    def child_text(self, element: Element, tag: str, default: str = "") -> str:
        """Return the text of the first child of that tag."""
        child = element.find(tag)
        return default if child is None else (child.text or "").strip()

    def child_number(self, element: Element, tag: str, default: float) -> float:
        """Return the text of the first child of that tag as one finite number."""
        return self.child_numbers(element, tag, (default,))[0]

    def child_numbers(
        self, element: Element, tag: str, default: tuple[float, ...]
    ) -> tuple[float, ...]:
        """Return the text of the first child of that tag as so many numbers as the default has."""
        child = element.find(tag)
        if child is None or not (child.text or "").strip():
            return default
        return self.parse(child, tag, child.text or "", len(default))

    def child_flag(self, element: Element, tag: str, default: bool = False) -> bool:
        """Return the text of the first child of that tag as true or false."""
        text = self.child_text(element, tag)
        if not text:
            return default
        if text.lower() in ("1", "true"):
            return True
        if text.lower() in ("0", "false"):
            return False
        child = element.find(tag)
        raise self.fail(
            element if child is None else child, f"expected true or false, got '{text[:60]}'"
        )

    def _parse(self, data: bytes, encoding: str | None) -> Element:
        if len(data) > MAX_BYTES:
            raise FormatError(f"{self.name}: the file is larger than {MAX_BYTES >> 20} MB")
        root = parse_xml(self.name, without_odd_declaration(data), encoding)
        if root.getroottree().docinfo.internalDTD is not None:
            raise FormatError(f"{self.name}: a document type (DOCTYPE) is not allowed")
        return root


def parse_xml(name: str, data: bytes, encoding: str | None, *, huge: bool = False) -> Element:
    """Return the root of a text; nothing is fetched. ``huge`` turns lxml's own limits off."""
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=huge,
        remove_comments=True,
        remove_pis=True,
        encoding=encoding,
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        reason = " ".join(str(error.msg).split())  # it quotes the file, line ends and all
        raise FormatError(f"{name}:{line}: not well-formed XML: {reason}") from None


def without_odd_declaration(data: bytes) -> bytes:
    """Drop an XML declaration that comes late, or of a version that is none.

    Readers of robots accept both: Gazebo after comments, Bullet's own files say "0.0".
    """
    at = len(data) - len(data.lstrip())
    while data.startswith(b"<!--", at):
        end = data.find(b"-->", at)
        if end < 0:
            return data
        rest = data[end + 3 : end + 4096]
        at = end + 3 + len(rest) - len(rest.lstrip())
    end = data.find(b"?>", at, at + 256)
    if end < 0 or not data.startswith(b"<?xml", at):
        return data
    if at == 0 and not _UNKNOWN_VERSION.match(data):
        return data
    return data[:at] + data[end + 2 :]


def _written(element: Element) -> bytes:
    """Return an element as text, with its attributes in one order."""
    return etree.tostring(element, method="c14n", with_tail=False)


def label(element: Element) -> str:
    """Return an element as people write it, with its name or the name of what it belongs to."""
    if element.get("name") is not None:
        return f"<{element.tag} name='{element.get('name')}'>"
    owner = next((e for e in element.iterancestors() if e.get("name") is not None), None)
    if owner is None or owner.getparent() is None:
        return f"<{element.tag}>"
    return f"<{element.tag}> of <{owner.tag} name='{owner.get('name')}'>"


def duplicates(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, in order."""
    seen: set[str] = set()
    twice: dict[str, None] = {}
    for name in names:
        if name in seen:
            twice[name] = None
        seen.add(name)
    return list(twice)
