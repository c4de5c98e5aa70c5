"""Options that name addresses: beyond this computer only the command line may say them."""

import dataclasses
import ipaddress
from typing import Any
from urllib.parse import urlsplit

from outrider.core.errors import ConfigError

_KEY = "address"


def address(default: Any, *here: str) -> Any:
    """Declare an option that says who is reached or who may come; ``here`` stay on loopback."""
    return dataclasses.field(default=default, metadata={_KEY: (default, *here)})


def is_address(option: "dataclasses.Field[Any]") -> bool:
    """Tell whether an option was declared so."""
    return _KEY in option.metadata


def refuse_addresses(options: Any, text: str) -> None:
    """Refuse a file's bridge that reaches beyond this computer, and say what to type instead."""
    for option in dataclasses.fields(options):
        value = getattr(options, option.name)
        if is_address(option) and value not in option.metadata[_KEY] and not is_loopback(value):
            raise ConfigError(
                f"{option.name}={value} reaches beyond this computer, which a file may not ask"
                f" for; if you want it, type --bridge '{text}'"
            )


def is_loopback(value: object) -> bool:
    """Tell whether an address or a URL stays on this computer."""
    text = str(value)
    try:
        host = urlsplit(text).hostname if "//" in text else text.strip("[]")
        return host == "localhost" or ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False
