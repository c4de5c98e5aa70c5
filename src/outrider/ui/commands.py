"""The console's commands: short names for common actions, and every service by its own name."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from outrider.bridges.policy import OWN_USER, guarded
from outrider.core.errors import ConfigError, OutriderError, near_match
from outrider.core.files.yaml_file import parse_yaml
from outrider.loader.library import library_names
from outrider.messages.convert import from_dict
from outrider.scenarios.session.changes import Change, Move, RenameTopic, SetSensor, names_of
from outrider.specs.world import PoseSpec
from outrider.ui import editing
from outrider.ui.editing import PRIMITIVES
from outrider.ui.editor_state import EditorState
from outrider.ui.numbers import parsed

T = TypeVar("T")
Words: TypeAlias = list[str]

_MOST_LINES = 10_000  # of a script
_TIMING = ("rate_hz", "latency_s", "jitter_s", "dropout", "phase_s")  # numbers of any sensor


@dataclass(frozen=True, slots=True)
class ConsoleCommand:
    """One command of the console."""

    usage: str
    does: str
    act: Callable[[Words], str]


class Commands:
    """Executes command lines, in any thread but the simulation's: what it changes is built there.

    What it looks at or does to the simulation itself happens between two steps.
    """

    def __init__(self, editor: EditorState, *, own_user: bool) -> None:
        """Without ``own_user``, who asks is a peer as on a bridge."""
        self._desk, self._own_user = editor, own_user
        policy = OWN_USER if own_user else editor.run.policy
        services = editor.run.runner.services("the editor", of_clients=not own_user)
        self._services = guarded(services, policy)
        self._own = {
            "help": ConsoleCommand("help", "list all commands", self._help),
            "spawn": ConsoleCommand(
                "spawn box|sphere|...|ROBOT [X Y]", "put something in", self._spawn
            ),
            "move": ConsoleCommand("move NAME X Y [Z] [YAW]", "move something", self._move),
            "remove": ConsoleCommand("remove NAME", "remove something", self._remove),
            "set": ConsoleCommand("set ROBOT/SENSOR KEY VALUE", "change a sensor", self._set),
            "topic": ConsoleCommand("topic ROBOT KEY NAME", "rename a robot's topic", self._topic),
            "drive": ConsoleCommand(
                "drive ROBOT SPEED [YAW_RATE]", "send one command", self._drive
            ),
            "pub": ConsoleCommand("pub TOPIC {field: value}", "publish a message", self._publish),
            "speed": ConsoleCommand("speed TIMES", "times real time; 0 is flat out", self._speed),
            "step": ConsoleCommand("step [N]", "take steps while paused", self._step),
            "topics": ConsoleCommand("topics", "list the topics", self._topics),
            "models": ConsoleCommand("models", "list what there is", self._models),
            "call": ConsoleCommand("call SERVICE KEY=VALUE...", "call any service", self._call),
            "script": ConsoleCommand("script FILE", "run the commands in a file", self._script),
        }
        if not own_user:
            del self._own["script"]

    def run(self, text: str) -> str:
        """Execute a line and return the answer."""
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise ConfigError(f"cannot read '{text[:60]}': {error}") from None
        if not words:
            return ""
        name, *rest = words
        if name in self._own:
            try:
                return self._own[name].act(rest)
            except (IndexError, ValueError) as error:
                if isinstance(error, OutriderError):
                    raise
                raise ConfigError(f"expected: {self._own[name].usage}") from None
        if name in self._services:
            return self._call(words)
        known = [*self._own, *self._services]
        raise ConfigError(f"there is no command '{name}'{near_match(name, known)}; try: help")

    def completions(self) -> list[str]:
        """Return completions of a line."""
        session = self._desk.session
        names = names_of(session.scenario)
        return [
            *self._own,
            *self._services,
            *(f"spawn {kind}" for kind in (*PRIMITIVES, *library_names("robots"))),
            *(f"{word} {name}" for word in ("move", "remove") for name in names),
            *(f"load_world world={name}" for name in library_names("worlds")),
            *(f"set {m.name} rate_hz" for m in session.simulation.mounted),
        ]

    def _do(self, work: Callable[[], T]) -> T:
        return self._desk.run.runner.do(work)

    def _apply(self, change: Change) -> None:
        prepared = partial(self._desk.session.prepared, change, of_client=not self._own_user)
        self._desk.run.runner.change(prepared)

    def _help(self, _words: Words) -> str:
        wide = max(len(c.usage) for c in self._own.values())
        rows = [f"{c.usage.ljust(wide)}   {c.does}" for c in self._own.values()]
        return "\n".join([*rows, "services: " + ", ".join(sorted(self._services))])

    def _spawn(self, words: Words) -> str:
        kind = words[0]
        place = (_number(words[1]), _number(words[2])) if len(words) > 1 else None
        session = self._desk.session
        near = next(iter(session.simulation.robots), "")
        if kind in PRIMITIVES:
            thing = self._do(lambda: editing.added_primitive(session, kind, near, place))
            self._apply(thing)
            return f"{thing.object.name} is there"
        if kind not in library_names("robots"):
            known = [*PRIMITIVES, *library_names("robots")]
            raise ConfigError(f"there is no '{kind}'{near_match(kind, known)}")
        robot = self._do(lambda: editing.added_robot(session, kind, near, place))
        self._apply(robot)
        return f"{robot.robot.name} is there"

    def _move(self, words: Words) -> str:
        numbers = [_number(word) for word in words[1:]]
        x, y = numbers[0], numbers[1]
        z = numbers[2] if len(numbers) > 2 else None
        yaw = numbers[3] if len(numbers) > 3 else 0.0
        self._apply(Move(words[0], PoseSpec(x, y, z, 0.0, 0.0, yaw)))
        return f"{words[0]} is at {x:g}, {y:g}"

    def _remove(self, words: Words) -> str:
        self._apply(editing.removed(words[0]))
        return f"{words[0]} is gone"

    def _set(self, words: Words) -> str:
        name, key = words[0], words[1]
        value: Any = _number(words[2]) if key in _TIMING else _value(words[2])
        session = self._desk.session
        mounted = next((m for m in session.simulation.mounted if m.name == name), None)
        if mounted is None:
            known = [m.name for m in session.simulation.mounted]
            raise ConfigError(f"there is no sensor '{name}'{near_match(name, known)}")
        entry = mounted.plan.entry
        if key in _TIMING:
            entry = replace(entry, **{key: value})
        else:
            entry = replace(entry, set={**entry.set, key: value})
        self._apply(SetSensor(entry, mounted.owner))
        return f"{name}: {key} = {_plain(value)}"

    def _topic(self, words: Words) -> str:
        self._apply(RenameTopic(words[0], words[1], words[2]))
        return f"{words[0]}: {words[1]} is on {words[2]}"

    def _drive(self, words: Words) -> str:
        robots = self._desk.session.simulation.robots
        if words[0] not in robots:
            raise ConfigError(f"there is no robot '{words[0]}'{near_match(words[0], robots)}")
        turn = _number(words[2]) if len(words) > 2 else 0.0
        speed = _number(words[1])
        self._do(lambda: robots[words[0]].drive(speed, turn))
        return "sent"

    def _publish(self, words: Words) -> str:
        bus = self._desk.session.bus
        channel = bus.channel(words[0])
        if channel.direction != "in":
            raise ConfigError(f"{words[0]} is published by the simulation itself")
        data = parse_yaml(" ".join(words[1:]) or "{}", "message")
        message = from_dict(channel.type, data)
        self._do(lambda: channel.publish(message, self._desk.session.simulation.time_ns))
        return "published"

    def _speed(self, words: Words) -> str:
        self._services["set_speed"]({"speed": float(words[0])})
        return f"speed {float(words[0]):g}"

    def _step(self, words: Words) -> str:
        count = int(words[0]) if words else 1
        answer = self._services["step"]({"steps": count})
        return f"at {answer['time_s']:.4f} s"

    def _topics(self, _words: Words) -> str:
        return "\n".join(f"{t.name}  {t.type}" for t in self._desk.session.bus.topics())

    def _models(self, _words: Words) -> str:
        return ", ".join(names_of(self._desk.session.scenario))

    def _script(self, words: Words) -> str:
        """Execute a file of commands; stop at the first line that is refused."""
        path = Path(words[0]).expanduser()
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: cannot be read: {error}") from None
        done = 0
        for number, line in enumerate(lines[:_MOST_LINES], start=1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            if line.split()[0] == "script":
                raise ConfigError(f"{path}: line {number}: a script cannot call another")
            try:
                self.run(line)
            except OutriderError as error:
                raise ConfigError(f"{path}: line {number}: {error}") from None
            done += 1
        return f"{done} lines of {path.name} were carried out"

    def _call(self, words: Words) -> str:
        name, *rest = words
        if name not in self._services:
            raise ConfigError(f"there is no service '{name}'{near_match(name, self._services)}")
        arguments = dict(_pair(word) for word in rest)
        answer = self._services[name](arguments)
        return "\n".join(f"{key}: {_short(value)}" for key, value in answer.items()) or "done"


def _pair(word: str) -> tuple[str, Any]:
    key, equals, value = word.partition("=")
    if not equals or not key:
        raise ConfigError(f"expected KEY=VALUE, got '{word[:60]}'")
    return key, _value(value)


def _number(text: str) -> float:
    number = parsed(text)
    if number is None:
        raise ConfigError(f"expected a number, got '{text[:20]}'")
    return number


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _value(text: str) -> Any:
    return parse_yaml(f"v: {text}", "value")["v"]


def _short(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 300 else f"{text[:300]} ..."
