"""Names that a peer's regular expression finds, looked for in a process of its own.

A pattern of a few letters can take for ever, and holds the interpreter's lock as long as it does.
"""

import json
import re
import subprocess
import sys
from collections.abc import Sequence

from outrider.core.errors import BridgeError

_PLAIN = re.compile(r"\^?[\w /-]*\$?")  # needs no search at all
_LONGEST = 1000  # letters of a pattern
_MOST_S = 2.0
_SEARCH = """import json, re, sys
pattern, names = json.load(sys.stdin)
try:
    print(json.dumps([name for name in names if re.search(pattern, name)]))
except (re.error, RecursionError, OverflowError, MemoryError) as error:
    print(json.dumps(str(error)))
"""


def found_names(pattern: str, names: Sequence[str]) -> list[str]:
    """Return the names in which a pattern is found; raises BridgeError if that takes too long."""
    if len(pattern) > _LONGEST:
        raise BridgeError(f"filter: a pattern may have up to {_LONGEST} letters")
    if _PLAIN.fullmatch(pattern):
        return [name for name in names if re.search(pattern, name)]
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _SEARCH],
            input=json.dumps([pattern, list(names)]),
            capture_output=True,
            text=True,
            timeout=_MOST_S,
            check=True,
        )
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise BridgeError(f"filter: it takes more than {_MOST_S:g} s to search for") from None
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise BridgeError(f"filter: it cannot be searched for: {error!r:.100}") from None
    if isinstance(found, str):
        raise BridgeError(f"filter: {found}")
    return [str(name) for name in found]
