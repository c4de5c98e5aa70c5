"""Any service of the simulation by its name, with arguments and reply as JSON."""

import json
from collections.abc import Mapping

from outrider.bridges.json_bounds import checked
from outrider.core.errors import BridgeError, OutriderError, near_match
from outrider.messages.services.reading import Service

_DEEP = "the arguments are nested too deeply"


def named_service(services: Mapping[str, Service], name: str) -> Service:
    """Return a service, or raise an error with near matches."""
    if name not in services:
        hint, known = near_match(name, services), ", ".join(sorted(services))
        raise BridgeError(f"there is no service '{name}'{hint}; known: {known}")
    return services[name]


def call_any(services: Mapping[str, Service], name: str, arguments: str) -> tuple[bool, str]:
    """Return whether it succeeded, and the reply as JSON or the reason as a sentence."""
    try:
        service = named_service(services, name)
    except BridgeError as error:
        return False, str(error)
    try:
        asked = json.loads(checked(arguments or "{}"))
    except BridgeError as error:
        return False, f"the arguments: {error}"
    except json.JSONDecodeError as error:
        return False, f"the arguments are not JSON: {error}"
    except ValueError:  # Python reads whole numbers of at most 4300 digits
        return False, "the arguments hold a number of too many digits"
    except RecursionError:
        return False, _DEEP
    if not isinstance(asked, dict):
        return False, "the arguments must be a JSON object"
    try:
        return True, json.dumps(service(asked), default=str)
    except (OutriderError, TypeError, ValueError) as error:
        return False, _sendable(str(error))
    except RecursionError:
        return False, _DEEP


def _sendable(text: str) -> str:
    """Return a text without halves of letters, which no message can hold: JSON can."""
    return text.encode("utf-8", "backslashreplace").decode()
