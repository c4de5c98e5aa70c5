"""The files of one xacro expansion: where an expression stands, and macro calls of the old kind."""

from __future__ import annotations

import re
from pathlib import Path
from xml.dom import minidom

from outrider.formats.notes import Notes

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


class XacroSources:
    """Documents in the order they were read."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._texts: dict[Path, str] = {}
        self._documents: list[minidom.Document] = []
        self._macros: set[str] = set()

    def add(self, path: Path, data: bytes) -> minidom.Document:
        """Return a file as a document; calls of macros without ``xacro:`` get that prefix.

        Until 2018 xacro took them for calls, and files of that time are still about.
        """
        self._texts[path] = data.decode("utf-8", errors="replace")
        document = minidom.parseString(data)
        self._documents.append(document)
        found = document.getElementsByTagName("xacro:macro")
        names = {element.getAttribute("name").removeprefix("xacro:") for element in found}
        self._macros |= names - _URDF_TAGS - {""}
        for each in self._documents:
            self._prefix(each)
        return document

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

    def _prefix(self, document: minidom.Document) -> None:
        for name in self._macros:
            for element in document.getElementsByTagName(name):
                element.tagName = element.nodeName = f"xacro:{name}"
                self._notes.add(
                    "applied", f"<{name}> is taken as <xacro:{name}>, as old files mean it"
                )
