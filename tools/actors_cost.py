"""What 20 people and 10 cars cost around a VLP-16: python tools/actors_cost.py [SECONDS].

Processor time of the loop's thread for each simulated second of ``campus-people``, and how much of
it actors and sensors take.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

from outrider.scenarios.build import build
from outrider.scenarios.load import load

spent = {"actors": 0.0, "sensors": 0.0}


def timed(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that notes its time."""

    def measured(*arguments: Any) -> Any:
        start = time.thread_time()
        found = function(*arguments)
        spent[part] += time.thread_time() - start
        return found

    return measured


def main() -> None:
    """Run it, and print the times."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    simulation = build(load("campus-people"))
    boxes = [simulation.bus.subscribe(name) for name in simulation.topics() if "velo" in name]
    simulation.run(0.5)  # what is compiled or built at the first use is not counted
    simulation.drivers[:] = [timed("actors", driver) for driver in simulation.drivers]
    simulation.sampler.measure = timed("sensors", simulation.sampler.measure)  # type: ignore[method-assign]
    start = time.thread_time()
    simulation.run(seconds)
    whole = (time.thread_time() - start) / seconds
    actors, sensors = (spent[part] / seconds for part in ("actors", "sensors"))
    print(f"{len(boxes)} topics of the scanner read, {whole:.3f} s for a simulated second")
    print(
        f"actors {actors:.3f} s, sensors {sensors:.3f} s, the rest {whole - actors - sensors:.3f} s"
    )
    print(f"{1 / whole:.1f} times real time")


if __name__ == "__main__":
    main()
