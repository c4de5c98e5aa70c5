"""Which link a name in a joint stands for: from SDF 1.8 on it may be that of any frame."""

from __future__ import annotations

from collections.abc import Iterator

from outrider.formats.sdf.raw import RawModel
from outrider.formats.sdf.scope import ROOT
from outrider.formats.xml_source import Element

WORLD = "world"


def joint_ends(model: RawModel, joint: Element) -> tuple[str, str]:
    """Return the links that a joint joins, as its model names them; "world" stays what it is."""
    parent, child = (model.document.xml.child_text(joint, tag) for tag in ("parent", "child"))
    return link_of(model, parent), link_of(model, child)


def link_of(model: RawModel, name: str, trail: tuple[str, ...] = ()) -> str:
    """Return the link that a frame is attached to; a name that is none is returned as it is."""
    if name in trail:
        raise model.document.xml.fail(model.element, f"frames are attached in a cycle at '{name}'")
    if name == WORLD or _named(model, "link", name) is not None:
        return name
    if name == ROOT:
        return _canonical(model)
    trail = (*trail, name)
    if (frame := _named(model, "frame", name)) is not None:
        return link_of(model, (frame.get("attached_to") or "").strip() or ROOT, trail)
    if (joint := _named(model, "joint", name)) is not None:
        return link_of(model, model.document.xml.child_text(joint, "child"), trail)
    return next(_inside(model, name), name)


def _inside(model: RawModel, name: str) -> Iterator[str]:
    """Yield what a name is in the models inside this one."""
    head, _, rest = name.partition("::")
    for inner in model.inner:
        if inner.merge:
            found = link_of(inner, name)
            if found != name or _named(inner, "link", name) is not None:
                yield found
        elif inner.name == head:
            yield f"{head}::{link_of(inner, rest or ROOT)}"


def _canonical(model: RawModel) -> str:
    """Return the link that a model's own frame is attached to."""
    told = (model.element.get("canonical_link") or "").strip()
    first = model.element.find("link")
    if told or first is not None:
        return told or str(first.get("name") if first is not None else "")
    inner = next(iter(model.inner), None)
    if inner is None:
        return ROOT
    below = _canonical(inner)
    return below if inner.merge else f"{inner.name}::{below}"


def _named(model: RawModel, tag: str, name: str) -> Element | None:
    return next((e for e in model.element.findall(tag) if e.get("name") == name), None)
