"""Which web pages may connect to a port: their origin, as browsers send it, tells."""

from collections.abc import Collection
from contextlib import suppress
from urllib.parse import urlsplit

_HERE = ("localhost", "127.0.0.1", "::1")


def is_known_origin(origin: str | None, named: Collection[str]) -> bool:
    """Return whether a page of this origin may connect; programs have none.

    Pages of this computer may, and those of the origins that are named; ``*`` names all.
    """
    if origin is None or "*" in named or origin in named:
        return True
    with suppress(ValueError):
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.hostname in _HERE
    return False
