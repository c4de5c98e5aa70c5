"""Conventional help texts: flags without a type, values named after their option."""

from typing import Any


def plain_help(command: Any) -> Any:
    """Return a command (and all below it) whose help shows no Python types."""
    for param in command.params:
        _show_plainly(param)
    _show_help_flag_plainly(command)
    for below in getattr(command, "commands", {}).values():
        plain_help(below)
    return command


def _show_plainly(param: Any) -> None:
    is_argument = param.param_type_name == "argument"
    if _has_choices(param) and not (is_argument and param.metavar):  # whose help lists them
        return
    if getattr(param, "is_flag", False) or is_argument:
        param.display_type_rich = lambda ctx: None  # noqa: ARG005 - typer's own shape
    elif not param.metavar:
        longest = max(param.opts, key=len)
        param.metavar = longest.lstrip("-").upper().replace("-", "_")


def _has_choices(param: object) -> bool:
    """Return whether the help lists what may be said; where that stands depends on the version."""
    said = getattr(param, "type_descriptor", None) or getattr(param, "type", None)
    return bool(getattr(said, "choices", None))


def _show_help_flag_plainly(command: Any) -> None:
    make = command.get_help_option

    def made(context: object) -> Any:
        option = make(context)
        if option is not None:
            _show_plainly(option)
        return option

    command.get_help_option = made
