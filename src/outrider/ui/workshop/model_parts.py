"""An object's parts: shapes added, changed and removed."""

from outrider.core.errors import ConfigError
from outrider.core.structure import with_fields
from outrider.scenarios.session.changes import Change
from outrider.scenarios.session.session import Session
from outrider.specs.world import PartSpec, PoseSpec
from outrider.ui.editing import PRIMITIVES, object_of, with_object
from outrider.ui.workshop.files import parts_of

_MOST = 500


def with_object_part(session: Session, name: str, kind: str) -> Change:
    """Return the change that adds a shape to an object, above the others."""
    parts = parts_of(object_of(session, name))
    if len(parts) >= _MOST:
        raise ConfigError(f"'{name}' already has {_MOST} parts, which is the maximum")
    top = max((part.pose.z or 0.0) for part in parts) if parts else 0.0
    part = PartSpec(PRIMITIVES[kind], PoseSpec(z=round(top + 0.3, 3)))
    return _with(session, name, (*parts, part))


def without_object_part(session: Session, name: str, number: int) -> Change:
    """Return the change that removes a shape from an object."""
    parts = parts_of(object_of(session, name))
    if len(parts) < 2:
        raise ConfigError("the last part cannot be removed: delete the object instead")
    return _with(session, name, parts[:number] + parts[number + 1 :])


def with_part_values(session: Session, name: str, number: int, **values: object) -> Change:
    """Return the change that sets shape, pose or colour of an object's part."""
    parts = list(parts_of(object_of(session, name)))
    parts[number] = with_fields(parts[number], **values)
    return _with(session, name, tuple(parts))


def _with(session: Session, name: str, parts: tuple[PartSpec, ...]) -> Change:
    return with_object(session, name, shape=None, parts=parts, colour=None)
