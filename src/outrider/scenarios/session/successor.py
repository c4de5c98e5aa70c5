"""A simulation that may replace another one: built and tried in any thread."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from outrider.scenarios.build import build
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.branch import Branch
from outrider.scenarios.session.fingerprint import fingerprint
from outrider.sim.simulation import Simulation

Check: TypeAlias = Callable[[Simulation], Branch | None]


@dataclass(frozen=True, slots=True, eq=False)
class Successor:
    """A simulation that may replace the current one, and the topics that came with it."""

    simulation: Simulation
    topics: tuple[str, ...]
    branch: Branch | None  # from the current one


def built_successor(
    old: Simulation, scenario: Scenario, check: Check | None = None, *, of_client: bool = False
) -> Successor:
    """Build it; ``check`` may refuse it.

    What is new in one ``of_client`` measures once: a sensor that cannot must not end the run later.
    """
    with old.bus.created() as topics:
        try:
            new = build(scenario, old.bus, quiet=True)
            try:
                branch = None if check is None else check(new)
                for rig in (old.rig, new.rig):
                    fingerprint(rig)  # which is remembered: of a large world it takes long
                unknown = set(new.sampler.named) - set(old.sampler.named)
                new.rehearse(unknown if of_client else ())
            except Exception:
                new.close()
                raise
            return Successor(new, tuple(topics), branch)
        except Exception:
            for name in topics:
                old.bus.retire(name)
            raise
