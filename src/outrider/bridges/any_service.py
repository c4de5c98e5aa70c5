"""Any service of the simulation by its name, with arguments and answer as JSON."""

import json
from collections.abc import Mapping

from outrider.bridges.bridge import Service
from outrider.core.errors import OutriderError


def call_any(services: Mapping[str, Service], name: str, arguments: str) -> tuple[bool, str]:
    """Return whether it went well, and the answer as JSON or the reason as a sentence."""
    service = services.get(name)
    if service is None:
        known = ", ".join(sorted(services))
        return False, f"there is no service '{name}'; known: {known}"
    try:
        asked = json.loads(arguments or "{}")
    except ValueError as error:
        return False, f"the arguments are no JSON: {error}"
    if not isinstance(asked, dict):
        return False, "the arguments must be a JSON object"
    try:
        return True, json.dumps(service(asked), default=str)
    except (OutriderError, TypeError, ValueError) as error:
        return False, str(error)
