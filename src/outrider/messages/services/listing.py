"""The table of services as rows for the command line and as Markdown for the docs."""

import dataclasses

from outrider.messages.services.requests import ScenarioKeys
from outrider.messages.services.table import SERVICES, ServiceRow


def argument_names(row: ServiceRow) -> list[str]:
    """Return the keys that a service takes, those it must have first."""
    fields = [field for field in dataclasses.fields(row.request) if field.name != "keys"]
    missing = dataclasses.MISSING
    return [field.name for field in sorted(fields, key=lambda f: f.default is not missing)]


def listed() -> list[dict[str, object]]:
    """Return the services as rows of a table."""
    return [
        {
            "service": row.name,
            "arguments": ", ".join(_arguments(row)),
            "class": row.kind,
            "what it does": row.description,
        }
        for row in SERVICES.values()
    ]


def markdown() -> str:
    """Return the services as the docs show them."""
    head = "| service | arguments | class | what it does |\n|---|---|---|---|\n"
    return head + "".join(
        f"| `{row.name}` | {', '.join(_marked(row))} | {row.kind} | {row.description} |\n"
        for row in SERVICES.values()
    )


def _arguments(row: ServiceRow) -> list[str]:
    as_in = ["as in a scenario"] if issubclass(row.request, ScenarioKeys) else []
    return argument_names(row) + as_in


def _marked(row: ServiceRow) -> list[str]:
    names = argument_names(row)
    return [f"`{name}`" if name in names else name for name in _arguments(row)]
