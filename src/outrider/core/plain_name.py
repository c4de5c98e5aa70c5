"""Names that can be shown, and written into messages and files."""

import re

from outrider.core.errors import ConfigError

# for a regular expression: control characters, what turns the direction of writing, half letters
STEERING = r"\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_STEERS = re.compile(f"[{STEERING}]")
_NOT_IN_FILES = re.compile(r'[/\\:*?"<>|]')
_LONGEST = 200


def check_plain(what: str, name: str) -> None:
    """Refuse a name without end, or one that steers the screen it is shown on."""
    if len(name) > _LONGEST:
        raise ConfigError(
            f"{what} '{name:.40}...': a name has at most {_LONGEST} letters, not {len(name)}"
        )
    if _STEERS.search(name):
        raise ConfigError(f"{what} {name!a:.80}: a name has no control characters")


def in_file_name(name: str) -> str:
    """Return a name as a part of a file's name, which leads to no other folder."""
    return _NOT_IN_FILES.sub("-", name)
