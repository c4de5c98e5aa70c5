"""A simulation that can be changed while it runs, saved, loaded, and undone step by step."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

from outrider.actors.spec import ActorSpec
from outrider.bus.bus import Bus
from outrider.components.component_instance import ComponentInstance
from outrider.core.arguments import file_argument
from outrider.core.errors import ComponentError, ConfigError
from outrider.core.process import chores
from outrider.scenarios.build import build
from outrider.scenarios.built_worlds import BuiltWorlds
from outrider.scenarios.code_trust import trust_scenario
from outrider.scenarios.names import a_scenario, with_names
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session import changes
from outrider.scenarios.session.affected import (
    DirectPlace,
    direct_place,
    fresh_models,
    reshaped_objects,
)
from outrider.scenarios.session.branch import Branch
from outrider.scenarios.session.client_limits import ClientLimits
from outrider.scenarios.session.fingerprint import fingerprint
from outrider.scenarios.session.moments import MOST_UNDOS, Moment, settle
from outrider.scenarios.session.placing import direct_placing
from outrider.scenarios.session.renaming import rename
from outrider.scenarios.session.saved_state import SavedState, prepared_put_back, put_back, take
from outrider.scenarios.session.saved_state_file import read_saved_state, write_saved_state
from outrider.scenarios.session.successor import Successor, built_successor
from outrider.sensors.camera.renderer_pool import close_renderers
from outrider.sim.simulation import Memory, Simulation
from outrider.sim.start_poses import check_starts, explaining
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import ModelEntry, ObjectSpec, PoseSpec


@runtime_checkable
class WritableThing(Protocol):
    """An object built in Python that can be written to a world file."""

    name: str

    @property
    def word(self) -> str:
        """Its default name."""

    def spec(self, name: str) -> ObjectSpec | ModelEntry:
        """Return it as in a world file."""


class Session:
    """Holds the simulation of a scenario; a change may replace it by a successor.

    Call all methods between steps. Topics and their subscribers survive every change.
    """

    def __init__(
        self,
        scenario: Scenario,
        bus: Bus | None = None,
        *,
        at_start: bool = True,
        worlds: BuiltWorlds | None = None,
    ) -> None:
        """Not ``at_start``: it goes on from a saved state, where everything stands elsewhere.

        ``worlds`` are those that earlier sessions were built from, to be used again.
        """
        chores.begin()
        scenario = a_scenario(scenario, "Session")
        self.scenario = with_names(scenario, scenario.name)
        self.bus = bus or Bus()
        self._built_from = self.scenario
        self.simulation = build(self.scenario, self.bus, quiet=True, worlds=worlds)
        if at_start:
            check_starts(self.simulation.rig)
        self.renewed: list[Callable[[Simulation], None]] = []  # told of every change
        self._built = _callables(self.simulation)
        self._built_memories = set(self.simulation.memories)
        self.simulation.begin()
        self._limits = ClientLimits.of(self.simulation)
        self._build = 0
        self._free_at_start = 0 if at_start else -1  # the build whose start is known to be free
        self._moved = False  # things were put elsewhere without a new build
        self._past: list[Moment] = []
        self._future: list[Moment] = []

    def apply(self, change: changes.Change) -> Simulation:
        """Make a change; everything else continues unchanged. An invalid change has no effect."""
        with explaining():
            return self._apply(change)

    def _apply(self, change: changes.Change, limits: ClientLimits | None = None) -> Simulation:
        scenario = with_names(changes.after_change(self.scenario, change), self.scenario.name)
        if limits is not None:
            limits.check_change(change, self.simulation)
        return self._change(change, scenario, direct_place(change, scenario), None, limits)

    def prepared(
        self, change: changes.Change, *, of_client: bool = False
    ) -> Callable[[], Simulation]:
        """Build what a change needs, in any thread; the result is to be called between two steps.

        If something else was changed meanwhile, it is built anew there. What is ``of_client`` is
        bounded.
        """
        before = self.scenario
        limits = self._limits if of_client else None
        scenario = with_names(changes.after_change(before, change), before.name)
        place, built = direct_place(change, scenario), None
        if limits is not None:
            limits.check_change(change, self.simulation)
        if place is None:
            rename(change, self.scenario, self.simulation)
            branch_to = self._branching(change, scenario, limits)
            built = built_successor(self.simulation, scenario, branch_to, of_client=of_client)

        def put_in() -> Simulation:
            if self.scenario is before:
                return self._change(change, scenario, place, built, limits)
            if built is not None:
                self._discard(built)
            return self._apply(change, limits)

        return put_in

    def _change(
        self,
        change: changes.Change,
        scenario: Scenario,
        place: DirectPlace | None,
        built: Successor | None,
        limits: ClientLimits | None,
    ) -> Simulation:
        put = None if place is None else direct_placing(self.simulation, *place)
        before = self._now(last=put is None)
        if put is not None:
            put()
            self.scenario, self._moved = scenario, True
            self._tell()
        else:
            rename(change, self.scenario, self.simulation)
            ahead = built.branch if built else None
            branch_to = self._branching(change, scenario, limits)

            def go_on(new: Simulation) -> None:
                if ahead is not None and ahead.old is self.simulation:
                    ahead.go(before.saved.state)
                    ahead.check_again()
                else:
                    branch_to(new).go(before.saved.state)

            built = built or built_successor(
                self.simulation, scenario, of_client=limits is not None
            )
            self._succeed(scenario, go_on, built)
        self._remember(before)
        return self.simulation

    def move(
        self,
        name: str,
        x: float = 0.0,
        y: float = 0.0,
        z: float | None = None,
        *,
        roll_deg: float = 0.0,
        pitch_deg: float = 0.0,
        yaw_deg: float = 0.0,
    ) -> Simulation:
        """Move a robot or an object, at rest; without ``z`` onto the ground."""
        return self.apply(changes.Move(name, PoseSpec(x, y, z, roll_deg, pitch_deg, yaw_deg)))

    def add(
        self,
        thing: ObjectSpec | RobotEntry | SensorEntry | ActorSpec | WritableThing,
        robot: str = "",
    ) -> Simulation:
        """Add an object, a robot, actors, or a sensor on a robot (without one, in the world)."""
        if isinstance(thing, SensorEntry):
            return self.apply(changes.AddSensor(thing, robot))
        if isinstance(thing, RobotEntry):
            return self.apply(changes.AddRobot(thing))
        if isinstance(thing, ActorSpec):
            return self.apply(changes.AddActor(thing))
        if not isinstance(thing, ObjectSpec | WritableThing):
            raise ConfigError(f"add: expected an object such as o.Box(1, 1, 1), got {thing!r:.60}")
        spec = thing if isinstance(thing, ObjectSpec) else thing.spec(thing.name or thing.word)
        if not isinstance(spec, ObjectSpec):
            raise ConfigError(f"'{spec.name}' is a model file: add it to the world file")
        return self.apply(changes.AddObject(spec))

    def remove(self, name: str) -> Simulation:
        """Remove a robot or an object."""
        return self.apply(changes.Remove(name))

    def undo(self) -> Simulation:
        """Return to the state just before the last change."""
        return self.prepared_undo()()

    def redo(self) -> Simulation:
        """Return to the state before the last undo."""
        return self.prepared_redo()()

    def prepared_undo(self) -> Callable[[], Simulation]:
        """Build what an undo needs, in any thread; to be called between two steps."""
        return self._prepared_go(self._past, self._future, "undo")

    def prepared_redo(self) -> Callable[[], Simulation]:
        """Build what a redo needs, in any thread; to be called between two steps."""
        return self._prepared_go(self._future, self._past, "redo")

    def open(self, scenario: Scenario) -> Simulation:
        """Switch to another scenario, at its start; this can be undone."""
        return self.prepared_open(scenario)()

    def prepared_open(self, scenario: Scenario) -> Callable[[], Simulation]:
        """Build another scenario, in any thread; to be called between two steps."""
        named = with_names(a_scenario(scenario, "open"), scenario.name)
        built = built_successor(self.simulation, named, lambda new: check_starts(new.rig))

        def open_() -> Simulation:
            before = self._now(last=True)
            self._succeed(named, lambda new: new.begin(), built)
            self._limits = ClientLimits.of(self.simulation)
            self._remember(before)
            return self.simulation

        return open_

    def save(self, path: Path | str) -> Path:
        """Write scenario and state to a file; the simulation continues undisturbed."""
        return self.prepared_save(path)()()

    def prepared_save(self, path: Path | str) -> Callable[[], Callable[[], Path]]:
        """Prepare in any thread; take the state between two steps; write it in any thread."""
        file = file_argument(path, "save")
        fingerprint(self.simulation.rig)  # which is remembered

        def take() -> Callable[[], Path]:
            saved = self._now().saved
            return lambda: write_saved_state(saved, file)

        return take

    def load(self, path: Path | str) -> Simulation:
        """Continue from a file instead; this can be undone."""
        return self.prepared_load(path)()

    def prepared_load(self, path: Path | str) -> Callable[[], Simulation]:
        """Read a state and build what it needs, in any thread; to be called between two steps."""
        return_to = self._prepared_return(Moment(read_saved_state(file_argument(path, "load")), -1))

        def load() -> Simulation:
            before = return_to()
            self._remember(before)
            return self.simulation

        return load

    @classmethod
    def of_file(cls, path: Path | str, bus: Bus | None = None, *, trust: bool = False) -> "Session":
        """Return a session that continues from a file; ``trust`` lets its components run."""
        saved = read_saved_state(file_argument(path, "Session.of_file"))
        if trust:
            trust_scenario(saved.built)
        session = cls(saved.built, bus, at_start=False)
        put_back(saved, session.simulation)
        session._adopt(saved)
        return session

    def reset(self) -> Simulation:
        """Return to the start of the current scenario."""
        return self.prepared_reset()()

    def prepared_reset(self) -> Callable[[], Simulation]:
        """Build what a reset needs, in any thread; to be called between two steps."""
        before = self.scenario
        moved, check = self._moved, lambda new: check_starts(new.rig)
        built = built_successor(self.simulation, before, check) if moved else None
        if built is None:
            self.simulation.prepare_reset()

        def reset() -> Simulation:
            fitting = built if self.scenario is before else None
            if built is not fitting and built is not None:
                self._discard(built)
            if self._moved:
                self._succeed(self.scenario, lambda new: new.begin(), fitting)
            else:
                self._check_start()
                self.simulation.reset()
            return self.simulation

        return reset

    def _check_start(self) -> None:
        """Refuse a start that something was added to since."""
        if self._free_at_start != self._build:
            self.simulation.check_start()
            self._free_at_start = self._build

    def _remember(self, before: Moment) -> None:
        """Let a change be undone; what was undone before it is gone."""
        chores.let_go_later((self._past[: 1 - MOST_UNDOS], self._future.copy()))
        self._past[:] = [*self._past, before][-MOST_UNDOS:]
        self._future.clear()
        chores.do_later(lambda: settle(before, self._past, self._future))

    def _now(self, *, last: bool = False) -> Moment:
        """Return the present; the ``last`` one of this simulation if it is to be replaced."""
        saved = take(self.simulation, self.scenario, self._built_from, last=last)
        return Moment(saved, self._build)

    def _prepared_go(
        self, source: list[Moment], target: list[Moment], word: str
    ) -> Callable[[], Simulation]:
        moment = source[-1] if source else None
        if moment is None:
            raise ConfigError(f"there is nothing to {word}")
        return_to = self._prepared_return(moment)

        def go() -> Simulation:
            if not source or source[-1] is not moment:
                raise ConfigError(f"{word}: something else was changed meanwhile; try again")
            before = return_to()
            source.pop()
            target.append(before)
            chores.do_later(lambda: settle(before, self._past, self._future))
            return self.simulation

        return go

    def _prepared_return(self, moment: Moment) -> Callable[[], Moment]:
        """Build what a return to a moment needs, if anything; to be called between two steps.

        What that returns is the moment before.
        """
        saved = moment.saved
        saved.state.finish()
        needed = moment.build != self._build
        built = built_successor(self.simulation, saved.built) if needed else None
        if built is None:
            self.simulation.rig.engine.prepare(saved.state.part("engine"))
        rest: Callable[[], None] | None = None
        if built is not None:
            try:
                rest = prepared_put_back(saved, built.simulation)
            except Exception:
                self._discard(built)
                raise

        def bring(new: Simulation) -> None:
            return put_back(saved, new) if rest is None else rest()

        def return_to() -> Moment:
            same = built is None and moment.build == self._build
            before = self._now(last=not same)
            if same:
                put_back(saved, self.simulation)
                self._adopt(saved)
                self._tell()
            else:
                self._succeed(saved.built, bring, built)
                self._adopt(saved)
            return before

        return return_to

    def _adopt(self, saved: SavedState) -> None:
        """Record the objects that were moved since the simulation was built."""
        self.scenario, self._moved = saved.scenario, saved.scenario != saved.built

    def _branching(
        self, change: changes.Change, scenario: Scenario, limits: ClientLimits | None
    ) -> Callable[[Simulation], Branch]:
        """Return what makes a successor ready, and refuses one in which something is misplaced."""
        fresh = fresh_models(change, scenario)
        checked = fresh | reshaped_objects(change, self.scenario)
        # things of a whole world may be inside one another, as may actors, whose places are drawn:
        # who asks for them could not put them elsewhere
        drawn = changes.LoadWorld | changes.SetScenario | changes.AddActor
        apart = not isinstance(change, drawn)

        def branch_to(new: Simulation) -> Branch:
            if limits is not None:
                limits.check_built(new, self.simulation)
            branch = Branch.between(self.simulation, new, fresh, checked, apart=apart)
            branch.check()
            return branch

        return branch_to

    def _discard(self, built: Successor) -> None:
        built.simulation.close()
        for name in set(built.topics) - self.simulation.topics():
            self.bus.retire(name)

    def _succeed(
        self,
        scenario: Scenario,
        bring: Callable[[Simulation], None],
        successor: Successor | None = None,
    ) -> None:
        """Replace the old simulation by a successor once its state is transferred."""
        successor = successor or built_successor(self.simulation, scenario)
        new = successor.simulation
        built, memories = _callables(new), set(new.memories)
        try:
            new.memories |= self._own_memories()
            self._bring_components(new)
            bring(new)
        except Exception:
            self._discard(successor)
            raise
        old, self.simulation = self.simulation, new
        self._bring_along(old, new)
        self.scenario = self._built_from = scenario
        self._built, self._built_memories, self._moved = built, memories, False
        self._build += 1
        old.close()
        for name in old.topics() - new.topics():
            self.bus.retire(name)
        self._tell()
        if old.rig.scene is not new.rig.scene:
            close_renderers(old.rig.scene)
        chores.let_go_later(old)

    def _tell(self) -> None:
        for tell in self.renewed:
            tell(self.simulation)

    def _bring_along(self, old: Simulation, new: Simulation) -> None:
        """Take over what the user's own code added to the loop."""
        known = {id(item) for item in self._built}
        new.conditions[:0] = [item for item in old.conditions if id(item) not in known]
        new.drivers += [item for item in old.drivers if id(item) not in known]

    def _own_memories(self) -> dict[str, Memory]:
        """Return what the user's own code asked to be remembered."""
        memories = self.simulation.memories.items()
        own = {name: found for name, found in memories if name not in self._built_memories}
        return {
            name: found
            for name, found in own.items()
            if not isinstance(found.part, ComponentInstance)
        }

    def _bring_components(self, new: Simulation) -> None:
        """Attach what the user's own code attached, where it still has something to be on."""
        old = self.simulation.components
        new.components.tell, new.components.may_remove = old.tell, old.may_remove
        for instance in old:
            if f"component {instance.name}" in self._built_memories:
                continue
            try:
                new.take_in(instance.plan)
            except ComponentError as error:
                old.tell(f"{instance.title} is left out: {error}")


def _callables(simulation: Simulation) -> list[object]:
    return [*simulation.conditions, *simulation.drivers]
