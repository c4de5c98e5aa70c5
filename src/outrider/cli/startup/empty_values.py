"""Empty values of a command line: an unset variable of the shell is not the same as no value."""

from collections.abc import Iterable
from typing import Any

import typer


def refuse_empty_values(command: Any) -> Any:
    """Return a command (and all below it) that takes no empty text as a name, file or number."""
    for param in command.params:
        _refuse_empty_value(param)
    for below in getattr(command, "commands", {}).values():
        refuse_empty_values(below)
    return command


def _refuse_empty_value(param: Any) -> None:
    convert = param.process_value

    def process_value(context: Any, value: Any) -> Any:
        if _is_empty(value) and context.get_parameter_source(param.name).name == "COMMANDLINE":
            raise typer.BadParameter(
                "it is empty (an unset variable of the shell?)", context, param
            )
        return convert(context, value)

    param.process_value = process_value


def _is_empty(value: object) -> bool:
    """Return whether a value, or one of several, has nothing in it."""
    if isinstance(value, str):
        return not value.strip()
    return isinstance(value, Iterable) and any(map(_is_empty, value))
