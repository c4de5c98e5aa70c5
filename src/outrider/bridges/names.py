"""ROS names: how they are resolved, remapped and checked."""

import re

from outrider.core.errors import ConfigError

_LEGAL = re.compile(r"[~/A-Za-z][\w/]*", re.ASCII)


def canonical(name: str) -> str:
    """Return a name with single slashes and none at its end."""
    joined = "/".join(part for part in name.split("/") if part)
    return f"/{joined}" if name.startswith("/") else joined


def resolve(name: str, caller: str) -> str:
    """Return the full name of what a node (or a caller of the master) calls so."""
    if name.startswith("/"):
        return canonical(name) or "/"
    if name.startswith("~"):
        return canonical(f"{caller}/{name[1:]}")
    return canonical(f"{namespace_of(caller)}/{name}") or "/"


def namespace_of(caller: str) -> str:
    """Return what a full name lies under."""
    return canonical(caller).rpartition("/")[0] or "/"


def remaps(texts: tuple[str, ...]) -> dict[str, str]:
    """Return the remaps that texts like ``/odom:=/wheels/odom`` ask for."""
    found = {}
    for text in texts:
        old, sign, new = text.partition(":=")
        if not sign or not _LEGAL.fullmatch(old) or not _LEGAL.fullmatch(new):
            raise ConfigError(f"remap: expected /OLD:=/NEW, got '{text}'")
        found[resolve(old, "/")] = resolve(new, "/")
    return found
