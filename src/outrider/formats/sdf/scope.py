"""SDF frames: what every name in a model or world refers to, relative to what.

A scope is a world or a model. Its links, joints, frames and models are frames; ``A::B`` names the
frame B of a model A inside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from outrider.core.errors import FormatError, near_match
from outrider.core.frames import Pose

ROOT = "__model__"
_DEEPEST = 500


@dataclass(frozen=True, slots=True)
class ScopeEntry:
    """A frame: its pose is relative to another one; ``placement`` is a frame inside the model."""

    relative_to: str
    pose: Pose
    placement: str = ""


@dataclass(slots=True)
class Scope:
    """The frames of one model or world; poses come out in its own frame."""

    fail: Callable[[str], FormatError]
    roots: tuple[str, ...] = (ROOT,)
    entries: dict[str, ScopeEntry] = field(default_factory=dict)
    inner: dict[str, Scope] = field(default_factory=dict)  # by the entry of the model
    merged: list[str] = field(default_factory=list)  # models whose frames are the scope's own
    _known: dict[str, Pose] = field(default_factory=dict)

    def add(self, name: str, entry: ScopeEntry) -> None:
        """Make a name known; the first of two is kept."""
        self.entries.setdefault(name, entry)

    def put(self, name: str, pose: Pose) -> None:
        """Set where a frame is in this scope, whatever the file said before."""
        self.entries[name] = ScopeEntry("", pose)
        self._known.clear()

    def pose(self, name: str, trail: tuple[str, ...] = ()) -> Pose:
        """Return the pose of a frame in this scope."""
        if not name or name in self.roots:
            return Pose()
        if name not in self._known:
            if name in trail or len(trail) > _DEEPEST:
                chain = " -> ".join((*trail[trail.index(name) if name in trail else 0 :], name))
                raise self.fail(f"frames refer to each other in a cycle: {chain}")
            self._known[name] = self._resolve(name, (*trail, name))
        return self._known[name]

    def has(self, name: str) -> bool:
        """Return whether a name is a frame here."""
        if not name or name in self.roots or name in self.entries:
            return True
        head, _, rest = name.partition("::")
        if rest and head in self.inner:
            return self.inner[head].has(rest)
        return any(self.inner[model].has(name) for model in self.merged)

    def _resolve(self, name: str, trail: tuple[str, ...]) -> Pose:
        entry = self.entries.get(name)
        if entry is not None:
            pose = self.pose(entry.relative_to, trail) @ entry.pose
            if entry.placement:
                pose = pose @ self.inner[name].pose(entry.placement).inverse()
            return pose
        head, _, rest = name.partition("::")
        if rest and head in self.inner:
            return self.pose(head, trail) @ self.inner[head].pose(rest)
        for model in self.merged:
            if self.inner[model].has(name):
                return self.pose(model, trail) @ self.inner[model].pose(name)
        raise self.fail(f"there is no frame '{name}'{near_match(name, self.entries)}")
