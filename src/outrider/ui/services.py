"""A run's services for callers that already run between two steps."""

from outrider.messages.services.reading import Service, answering
from outrider.messages.services.table import service_row
from outrider.sim.runner import Runner


def services_of(runner: Runner) -> dict[str, Service]:
    """Return every service by name: plain values in, plain values out."""
    return {name: answering(service_row(name), do) for name, do in runner.handlers().items()}
