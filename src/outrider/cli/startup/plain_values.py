"""Text, paths and plain numbers of a command line, taken without typer's validation library.

Some versions of typer load pydantic for every value, defaults included: a good part of the time
that a short command takes. What is unusual still goes there, and so does all that is wrong.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import typer

Convert: TypeAlias = Callable[[Any, Any], Any]  # a context of the command line, a value

_NUMBERS = {int: re.compile(r"-?\d{1,15}"), float: re.compile(r"-?\d{1,15}(\.\d{1,15})?")}
_WORDS = (  # of the validation library, and ours
    (re.compile(r"Input should be a valid integer.*"), "expected a whole number"),
    (re.compile(r"Input should be a valid number.*"), "expected a number"),
    (re.compile(r"Input should be greater than or equal to (.*)"), r"expected at least \1"),
    (re.compile(r"Input should be less than or equal to (.*)"), r"expected at most \1"),
)


class _UnusualError(Exception):
    """A value that typer itself must look at."""


def take_plain_values(command: Any) -> Any:
    """Return a command (and all below it) that leaves only unusual values to typer."""
    for param in command.params:
        _take_plain_value(param)
    make_help = command.get_help_option
    command.get_help_option = lambda context: _take_plain_value(make_help(context))
    for below in getattr(command, "commands", {}).values():
        take_plain_values(below)
    return command


def _take_plain_value(param: Any) -> Any:
    if hasattr(param, "type_descriptor"):  # other versions of typer convert by themselves
        param.process_value = _processing(param, type(param).process_value.__get__(param))
    return param


def _processing(param: Any, convert: Convert) -> Convert:
    def process_value(context: Any, value: Any) -> Any:
        try:
            plain = _plain(param, value)
        except _UnusualError:
            return _converted(convert, context, param, value)
        return plain if param.callback is None else param.callback(context, param, plain)

    return process_value


def _converted(convert: Convert, context: Any, param: Any, value: Any) -> Any:
    try:
        return convert(context, value)
    except typer.BadParameter as error:
        fitting = (rule.sub(w, error.message) for rule, w in _WORDS if rule.match(error.message))
        said = next(fitting, "")
        if not said:
            raise
        raise typer.BadParameter(f"{said}, got {value!r:.60}", context, param) from None


def _plain(param: Any, value: Any) -> Any:
    if value is None:
        return _nothing(param)
    kind = param.type_descriptor.annotation
    if kind in (list[str], list[Path]):
        if not value or isinstance(value, str):
            raise _UnusualError
        return [_one(kind.__args__[0], item) for item in value]
    if param.type_descriptor.is_ranged and isinstance(value, str):
        raise _UnusualError
    return _one(kind, value)


def _nothing(param: Any) -> Any:
    if param.required:
        raise _UnusualError
    return () if param.multiple or param.nargs == -1 else None


def _one(kind: Any, value: Any) -> Any:
    if type(value) is kind:  # text, and defaults
        return value
    if kind is Path and isinstance(value, str | Path):
        return Path(value)
    if kind in _NUMBERS and isinstance(value, str) and _NUMBERS[kind].fullmatch(value):
        return kind(value)
    raise _UnusualError
