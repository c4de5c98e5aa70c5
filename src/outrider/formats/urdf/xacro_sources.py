"""The files of one xacro expansion: where an expression stands, and macro calls of the old kind."""

import re
from collections.abc import Iterable
from pathlib import Path
from xml.dom import minidom

from outrider.formats.notes import Notes

_MARK = "outrider-place"  # an attribute: the number of a file, and a line of it
_EXPRESSION = re.compile(r"evaluating expression '(.+?)'")
_URDF_TAGS = {
    "robot",
    "link",
    "joint",
    "visual",
    "collision",
    "inertial",
    "geometry",
    "material",
    "origin",
    "mesh",
    "box",
    "sphere",
    "cylinder",
    "mass",
    "inertia",
    "color",
    "texture",
    "axis",
    "limit",
    "parent",
    "child",
    "dynamics",
    "gazebo",
    "sensor",
    "plugin",
    "transmission",
    "mimic",
    "macro",
}

# xacro's own tags, and an attribute by which they are told from what may be called the same
_XACRO_TAGS = {
    "include": "filename",
    "property": "name",
    "macro": "name",
    "insert_block": "name",
    "arg": "name",
    "if": "value",
    "unless": "value",
}
_FOREIGN = ("plugin", "sensor", "ros2_control")  # what is in them is not xacro's


class XacroSources:
    """Documents in the order they were read."""

    def __init__(self, first: Path, notes: Notes) -> None:
        self.first = first
        self._names: list[str] = []
        self._notes = notes
        self._texts: dict[Path, str] = {}
        self._documents: list[minidom.Document] = []
        self._macros: set[str] = set()

    def add(self, path: Path, data: bytes, lines: Iterable[int]) -> minidom.Document:
        """Return a file as a document whose elements are marked with their ``lines``.

        Macros and xacro's own tags without ``xacro:`` get that prefix: until 2018 xacro took them
        for its own, and files of that time are still about.
        """
        self._texts[path] = data.decode("utf-8", errors="replace")
        document = minidom.parseString(data)
        self._documents.append(document)
        for tag, attribute in _XACRO_TAGS.items():
            for element in document.getElementsByTagName(tag):
                if element.hasAttribute(attribute) and not _is_foreign(element):
                    self._rename(element, tag)
        self._mark(document, path, lines)
        found = document.getElementsByTagName("xacro:macro")
        names = {element.getAttribute("name").removeprefix("xacro:") for element in found}
        self._macros |= names - _URDF_TAGS - {""}
        for each in self._documents:
            self._prefix(each)
        return document

    @property
    def macros(self) -> tuple[str, ...]:
        """The names of the macros that the files define."""
        return tuple(sorted(self._macros))

    def location(self, sentence: str) -> str:
        """Return file and line of the expression that a sentence of xacro's speaks of, or ''."""
        found = _EXPRESSION.search(sentence)
        if found is None:
            return ""
        for path, text in reversed(self._texts.items()):
            for number, line in enumerate(text.splitlines(), 1):
                if f"${{{found.group(1)}}}" in line:
                    return f"{path}:{number}"
        return ""

    def places(self, document: minidom.Document) -> tuple[str, ...]:
        """Return file and line of every element in order, '' if unknown; the marks come off."""
        return tuple(self._place(element) for element in _elements(document))

    def _mark(self, document: minidom.Document, path: Path, lines: Iterable[int]) -> None:
        number = len(self._names)
        # the first file is called as the user calls it
        self._names.append(str(path if number else self.first))
        for element, line in zip(_elements(document), lines, strict=False):
            if element.tagName.startswith("xacro:"):  # xacro checks its own attributes
                _keep_place(element, f"{self._names[number]}:{line}")
            else:
                element.setAttribute(_MARK, f"{number}:{line}")

    def _place(self, element: minidom.Element) -> str:
        if not element.hasAttribute(_MARK):
            return ""
        number, _, line = element.getAttribute(_MARK).partition(":")
        element.removeAttribute(_MARK)
        return f"{self._names[int(number)]}:{line}"

    def _prefix(self, document: minidom.Document) -> None:
        for name in self._macros:
            for element in document.getElementsByTagName(name):
                self._rename(element, name)
                if place := self._place(element):
                    _keep_place(element, place)

    def _rename(self, element: minidom.Element, name: str) -> None:
        element.tagName = element.nodeName = f"xacro:{name}"
        self._notes.add("applied", f"<{name}> is taken as <xacro:{name}>, as old files mean it")


def _is_foreign(element: minidom.Element) -> bool:
    parent = element.parentNode
    while isinstance(parent, minidom.Element):
        if parent.tagName in _FOREIGN:
            return True
        parent = parent.parentNode
    return False


def call_place(element: minidom.Element) -> str:
    """Return file and line of a macro's call, '' if unknown."""
    return element.getUserData(_MARK) or ""


class _Copies:
    """Hands the place of an element on to its copies."""

    def handle(self, _how: int, key: str, place: str, _of: object, copy: object) -> None:
        if isinstance(copy, minidom.Element):
            copy.setUserData(key, place, self)


def _keep_place(element: minidom.Element, place: str) -> None:
    element.setUserData(_MARK, place, _Copies())


def _elements(document: minidom.Document) -> list[minidom.Element]:
    return list(document.getElementsByTagName("*"))
