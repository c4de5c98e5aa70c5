"""Options that name addresses or paths: only the command line may set them freely."""

import dataclasses
import ipaddress
import re
import secrets
from typing import Any

from outrider.core.errors import ConfigError

_KEY, _PATH = "address", "path"
# HOST, HOST:PORT or SCHEME://HOST:PORT, and nothing beside: 127.0.0.1?.evil.example is a name that
# its owner's name server may answer
_HOST = r"(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+))"
_BARE_V6 = r"([0-9a-fA-F]*:[0-9a-fA-F]*:[0-9a-fA-F:.]*)"
_ADDRESS = re.compile(rf"{_BARE_V6}|(?:[a-z]+://)?{_HOST}(?::\d+)?/?")
HERE = ("127.0.0.1", "localhost", "::1")


def address(default: object, *here: str, bare: bool = False) -> Any:
    """Declare an option that names an address; values in ``here`` stay on loopback.

    A ``bare`` one may be given without its name: ``ros-tcp:127.0.0.1:10000``.
    """
    return dataclasses.field(default=default, metadata={_KEY: (default, *here), "bare": bare})


def path(default: str = "") -> Any:
    """Declare an option that names a file or folder: no file may set it."""
    return dataclasses.field(default=default, metadata={_PATH: default})


def is_address(option: "dataclasses.Field[Any]") -> bool:
    """Return whether an option was declared so."""
    return _KEY in option.metadata


def refuse_addresses(options: Any, text: str) -> None:
    """Refuse a file's bridge that reaches out or names paths, with what to type instead."""
    typed = "'" + text.replace("'", "'\\''") + "'"  # it may be pasted into a shell as it is
    for option in dataclasses.fields(options):
        value = getattr(options, option.name)
        if _PATH in option.metadata and value != option.metadata[_PATH]:
            raise ConfigError(
                f"{option.name}={value} names a path, which a file may not set;"
                f" to allow it, start the run with --bridge {typed}"
            )
        if not is_address(option) or value in option.metadata[_KEY]:
            continue
        beyond = next((one for one in _each(value) if not is_loopback(one)), None)
        if beyond is not None:
            raise ConfigError(
                f"{option.name}={beyond} reaches beyond this computer, which a file may not"
                f" set; to allow it, start the run with --bridge {typed}"
            )


def _each(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def token_for(token: str, *, away: bool) -> str:
    """Return the token that clients of a port need; ``away`` from this computer one is made up."""
    return token or (secrets.token_urlsafe(16) if away else "")


def is_loopback(value: object) -> bool:
    """Return whether an address (with a port or without) or a URL stays on this computer."""
    found = _ADDRESS.fullmatch(str(value))
    if found is None:
        return False
    host = next(filter(None, found.groups()))
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
