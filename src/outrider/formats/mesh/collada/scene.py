"""Collada: what its scene shows, each node's triangles where the node stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.mesh.collada.document import ColladaDocument
from outrider.formats.mesh.collada.geometry import ColladaGeometryReader
from outrider.formats.mesh.collada.materials import MaterialReader
from outrider.formats.mesh.collada.transform import local_transform
from outrider.formats.mesh.raw import (
    MAX_TRIANGLES,
    RawAsset,
    RawGroup,
    RawMaterial,
    RawMesh,
    mirrors,
    reversed_faces,
)
from outrider.formats.xml_source import Element
from outrider.world.shapes import Faces

_MAX_DEPTH = 100
_MAX_NODES = 200_000
_AXES = {"X_UP": "X", "Y_UP": "Y", "Z_UP": "Z"}


def read_collada(path: Path, data: bytes) -> RawAsset:
    """Return the meshes of a Collada file's scene in the file's unit and axes."""
    document = ColladaDocument(path, data)
    reader = _SceneReader(document)
    reader.walk_scene()
    unit, up_axis = _unit(document), _up_axis(document)
    notes = tuple(dict.fromkeys(document.notes))
    return RawAsset(tuple(reader.meshes), reader.looks, (), notes, unit, up_axis)


def _unit(document: ColladaDocument) -> float:
    element = document.root.find("asset/unit")
    if element is None:
        return 1.0
    unit = document.number(element, "meter", 1.0)
    if not 1e-9 < unit < 1e9:
        raise document.fail(element, f"meter: a unit of {unit:g} m is not possible")
    return unit


def _up_axis(document: ColladaDocument) -> str:
    text = (document.root.findtext("asset/up_axis") or "").strip().upper()
    if not text:
        return ""
    if text not in _AXES:
        raise FormatError(f"{document.name}: up_axis: expected X_UP, Y_UP or Z_UP, got '{text}'")
    return _AXES[text]


class _SceneReader:
    """Walks the nodes of a scene and collects their meshes."""

    def __init__(self, document: ColladaDocument) -> None:
        self.document = document
        self.geometries = ColladaGeometryReader(document)
        self.materials = MaterialReader(document)
        self.looks: dict[str, RawMaterial] = {}
        self.meshes: list[RawMesh] = []
        self._prefabs: dict[Element, RawMesh] = {}
        self._counts: dict[Element, int] = {}
        self._triangles = self._nodes = 0

    def walk_scene(self) -> None:
        """Read the scene the file shows, or all its geometries if it has none."""
        document = self.document
        shown = document.root.find("scene/instance_visual_scene")
        scene = document.root.find("library_visual_scenes/visual_scene")
        if shown is not None:
            scene = document.named("visual_scene", shown, "url")
        if scene is not None:
            nodes = scene.findall("node")
            if sum(self._count(node, 0) for node in nodes) > MAX_TRIANGLES:
                raise self._too_many(scene)
            for node in nodes:
                self._walk(node, np.eye(4), 0)
            return
        document.log.add("guessed", f"{document.name}: it has no scene; its geometries are used")
        for element in document.root.iterfind("library_geometries/geometry"):
            self._add(element, element, np.eye(4), {})

    def _count(self, node: Element, depth: int) -> int:
        """Return how many triangles a node repeats to, before they are put together."""
        if node not in self._counts:
            self._counts[node] = 0  # should it contain itself, or be too deep: then it is refused
            if depth <= _MAX_DEPTH:
                self._counts[node] = sum(self._count_child(child, depth + 1) for child in node)
        return self._counts[node]

    def _count_child(self, child: Element, depth: int) -> int:
        if child.tag == "node":
            return self._count(child, depth)
        if child.tag == "instance_node":
            target = self.document.find("node", child.get("url"))
            return 0 if target is None else self._count(target, depth)
        if child.tag == "instance_geometry":
            target = self.document.find("geometry", child.get("url"))
            geometry = None if target is None else self.geometries.geometry(target)
            return 0 if geometry is None else _triangles(geometry)
        return 0

    def _walk(self, node: Element, T_scene_parent: Array, depth: int) -> None:
        self._nodes += 1
        if depth > _MAX_DEPTH or self._nodes > _MAX_NODES:
            raise self.document.fail(node, "nodes contain themselves, or there are far too many")
        T_scene_node = T_scene_parent @ local_transform(self.document, node)
        for child in node:
            if child.tag == "node":
                self._walk(child, T_scene_node, depth + 1)
            elif child.tag == "instance_node":
                target = self._target("node", child)
                if target is not None:
                    self._repeat(node, target, T_scene_node, depth + 1)
            elif child.tag == "instance_geometry":
                target = self._target("geometry", child)
                if target is not None:
                    self._add(node, target, T_scene_node, self._bindings(child))
            elif child.tag == "instance_controller":
                controller = self._target("controller", child)
                if controller is not None:
                    target, bind = self.geometries.skin(controller)
                    self._add(node, target, T_scene_node @ bind, self._bindings(child))

    def _target(self, tag: str, instance: Element) -> Element | None:
        """Return what an instance points to; other files are not opened."""
        url = self.document.text(instance, "url")
        if not url.startswith("#"):
            self.document.note(instance, f"'{url[:80]}' is in another file and was left out")
            return None
        return self.document.named(tag, instance, "url")

    def _bindings(self, instance: Element) -> dict[str, str]:
        found = instance.iterfind("bind_material/technique_common/instance_material")
        return {e.get("symbol", ""): e.get("target", "") for e in found}

    def _repeat(self, node: Element, target: Element, T: Array, depth: int) -> None:
        """Add what a library node holds, which is put together once however often it occurs."""
        if target not in self._prefabs:
            outer, self.meshes = self.meshes, []
            self._walk(target, np.eye(4), depth)
            self._prefabs[target] = _merged(self.meshes)
            self.meshes = outer
        self._place(node, self._prefabs[target], T, tuple(_names(node, target)))

    def _add(self, node: Element, element: Element, T: Array, bindings: dict[str, str]) -> None:
        geometry = self.geometries.geometry(element)
        if geometry is not None:
            groups = tuple(
                replace(group, material=self._material(group.material, bindings))
                for group in geometry.groups
            )
            self._place(node, replace(geometry, groups=groups), T, tuple(_names(node, element)))

    def _place(self, node: Element, mesh: RawMesh, T: Array, aliases: tuple[str, ...]) -> None:
        self._triangles += _triangles(mesh)
        if self._triangles > MAX_TRIANGLES:
            raise self._too_many(node)
        name = node.get("name") or node.get("id") or ""
        groups = tuple(replace(group, name=name) for group in mesh.groups)
        if mirrors(T):
            groups = tuple(reversed_faces(group) for group in groups)
        with np.errstate(all="ignore"):  # what is not finite is refused later
            points = mesh.points @ T[:3, :3].T + T[:3, 3]
        self.meshes.append(RawMesh(points, groups, mesh.uv, tuple(dict.fromkeys(aliases))))

    def _too_many(self, node: Element) -> FormatError:
        return self.document.fail(node, f"nodes repeat to more than {MAX_TRIANGLES} triangles")

    def _material(self, symbol: str, bindings: dict[str, str]) -> str:
        """Return the key of the look that a symbol is bound to."""
        target = bindings.get(symbol, symbol)
        if target not in self.looks:
            material = self.document.find("material", target)
            if material is None:
                if not symbol:
                    return ""
                message = f"there is no material '{target[:80]}'; grey is used"
                self.document.log.add("guessed", f"{self.document.name}: {message}")
                self.looks[target] = RawMaterial(double_sided=self.materials.sketchup)
            else:
                self.looks[target] = self.materials.look(material)
        return target


def _triangles(mesh: RawMesh) -> int:
    return sum(len(group.faces) for group in mesh.groups)


def _names(*elements: Element) -> Iterator[str]:
    for element in elements:
        yield from (element.get(key, "") for key in ("name", "id") if element.get(key))


def _merged(meshes: list[RawMesh]) -> RawMesh:
    """Return several meshes as one, with one group for each material that has texture or not."""
    points: list[Array] = [np.zeros((0, 3))]
    coordinates: list[Array] = [np.zeros((0, 2))]
    faces: dict[tuple[str, bool], list[tuple[Faces, Faces | None]]] = {}
    start = uv_start = 0
    for mesh in meshes:
        for group in mesh.groups:
            uv_faces = None if group.uv_faces is None else group.uv_faces + uv_start
            found = faces.setdefault((group.material, uv_faces is None), [])
            found.append((group.faces + start, uv_faces))
        points.append(mesh.points)
        start += len(mesh.points)
        if mesh.uv is not None:
            coordinates.append(mesh.uv)
            uv_start += len(mesh.uv)
    groups = tuple(
        RawGroup(
            "",
            material,
            np.concatenate([own for own, _ in pairs]),
            None if bare else np.concatenate([uv for _, uv in pairs if uv is not None]),
        )
        for (material, bare), pairs in faces.items()
    )
    return RawMesh(
        np.concatenate(points), groups, np.concatenate(coordinates) if uv_start else None
    )
