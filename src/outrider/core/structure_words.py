"""How errors name what a file should have, and what it has."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

_MOST_KEYS = 6
_YAML = {None: "nothing", True: "true", False: "false"}

NAMES = {float: "a number", int: "a whole number", str: "text", bool: "true or false"}


def same_shape(kind: object, data: object) -> bool:
    """Say whether data are a list, a number or a text where a kind is one."""
    if get_origin(kind) is tuple:
        return isinstance(data, list | tuple)
    if kind in (float, int):
        return isinstance(data, float | int) and not isinstance(data, bool)
    return kind in (str, bool) and isinstance(data, cast(type, kind))


def in_words(kind: object) -> str:
    """Return a kind of value as a reader of a file would name it."""
    arguments = get_args(kind)
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(str(choice) for choice in arguments)
    if get_origin(kind) is tuple:
        return list_in_words(arguments)
    return NAMES.get(cast(type, kind), "a mapping")


def list_in_words(kinds: tuple[object, ...]) -> str:
    """Return which list is expected."""
    if kinds[-1] is Ellipsis:
        return "a list"
    of = "numbers" if set(kinds) <= {float, int} else "values"
    return f"a list of {len(kinds)} {of}"


def mapping_in_words(cls: type, data: object) -> str:
    """Return which mapping is expected where something else stands."""
    fields = [field for field in dataclasses.fields(cls) if field.init]
    required = [field.name for field in fields if _is_required(field)]
    if isinstance(data, str) and len(required) == 1:
        return f"a mapping such as {{{required[0]}: {data}}}"
    keys = [field.name for field in fields]
    more = ", ..." if len(keys) > _MOST_KEYS else ""
    return f"a mapping of keys ({', '.join(keys[:_MOST_KEYS])}{more})" if keys else "a mapping"


def typed_in_words(known: list[str], data: object) -> str:
    """Return which mapping is expected where one of several types may stand."""
    if isinstance(data, str) and data in known:
        return f"a mapping such as {{type: {data}}}"
    return f"a mapping with the key 'type' ({', '.join(known)})"


def list_of_entries(kinds: tuple[object, ...], data: object) -> str:
    """Return which list is expected, for those who forgot its dashes."""
    said = list_in_words(kinds)
    if not isinstance(data, Mapping):
        return said
    if any(str(key).startswith("-") for key in data):
        return f"{said}, each entry a '-' and a space"
    return f"{said}, each entry with a '-'"


def place_below(cls: type, key: str) -> str:
    """Return where a key that a class does not have belongs, if one of its fields has it."""
    found = []
    for name, hint in get_type_hints(cls, include_extras=True).items():
        kinds = [kind for kind in (hint, *get_args(hint)) if dataclasses.is_dataclass(kind)]
        if any(key in {field.name for field in dataclasses.fields(kind)} for kind in kinds):
            found.append(name)
    return f" (it belongs under '{found[0]}')" if len(found) == 1 else ""


def _is_required(field: "dataclasses.Field[Any]") -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


def show(data: object) -> str:
    """Return what came, short, in the words of YAML."""
    if data is None or isinstance(data, bool):
        return _YAML[data]
    try:
        text = repr(data)
    except ValueError:  # a number with thousands of digits
        text = type(data).__name__
    return text if len(text) <= 60 else text[:57] + "..."
