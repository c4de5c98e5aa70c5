"""Frozen dataclasses as file formats: strict reading, plain writing.

``from_data`` turns the mappings and lists of a YAML or JSON file into a tree of dataclasses. Keys
that the classes do not declare are refused with their full path and a near match.
"""

import dataclasses
import math
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import (
    Annotated,
    Any,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from outrider.core.errors import ConfigError, near_match
from outrider.core.structure_words import (
    NAMES,
    in_words,
    list_of_entries,
    mapping_in_words,
    place_below,
    same_shape,
    show,
    typed_in_words,
)

T = TypeVar("T")
Data: TypeAlias = dict[str, Any]  # keys and values as a YAML or JSON file has them


def number(
    default: object = dataclasses.MISSING,
    *,
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
) -> Any:
    """Declare a numeric field with limits that ``from_data`` enforces."""
    return dataclasses.field(
        default=default, metadata={"above": above, "least": least, "most": most}
    )


def rgba(default: tuple[float, float, float, float] | None = None) -> Any:
    """Declare a field of red, green, blue and opacity; a file may leave out the opacity."""
    return dataclasses.field(default=default, metadata={"least": 0.0, "most": 1.0, "opaque": True})


class Known(Protocol):
    """Names that may be asked for, and listed: a registry, a mapping."""

    def __contains__(self, name: object, /) -> bool:
        """Say whether a name is among them."""

    def __iter__(self) -> Iterator[str]:
        """Iterate over all of them."""


@dataclasses.dataclass(frozen=True, slots=True)
class ByType:
    """Annotates a field of several possible classes, selected by its key ``type``."""

    known: Known
    find: Callable[[str], type]


@dataclasses.dataclass(frozen=True, slots=True)
class Later:
    """Annotates a field of a class that is imported only when a file has its key."""

    module: str
    name: str

    def found(self) -> type:
        """Return the class."""
        kind: type = getattr(import_module(self.module), self.name)
        return kind


def without_later(kind: object) -> object:
    """Return the class behind an annotation with ``Later``, and any other kind as it is."""
    said = get_args(kind)[1] if get_origin(kind) is Annotated else None
    return said.found() if isinstance(said, Later) else kind


def with_fields(item: T, **values: object) -> T:
    """Return a copy of a dataclass with other values of fields that are named at run time."""
    return cast(T, dataclasses.replace(cast(Any, item), **values))


def from_data(cls: type[T], data: object, where: str = "") -> T:
    """Make a ``cls`` from plain data; ``where`` names the file in errors."""
    return cast(T, _StructureReader(where).value(cls, data, ()))


def plain(value: object) -> Any:
    """Return plain mappings, lists and scalars; fields at their default are left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        shown = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return {
            f.name: plain(shown[f.name])
            for f in dataclasses.fields(value)
            if f.name == "type" or shown[f.name] != _default(f)
        }
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value


def _default(field: "dataclasses.Field[Any]") -> object:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


class _StructureReader:
    """Reads one file: knows the file's name and the current path of keys."""

    def __init__(self, where: str) -> None:
        self.where = where

    def fail(self, path: tuple[str, ...], message: str) -> ConfigError:
        place = ".".join(path)
        text = ": ".join(part for part in (self.where, place, message) if part)
        return ConfigError(text)

    def value(self, kind: object, data: object, path: tuple[str, ...]) -> object:
        """Read ``data`` as the annotated type ``kind``."""
        kind = without_later(kind)
        origin = get_origin(kind)
        if origin is Annotated:
            return self._by_type(get_args(kind)[1], data, path)
        if origin in (Union, types.UnionType):
            return self._union(get_args(kind), data, path)
        if origin is Literal:
            return self._choice(get_args(kind), data, path)
        if origin is tuple:
            return self._tuple(get_args(kind), data, path)
        if origin in (dict, Mapping):
            return self._mapping(get_args(kind)[1], data, path)
        if isinstance(kind, type) and dataclasses.is_dataclass(kind):
            return self._dataclass(kind, data, path)
        return self._scalar(kind, data, path)

    def _dataclass(self, cls: type, data: object, path: tuple[str, ...]) -> object:
        if not isinstance(data, Mapping):
            raise self.fail(path, f"expected {mapping_in_words(cls, data)}, got {show(data)}")
        fields = {f.name: f for f in dataclasses.fields(cls) if f.init}
        for key in data:
            if key not in fields:
                hint = near_match(str(key), fields) or place_below(cls, str(key))
                hint = hint or f"; known: {', '.join(fields) or 'none'}"
                raise self.fail((*path, str(key)), f"unknown key{hint}")
        hints = get_type_hints(cls, include_extras=True)
        values = {}
        for name, item in data.items():
            opaque = bool(fields[name].metadata.get("opaque"))
            given = self._with_opacity(item, (*path, name)) if opaque else item
            values[name] = self.value(hints[name], given, (*path, name))
            self._limits(fields[name], values[name], (*path, name))
        for name, field in fields.items():
            if name not in values and _default(field) is dataclasses.MISSING:
                raise self.fail((*path, name), "this key is required")
        try:
            return cls(**values)
        except ValueError as error:
            raise self.fail(path, str(error)) from None

    def _with_opacity(self, data: object, path: tuple[str, ...]) -> object:
        if data is not None and not isinstance(data, list | tuple):
            colour = "red, green and blue from 0 to 1, such as [1, 0.5, 0]"
            raise self.fail(path, f"expected {colour}, got {show(data)}")
        return [*data, 1.0] if data is not None and len(data) == 3 else data

    def _limits(
        self, field: "dataclasses.Field[Any]", value: object, path: tuple[str, ...]
    ) -> None:
        rules = field.metadata
        if not rules:
            return
        if isinstance(value, tuple):
            for number, item in enumerate(value):
                self._limits(field, item, (*path, str(number)))
        if not isinstance(value, int | float):
            return
        if rules.get("above") is not None and not value > rules["above"]:
            raise self.fail(path, f"must be above {rules['above']}, got {value}")
        if rules.get("least") is not None and not value >= rules["least"]:
            raise self.fail(path, f"must be at least {rules['least']}, got {value}")
        if rules.get("most") is not None and not value <= rules["most"]:
            raise self.fail(path, f"must be at most {rules['most']}, got {value}")

    def _union(self, kinds: tuple[object, ...], data: object, path: tuple[str, ...]) -> object:
        if data is None and type(None) in kinds:
            return None
        rest = [without_later(kind) for kind in kinds if kind is not type(None)]
        classes = [k for k in rest if isinstance(k, type) and dataclasses.is_dataclass(k)]
        if classes and (isinstance(data, Mapping) or len(classes) == len(rest)):
            return self._tagged(classes, data, path)
        return self._first_fit(rest, data, path)

    def _tagged(self, kinds: Sequence[type], data: object, path: tuple[str, ...]) -> object:
        """Read the one dataclass of a union, or the one that the key ``type`` names."""
        if len(kinds) == 1:
            return self.value(kinds[0], data, path)
        tagged = {_tag(kind): kind for kind in kinds}
        return self._by_type(ByType(tagged, tagged.__getitem__), data, path)

    def _by_type(self, choice: ByType, data: object, path: tuple[str, ...]) -> object:
        if not isinstance(data, Mapping):
            expected = typed_in_words(sorted(choice.known), data)
            raise self.fail(path, f"expected {expected}, got {show(data)}")
        name = data.get("type")
        if not isinstance(name, str) or name not in choice.known:
            known = sorted(choice.known)
            names = ", ".join(known)
            if name is None:
                raise self.fail((*path, "type"), f"this key is required: one of {names}")
            hint = near_match(str(name), known)
            raise self.fail((*path, "type"), f"expected one of {names}, got {show(name)}{hint}")
        return self.value(choice.find(name), data, path)

    def _first_fit(self, kinds: Sequence[object], data: object, path: tuple[str, ...]) -> object:
        for kind in kinds:
            try:
                return self.value(kind, data, path)
            except ConfigError:
                continue
        meant = [kind for kind in kinds if same_shape(kind, data)]
        if len(kinds) == 1 or len(meant) == 1:  # its own error says more
            return self.value((meant or kinds)[0], data, path)
        names = " or ".join(dict.fromkeys(in_words(kind) for kind in kinds))
        raise self.fail(path, f"expected {names}, got {show(data)}")

    def _choice(self, choices: tuple[object, ...], data: object, path: tuple[str, ...]) -> object:
        if data not in choices:
            hint = near_match(str(data), [str(choice) for choice in choices])
            known = ", ".join(str(choice) for choice in choices)
            raise self.fail(path, f"expected one of {known}, got {show(data)}{hint}")
        return data

    def _tuple(self, kinds: tuple[object, ...], data: object, path: tuple[str, ...]) -> object:
        if not isinstance(data, list | tuple):
            raise self.fail(path, f"expected {list_of_entries(kinds, data)}, got {show(data)}")
        if kinds[-1] is Ellipsis:
            kinds = (kinds[0],) * len(data)
        if len(kinds) != len(data):
            raise self.fail(path, f"expected {len(kinds)} values, got {len(data)}")
        items = zip(kinds, data, strict=True)
        return tuple(
            self.value(kind, item, (*path, str(i))) for i, (kind, item) in enumerate(items)
        )

    def _mapping(self, kind: object, data: object, path: tuple[str, ...]) -> object:
        if not isinstance(data, Mapping):
            raise self.fail(path, f"expected a mapping, got {show(data)}")
        return {str(key): self.value(kind, item, (*path, str(key))) for key, item in data.items()}

    def _scalar(self, kind: Any, data: object, path: tuple[str, ...]) -> object:
        if kind in (Any, object):
            return data
        if kind is float and isinstance(data, int) and not isinstance(data, bool):
            data = _as_float(data)
        if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
            raise self.fail(path, f"expected {NAMES.get(kind, kind)}, got {show(data)}")
        if isinstance(data, float) and not math.isfinite(data):
            raise self.fail(path, f"expected a finite number, got {data}")
        if isinstance(data, float | int) and abs(data) > _MOST:
            raise self.fail(path, f"expected a number up to {_MOST:g}, got {show(data)}")
        return data


_MOST = 1e100  # nothing that is measured is larger, and its square is still a number


def _as_float(data: int) -> float:
    try:
        return float(data)
    except OverflowError:
        return math.inf if data > 0 else -math.inf


def _tag(cls: type) -> str:
    """Return the value of a class's ``type`` field, which distinguishes members of a union."""
    return str(next(f.default for f in dataclasses.fields(cls) if f.name == "type"))
