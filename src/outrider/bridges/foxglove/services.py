"""Control of the simulation as services with JSON in and out."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from outrider.bridges.any_service import call_any
from outrider.bridges.foxglove.sdk import sdk
from outrider.messages.services.reading import Service
from outrider.messages.services.table import TRIGGERS

if TYPE_CHECKING:
    import foxglove

# None of them names a file: a page in a browser can reach a local port too.
_OFFERED = (
    *(name for name in TRIGGERS if name != "stop"),
    "set_speed",
    "seek",
    "spawn",
    "remove",
    "move",
    "list_models",
    "get_state",
    "set_state",
    "apply_wrench",
    "clear_wrenches",
)
_OBJECT = json.dumps({"type": "object", "additionalProperties": True}).encode()
_MOST_BYTES = 16 * 1024 * 1024


def offered_services(services: Mapping[str, Service]) -> "list[foxglove.Service]":
    """Return them as ``/outrider/NAME``; the arguments stand in docs/control.md."""
    return [_service(services, name) for name in _OFFERED if name in services]


def _service(services: Mapping[str, Service], name: str) -> "foxglove.Service":
    library = sdk()

    def message(kind: str) -> "foxglove.MessageSchema":
        schema = library.Schema(name=f"{name}_{kind}", encoding="jsonschema", data=_OBJECT)
        made: foxglove.MessageSchema = library.MessageSchema(encoding="json", schema=schema)
        return made

    def answer(request: "foxglove.ServiceRequest") -> bytes:
        if len(request.payload) > _MOST_BYTES:
            raise ValueError(f"a request may have at most {_MOST_BYTES} bytes")
        done, text = call_any(services, name, request.payload.decode("utf-8"))
        if not done:
            raise ValueError(text)  # the client is told
        return text.encode()

    schema = library.ServiceSchema(
        f"outrider/{name}", request=message("request"), response=message("response")
    )
    made: foxglove.Service = library.Service(f"/outrider/{name}", schema=schema, handler=answer)
    return made
