"""simulation_interfaces: the services that ROS 2 simulators have in common, where installed."""

from collections.abc import Callable

from outrider.bridges.bridge import Outside


def add_simulation_services(offer: Callable[..., None], outside: Outside) -> None:
    """Offer them if the package is installed."""
