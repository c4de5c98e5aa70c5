"""The whole state of a running simulation: what it holds, and how it is put back."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from outrider.bus.bus import Bus
from outrider.bus.channel import Channel
from outrider.core.errors import ConfigError, OutriderError
from outrider.core.memento import Arrays, Node, Notes, Restorer
from outrider.messages.store import message_class
from outrider.physics.tyres.tyres import Tyres
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.fingerprint import fingerprint
from outrider.scene.scene import Scene
from outrider.sensors.site import Site
from outrider.sim.rig import Rig
from outrider.sim.simulation import Simulation
from outrider.vehicles.motors import Motors
from outrider.vehicles.robot import Robot
from outrider.world.assembly import Assembly
from outrider.world.model import World

# What is built anew from the scenario and never changes while a simulation runs.
BUILT = (Assembly, Bus, Motors, Rig, Robot, Scene, Simulation, Tyres, World)
CHANGING = {Site: ("random",)}  # of what is built, too, but not all of it stays


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A scenario and everything that has come of it by now.

    Things may have been put elsewhere since the simulation was ``built``: a run goes on to the last
    bit only in a simulation that was built from the same scenario.
    """

    scenario: Scenario
    built: Scenario
    notes: Node
    arrays: Arrays
    steps: int
    finished: bool | None
    state_hash: str
    time_ns: int
    fingerprint: str  # of all that was built


def take(simulation: Simulation, scenario: Scenario, built: Scenario | None = None) -> Snapshot:
    """Return the state of a simulation between two steps; it goes on undisturbed."""
    notes = Notes(BUILT, channel_names(simulation), CHANGING, anchors(simulation))
    return Snapshot(
        scenario,
        built or scenario,
        notes.note(simulation.parts()),
        notes.arrays,
        simulation.steps,
        simulation.finished,
        simulation.state_hash,
        simulation.time_ns,
        fingerprint(simulation.rig),
    )


def put_back(snapshot: Snapshot, simulation: Simulation) -> None:
    """Set a simulation of the same scenario to a snapshot: from there on both run alike."""
    if fingerprint(simulation.rig) != snapshot.fingerprint:
        raise ConfigError("the saved state does not fit: its world or robots have changed since")
    restorer = Restorer(snapshot.arrays, channels(simulation), message_class)
    parts = simulation.parts()
    try:
        if restorer.restore(snapshot.notes, parts) is not parts:
            raise ConfigError("the saved state does not fit: it is not that of a simulation")
    except OutriderError:
        raise
    except Exception as error:  # notes that are not ours: no telling how they fail
        raise ConfigError(f"the saved state does not fit the scenario: {error!r}") from None
    simulation.go_on_from(snapshot.steps, snapshot.finished)
    if simulation.state_hash != snapshot.state_hash:
        raise ConfigError("the saved state does not fit: it does not come out as it was saved")


def anchors(simulation: Simulation) -> list[NDArray[Any]]:
    """Return the arrays that others look into."""
    parts, state = simulation.parts(), simulation.state
    return [state.bodies, state.joints, parts.tyres, parts.motors]


def channels(simulation: Simulation) -> dict[str, Channel]:
    """Return all topics by name, as notes call them."""
    bus = simulation.bus
    return {f"topic {info.name}": bus.channel(info.name) for info in bus.topics()}


def channel_names(simulation: Simulation) -> dict[int, str]:
    """Return how notes call each topic, by the topic's id."""
    return {id(channel): name for name, channel in channels(simulation).items()}
