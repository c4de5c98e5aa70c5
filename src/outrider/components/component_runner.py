"""All components of a simulation: in a fixed order, each call guarded."""

import bdb
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from outrider.components import watchdog
from outrider.components.canvas import TOPIC, TYPE, Canvas
from outrider.components.catalogue import Plan
from outrider.components.code_file import read_again
from outrider.components.component_instance import ComponentInstance
from outrider.components.faults import Overran, told, where_it_failed
from outrider.components.host import Host
from outrider.components.scope import ComponentScope
from outrider.core.errors import ComponentError
from outrider.specs.component import OnFault

Call: TypeAlias = tuple[
    ComponentInstance, Callable[[Any], object], Any
]  # whose, what, and with what
_DRAWN_NS = 100_000_000


class ComponentRunner:
    """Runs the components; one that fails is named, and left out from then on."""

    def __init__(self, host: Host) -> None:
        self.instances: list[ComponentInstance] = []
        self.on_fault: OnFault = "continue"
        self.tell: Callable[[str], object] = _write
        self.failed = False  # the run is to end, as was asked for
        self.running: ComponentInstance | None = None  # watched: see watchdog
        self.condemned: ComponentInstance | None = None
        self.turn = 0
        self.thread = 0
        self.gate = threading.Lock()
        self._scope = ComponentScope(host)
        self._calls: list[Call] = []
        self._drawing: list[ComponentInstance] = []
        self._drawn = -1
        self.stale = False  # instances came, went, failed or began again

    def __len__(self) -> int:
        return len(self.instances)

    def __iter__(self) -> Iterator[ComponentInstance]:
        return iter(self.instances)

    @property
    def faults(self) -> list[str]:
        """Why components take no part any more."""
        return [instance.fault for instance in self.instances if instance.fault]

    def attach(self, plan: Plan) -> ComponentInstance:
        """Add a component; it starts in the next step, after all that are there already."""
        wanted = plan.entry.name or f"{plan.entry.on or 'world'} {plan.class_name}"
        taken = {instance.name for instance in self.instances}
        if plan.entry.name in taken:
            raise ComponentError(f"{plan.where}: two components have the name '{wanted}'")
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted} {number}", number + 1
        try:
            instance = ComponentInstance(plan, name, self._scope, self._change)
        except ComponentError as error:
            raise ComponentError(f"{plan.where}: on: {error}") from None
        self.instances.append(instance)
        self._change()
        watchdog.watch(self)
        return instance

    def step(self) -> None:
        """Let all act, in the order in which they were attached."""
        if self.stale:
            self._arrange()
        self.turn += 1
        self._run(self._calls, self._fail)

    def draw(self, now_ns: int) -> None:
        """Let those that draw do so, if there is a viewer; what fails then only draws no more."""
        if not self._drawing or now_ns // _DRAWN_NS == self._drawn:
            return
        self._drawn = now_ns // _DRAWN_NS
        channel = self._scope.host.bus.declare(TOPIC, TYPE)
        if not channel.wanted:
            return
        canvas = Canvas(now_ns)
        self._scope.drawing = True
        try:
            self._run([(m, _drawer(m, canvas), m.handle) for m in self._drawing], self._fail_draw)
        finally:
            self._scope.drawing = False
        channel.publish(canvas.message(), now_ns)

    def reset(self) -> None:
        """Be as before the first step."""
        begun = [m for m in self.instances if m.started and m.has("reset")]
        self.turn += 1
        self._run([(m, m.plan.component.reset, m.handle) for m in begun], self._fail)
        for instance in self.instances:
            instance.begin_again()
        self.failed, self._drawn = False, -1

    def reload(self) -> list[str]:
        """Read the files of components anew; what they remember stays. Return who has new code."""
        renewed = [m for m in self.instances if m.plan.entry.file]
        for file in dict.fromkeys(m.plan.entry.file for m in renewed):
            read_again(Path(file).resolve(), "reload")
        plans = [instance.plan.again() for instance in renewed]  # all or none
        for instance, plan in zip(renewed, plans, strict=True):
            instance.plan, instance.fault = plan, ""
        self._change()
        return [instance.name for instance in renewed]

    def close(self) -> None:
        """Stop listening."""
        for instance in self.instances:
            instance.handle.close()

    @property
    def may_remove(self) -> bool:
        """Whether somebody carries out what components ask to be removed."""
        return self._scope.may_remove

    @may_remove.setter
    def may_remove(self, may: bool) -> None:
        self._scope.may_remove = may

    @property
    def removals(self) -> list[str]:
        """The models that components have asked to be removed, after this step."""
        return self._scope.removals

    def _change(self) -> None:
        self.stale = True

    def _arrange(self) -> None:
        """Start those that are new, and list those that act."""
        self.stale = False
        fresh = [m for m in self.instances if not m.started and not m.fault]
        self._run([(m, m.plan.component.start, m.handle) for m in fresh], self._fail)
        for instance in fresh:
            instance.started = True
        able = [m for m in self.instances if not m.fault]
        self._calls = [(m, m.call(), m.handle) for m in able if m.has("step")]
        self._drawing = [m for m in able if m.has("draw")]
        self.failed = any(m.fault and self._ends_the_run(m) for m in self.instances)

    def _run(
        self, calls: list[Call], fail: Callable[[ComponentInstance, BaseException], None]
    ) -> None:
        self.thread = threading.get_ident()
        left = iter(calls)
        while True:
            try:
                for self.running, call, handle in left:
                    call(handle)
                self._release()
                return
            except (KeyboardInterrupt, bdb.BdbQuit):
                self._release()
                raise KeyboardInterrupt from None
            except BaseException as error:  # a component may raise anything, SystemExit too
                guilty = self.running
                late = self._release() if isinstance(error, Overran) else None
                blamed = late or guilty
                if blamed is not None:
                    fail(blamed, error)

    def _release(self) -> ComponentInstance | None:
        """Say that nobody runs; return who was told to stop. No late stop may come after it."""
        condemned = None
        while True:
            try:
                with self.gate:
                    self.running = None
                    condemned, self.condemned = self.condemned or condemned, None
                for _ in range(10 if condemned else 0):
                    pass  # a stop that is on its way arrives here at the latest
                return condemned
            except Overran:
                continue

    def _fail(self, instance: ComponentInstance, error: BaseException) -> None:
        place = where_it_failed(error, instance.file)
        if isinstance(error, Overran):
            limit_s = instance.limit_s()
            text = f"{instance.title} took more than {limit_s:g} s, at {place}, and was stopped"
        else:
            text = f"{instance.title} failed at {place}: {told(error)}"
        instance.fault = text
        self._change()
        ends = self._ends_the_run(instance)
        self.failed = self.failed or ends
        self.tell(f"{text}; the run {'ends' if ends else 'goes on without it'}")

    def _fail_draw(self, instance: ComponentInstance, error: BaseException) -> None:
        self._drawing = [other for other in self._drawing if other is not instance]
        place = where_it_failed(error, instance.file)
        self.tell(f"{instance.title} failed at {place}: {told(error)}; its drawing is switched off")

    def _ends_the_run(self, instance: ComponentInstance) -> bool:
        return (instance.plan.entry.on_fault or self.on_fault) == "fail"


def _drawer(instance: ComponentInstance, canvas: Canvas) -> Callable[[Any], object]:
    def draw(me: Any) -> None:
        canvas.owner = instance.name
        instance.plan.component.draw(me, canvas)

    return draw


def _write(text: str) -> None:
    sys.stderr.write(f"outrider: {text}\n")
