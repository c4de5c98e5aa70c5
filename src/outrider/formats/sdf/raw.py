"""SDF models as written: named elements, before frames are resolved."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from outrider.formats.gazebo.pose import read_pose
from outrider.formats.sdf.document import IncludedLight, SdfDocument, SdfLibrary
from outrider.formats.sdf.scope import Scope, ScopeEntry
from outrider.formats.xml_source import Element

MAX_DEPTH = 40
_INCLUDE = ("uri", "name", "pose", "static", "placement_frame", "plugin")


@dataclass(slots=True)
class RawModel:
    """One ``<model>``, wherever it came from, with the models inside it."""

    name: str
    key: str  # its frame in the scope around it
    element: Element
    document: SdfDocument
    entry: ScopeEntry
    scope: Scope
    static: bool
    merge: bool = False
    plugins: list[tuple[SdfDocument, Element]] = field(default_factory=list)  # its includer's too
    inner: list[RawModel] = field(default_factory=list)
    shifts: dict[str, float] = field(default_factory=dict)  # of joints, by a saved state

    @property
    def where(self) -> str:
        """Name the model as errors do."""
        return self.document.xml.location(self.element)


def raw_models(
    library: SdfLibrary, document: SdfDocument, parent: Element, above: tuple[Path, ...]
) -> list[RawModel]:
    """Return the models inside a world or model, included ones among them, in the file's order."""
    if len(above) > MAX_DEPTH:
        raise document.xml.fail(parent, f"more than {MAX_DEPTH} models inside one another")
    found = []
    for element in parent:
        if element.tag == "model":
            found.append(raw_model(library, document, element, above))
        elif element.tag == "include":
            model = _included(library, document, element, above)
            if model is not None:
                found.append(model)
    return found


def raw_model(
    library: SdfLibrary, document: SdfDocument, element: Element, above: tuple[Path, ...]
) -> RawModel:
    """Return a model with all its names known."""
    name = document.xml.text(element, "name")
    pose, relative_to = read_pose(document.xml, element)
    entry = ScopeEntry(relative_to, pose, (element.get("placement_frame") or "").strip())
    scope = Scope(lambda message: document.xml.fail(element, message))
    static = document.xml.child_flag(element, "static")
    model = RawModel(name, name, element, document, entry, scope, static)
    model.plugins = [(document, plugin) for plugin in element.findall("plugin")]
    model.inner = raw_models(library, document, element, (*above, document.path))
    _fill(model)
    return model


def _included(
    library: SdfLibrary, document: SdfDocument, element: Element, above: tuple[Path, ...]
) -> RawModel | None:
    """Return what an ``<include>`` stands for; its own words come before those of the file."""
    files = (*above, document.path)
    found = library.included(document, element, files)
    if found is None:
        return None
    body, light = found.root.find("model"), found.root.find("light")
    if body is None and light is not None and not above:
        own = element.find("pose") is None
        pose, _ = read_pose(found.xml, light) if own else read_pose(document.xml, element)
        library.lights.append(IncludedLight(found, light, pose))
        return None
    if body is None:
        other = next((str(child.tag) for child in found.root), "nothing")
        document.xml.note(element, f"{found.path} holds <{other}> and no model; it was left out")
        return None
    model = raw_model(library, found, body, files)
    xml = document.xml
    model.name = xml.child_text(element, "name") or model.name
    model.merge = (element.get("merge") or "").strip().lower() in ("1", "true")
    model.key = f"_merged__{model.name}__model__" if model.merge else model.name
    if element.find("static") is not None:
        model.static = xml.child_flag(element, "static")
    model.plugins += [(document, plugin) for plugin in element.findall("plugin")]
    for child in element:
        if child.tag not in _INCLUDE:
            xml.note(child, "is not known on an include and was left out", key=f"in {child.tag}")
    placement = xml.child_text(element, "placement_frame") or model.entry.placement
    if element.find("pose") is not None:
        pose, relative_to = read_pose(xml, element)
        model.entry = ScopeEntry(relative_to, pose, placement)
    else:
        model.entry = ScopeEntry("", model.entry.pose, placement)
    return model


def _fill(model: RawModel) -> None:
    """Enter the names of a model's links, joints, frames and inner models into its scope."""
    xml, scope = model.document.xml, model.scope
    obeys = model.document.version >= (1, 7)  # before, every pose counts from its XML parent
    for link in model.element.findall("link"):
        pose, relative_to = read_pose(xml, link)
        scope.add(xml.text(link, "name"), ScopeEntry(relative_to if obeys else "", pose))
    for inner in model.inner:
        entry = inner.entry if obeys else ScopeEntry("", inner.entry.pose, inner.entry.placement)
        scope.add(inner.key, entry)
        scope.inner.setdefault(inner.key, inner.scope)
        if inner.merge:
            scope.merged.append(inner.key)
    for frame in model.element.findall("frame"):
        pose, relative_to = read_pose(xml, frame)
        attached = (frame.get("attached_to") or "").strip()
        scope.add(xml.text(frame, "name"), ScopeEntry(relative_to or attached, pose))
    for joint in model.element.findall("joint"):
        pose, relative_to = read_pose(xml, joint)
        child = xml.child_text(joint, "child")
        scope.add(
            xml.text(joint, "name"), ScopeEntry((relative_to if obeys else "") or child, pose)
        )
