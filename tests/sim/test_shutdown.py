"""What happens to a simulation in a thread that nobody waits for when the interpreter ends."""

import subprocess
import sys

SCRIPT = """
import atexit, threading, time

def stands_still():  # registered first: called last
    before = simulation.steps
    time.sleep(0.3)
    print("before", before > 0, "later", simulation.steps - before)

atexit.register(stands_still)
from outrider.sim.simulation import Simulation
from outrider.world.model import World

simulation = Simulation(World("empty"))
begun = threading.Event()

def go():
    while True:
        simulation.step()
        begun.set()

threading.Thread(target=go, daemon=True).start()
begun.wait()
"""


def test_a_simulation_in_a_daemon_thread_stops_between_two_steps_before_the_interpreter_ends():
    """Inside a step the process would crash: MuJoCo cannot be ended there."""
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["before", "True", "later", "0"]
