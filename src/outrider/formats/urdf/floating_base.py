"""Robots attached to an empty root link by a free joint: that link is the world."""

from __future__ import annotations

from outrider.formats.xml_source import Element, XmlSource

_FREE = ("floating", "planar")


def without_free_root(source: XmlSource) -> None:
    """Take an empty root link and the joint off that lets the robot float or slide below it.

    A robot moves freely here anyway; a planar one is held up by the ground.
    """
    for joint in source.root.findall("joint"):
        is_free = (joint.get("type") or "").strip() in _FREE
        if is_free and (link := _holder(source, joint)) is not None:
            source.note(joint, "was left out: the robot moves freely by itself", "applied")
            source.root.remove(joint)
            source.root.remove(link)


def _holder(source: XmlSource, joint: Element) -> Element | None:
    """Return the empty link that a joint hangs on, if that is all the link is for."""
    name = _end(joint, "parent")
    joints = source.root.findall("joint")
    used = sum(name in (_end(other, "parent"), _end(other, "child")) for other in joints)
    found = [e for e in source.root.findall("link") if e.get("name") == name and not len(e)]
    return found[0] if found and used == 1 else None


def _end(joint: Element, tag: str) -> str:
    element = joint.find(tag)
    return "" if element is None else (element.get("link") or "")
