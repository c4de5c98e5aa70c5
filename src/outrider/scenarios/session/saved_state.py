"""The whole state of a running simulation: what it contains, and how it is restored."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from outrider.core.clock import to_ns
from outrider.core.errors import ConfigError, OutriderError
from outrider.core.state import State
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.fingerprint import fingerprint
from outrider.sim.simulation import Simulation

_MOST_STEPS = 10**10
_OF_OTHERS = {"memories", "steps", "finished"}  # set last, between two steps


@dataclass(frozen=True, slots=True, eq=False)
class SavedState:
    """A scenario and its current state.

    Objects may have been moved since the simulation was ``built``: a run continues bit for bit
    only in a simulation that was built from the same scenario.
    """

    scenario: Scenario
    built: Scenario
    state: State
    state_hash: str
    fingerprint: str  # of all that was built


def take(
    simulation: Simulation, scenario: Scenario, built: Scenario | None = None, *, last: bool = False
) -> SavedState:
    """Return the state of a simulation between two steps; it continues undisturbed.

    ``last``: it does not continue, so that what takes long can be worked out later.
    """
    return SavedState(
        scenario=scenario,
        built=built or scenario,
        state=simulation.last_state() if last else simulation.get_state(),
        state_hash=simulation.state_hash,
        fingerprint=fingerprint(simulation.rig),
    )


def put_back(saved: SavedState, simulation: Simulation) -> None:
    """Set a simulation of the same scenario to a saved state: from there on both run alike."""
    prepared_put_back(saved, simulation)()


def prepared_put_back(saved: SavedState, simulation: Simulation) -> Callable[[], None]:
    """Set what is a simulation's own, before it runs in any thread.

    The result is to be called between two steps: it sets what others remember.
    """
    if fingerprint(simulation.rig) != saved.fingerprint:
        raise ConfigError("the saved state does not fit: its world or robots have changed since")
    with _misfits_told():
        simulation.set_parts(saved.state)
    if simulation.state_hash != saved.state_hash:
        raise ConfigError("the saved state does not fit: the restored state has another hash")
    _refuse(saved.state.unread(besides=_OF_OTHERS))

    def rest() -> None:
        with _misfits_told():
            simulation.set_memories(saved.state)
        _refuse(saved.state.unread(besides=set(saved.state) - _OF_OTHERS))
        steps, step_ns = simulation.steps, to_ns(simulation.rig.step_s)
        if not 0 <= steps <= _MOST_STEPS or simulation.time_ns != steps * step_ns:
            raise ConfigError(
                f"the saved state does not fit: its time is not that of {steps} steps"
            )

    return rest


def _refuse(unknown: Iterator[str]) -> None:
    for name in unknown:
        raise ConfigError(f"the saved state does not fit: nothing here is called {name}")


@contextmanager
def _misfits_told() -> Iterator[None]:
    try:
        yield
    except OutriderError:
        raise
    except Exception as error:  # values that are not ours: no telling how they fail
        raise ConfigError(f"the saved state does not fit the scenario: {error!r}") from None
