"""ROS names: how they are resolved, remapped and checked."""

import re

from outrider.core.errors import ConfigError

_LEGAL = re.compile(r"[~/A-Za-z][\w/]*", re.ASCII)
_LEGAL_IN_ROS_2 = re.compile(r"(/[A-Za-z_]\w*)+", re.ASCII)


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


def check_in_ros2(name: str) -> None:
    """Refuse a full name that ROS 2 does not allow, with the option that gives another."""
    if not _LEGAL_IN_ROS_2.fullmatch(name):
        other = re.sub(r"/(?=\d)", "_", re.sub(r"[^\w/]", "_", name, flags=re.ASCII))
        raise ConfigError(
            "the parts of a name in ROS 2 are letters, digits and '_' and do not begin with a "
            f"digit; give it another with --bridge ros2:remap={name}:={other}"
        )
