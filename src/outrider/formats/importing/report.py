"""What an import read, applied, guessed, left out and did not find."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

from outrider.core.structure import Data
from outrider.formats.notes import Note, NoteKind
from outrider.world.model import Geometry, Model
from outrider.world.shapes import Mesh
from outrider.world.tessellate import tessellate

HEADINGS: dict[NoteKind, str] = {
    "applied": "applied",
    "guessed": "guessed",
    "ignored": "left out",
    "missing": "missing",
}


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Counts of what was read, and notes on the rest."""

    file: str
    kind: str  # "world", "robot", "model", "mesh" or "heightmap"
    name: str
    counts: Data
    notes: tuple[Note, ...] = ()

    def of(self, kind: NoteKind) -> list[str]:
        """Return the sentences of one kind."""
        return [str(note) for note in self.notes if note.kind == kind]

    def plain(self) -> Data:
        """Return the report as plain data; its keys are a contract."""
        return {
            "file": self.file,
            "kind": self.kind,
            "name": self.name,
            **self.counts,
            **{kind: self.of(kind) for kind in get_args(NoteKind)},
        }


def counted(models: Iterable[Model]) -> Data:
    """Return how much of everything some models hold."""
    every = list(_every(models))
    links = [link for model in every for link in model.links]
    seen = [g for link in links for g in link.visuals]
    felt = [g for link in links for g in link.colliders]
    return {
        "models": len(every),
        "links": len(links),
        "joints": sum(joint.kind != "fixed" for model in every for joint in model.joints),
        "meshes": len(_sources((*seen, *felt))),
        "visual_triangles": _triangles(seen),
        "collision_triangles": _triangles(felt),
        "mass_kg": round(sum(k.inertial.mass for k in links if k.inertial), 9),
        "moving": [model.name for model in every if model.mobility == "dynamic"],
    }


def _every(models: Iterable[Model]) -> Iterator[Model]:
    for model in models:
        yield model
        yield from _every(model.children)


def _sources(geometry: Iterable[Geometry]) -> set[str]:
    return {g.shape.source for g in geometry if isinstance(g.shape, Mesh) and g.shape.source}


def _triangles(geometry: Iterable[Geometry]) -> int:
    return sum(len(tessellate(g.shape).faces) for g in geometry)
