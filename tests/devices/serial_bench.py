"""Simulations with serial ports, and waiting for them."""

import threading
from contextlib import contextmanager

from waiting import wait_until

from outrider.core.structure import from_data
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Scenario


@contextmanager
def running(scenario, folder, options="", speed=1.0):
    """Run a scenario, given as plain data, with its devices in a folder, until the test ends."""
    whole = {"name": "serial", "duration_s": 600, **scenario}
    run = Run(
        from_data(Scenario, whole, "test"),
        speed=speed,
        bridges=[f"serial:folder={folder}{options}"],
    )
    thread = threading.Thread(target=run.go)
    thread.start()
    try:
        wait_until(lambda: run.bridges and run.bridges[0].lines, "the ports")
        yield run
    finally:
        run.runner.stop()
        thread.join(timeout=30)
