"""Options that name addresses or paths: only the command line may set them freely."""

import dataclasses
import ipaddress
import secrets
from typing import Any
from urllib.parse import urlsplit

from outrider.core.errors import ConfigError

_KEY, _PATH = "address", "path"
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
    for option in dataclasses.fields(options):
        value = getattr(options, option.name)
        if _PATH in option.metadata and value != option.metadata[_PATH]:
            raise ConfigError(
                f"{option.name}={value} names a path, which a file may not set;"
                f" to allow it, start the run with --bridge '{text}'"
            )
        if not is_address(option) or value in option.metadata[_KEY]:
            continue
        beyond = next((one for one in _each(value) if not is_loopback(one)), None)
        if beyond is not None:
            raise ConfigError(
                f"{option.name}={beyond} reaches beyond this computer, which a file may not"
                f" set; to allow it, start the run with --bridge '{text}'"
            )


def _each(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def token_for(token: str, *, away: bool) -> str:
    """Return the token that clients of a port need; ``away`` from this computer one is made up."""
    return token or (secrets.token_urlsafe(16) if away else "")


def is_loopback(value: object) -> bool:
    """Return whether an address (with a port or without) or a URL stays on this computer."""
    text = str(value)
    if "//" not in text and text.count(":") != 1 and not text.startswith("["):
        text = f"[{text}]" if ":" in text else text
    try:
        host = urlsplit(text if "//" in text else f"//{text}").hostname
        return host == "localhost" or ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False
