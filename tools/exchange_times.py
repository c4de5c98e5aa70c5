"""How long services hold the loop: its own processor time for what each puts in between two steps.

    python -m tools.exchange_times --only spawn
    python -m tools.exchange_times --engine bullet --scenario rough

Other than a gap of /clock (``tools.loop_gaps``) it does not depend on what else runs.
"""

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from statistics import median
from typing import Any

from tools.gap_cases import SERVICES, Call

from outrider.core.errors import OutriderError, PlaceError
from outrider.core.process.garbage_collection import freeze_existing
from outrider.scenarios.opening import find_scenario
from outrider.scenarios.services.handlers import prepare
from outrider.scenarios.session.session import Session
from outrider.sim.pacing import Pacer
from outrider.sim.runner import Request, Runner

_FOLLOWING = 60  # steps after an exchange, in which sensors go on and actors decide


class Timed(Runner):
    """A loop that notes its processor time."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.simulation, Pacer(1.0))
        self.exchanges: list[float] = []
        self.steps: list[float] = []

    def _carry_out(self, request: Request) -> None:
        self.steps.clear()  # before who asked is answered, and looks at them
        _noted(self.exchanges, lambda: super(Timed, self)._carry_out(request))

    def _one_step(self) -> None:
        _noted(self.steps, super()._one_step)


def _noted(times: list[float], work: Callable[[], None]) -> None:
    began = time.thread_time()
    work()
    times.append((time.thread_time() - began) * 1e3)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", default="empty", help="what 'outrider run' opens")
    parser.add_argument("--engine", default="mujoco")
    parser.add_argument("--only", default="", help="only cases whose name begins so")
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    session = Session(find_scenario(asked.scenario, settings=[f"physics.engine={asked.engine}"]))
    runner = Timed(session)
    prepare(session, runner)
    caller = threading.Thread(target=_measure, args=(runner, asked.only, asked.rounds))
    with tempfile.TemporaryDirectory() as folder, freeze_existing():
        os.chdir(folder)
        caller.start()
        runner.run(1e9)


def _measure(runner: Timed, only: str, rounds: int) -> None:
    services, number = runner.services(), count()
    time.sleep(3.0)  # kernels are loaded
    print(f"{'processor time, ms':34} {'least':>8} {'median':>8} {'most':>8}   longest step after")
    try:
        for name, calls in SERVICES.items():
            if name.startswith(only):
                try:
                    found = [_once(runner, services, calls, next(number)) for _ in range(rounds)]
                except OutriderError as error:  # what this engine or world cannot have
                    print(f"{name:34} {error}"[:120], flush=True)
                    continue
                held, later = ([each[k] for each in found] for k in range(2))
                print(
                    f"{name:34} {min(held):8.2f} {median(held):8.2f} {max(held):8.2f}"
                    f"   {median(later):8.2f}",
                    flush=True,
                )
    finally:
        runner.stop()


def _once(
    runner: Timed, services: dict[str, Any], calls: list[Call], number: int
) -> tuple[float, float]:
    """Return the longest exchange of the last call, and the longest step after it."""
    for call in calls[:-1]:
        _ask(services, call, number)
    time.sleep(0.3)
    runner.exchanges.clear()
    _ask(services, calls[-1], number)
    while len(runner.steps) < _FOLLOWING:
        time.sleep(0.02)
    found = max(runner.exchanges), max(runner.steps[:_FOLLOWING])
    try:
        while True:
            services["undo"]({})
    except OutriderError:
        return found


def _ask(services: dict[str, Any], call: Call, number: int) -> None:
    name, arguments = call
    if "file" in arguments:  # which must be new in every round
        arguments = {"file": arguments["file"].replace("{}", str(number))}
    with suppress(PlaceError):  # some are to be refused
        services[name](arguments)


if __name__ == "__main__":
    main()
