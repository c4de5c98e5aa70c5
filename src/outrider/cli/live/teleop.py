"""outrider teleop: drive a robot of a running simulation with the keys of a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from outrider.bridges.local.client import Client
from outrider.cli.live.choice import Pid, the_only_one
from outrider.core.errors import BridgeError

_TWIST = "geometry_msgs/msg/Twist"
_PERIOD_S = 0.05
_HOLD_S = 0.6  # a terminal tells presses, not releases: as long as it takes to repeat a key
# what a key asks for: shares of the speed and of the turning rate
_KEYS = {
    **dict.fromkeys(("u", "w", "\x1b[A"), (1.0, 0.0)),
    **dict.fromkeys(("j", "s", "\x1b[B"), (-1.0, 0.0)),
    **dict.fromkeys(("h", "a", "\x1b[D"), (0.0, 1.0)),
    **dict.fromkeys(("k", "d", "\x1b[C"), (0.0, -1.0)),
    **dict.fromkeys((";", " "), (0.0, 0.0)),
}
_RESET = ("\r", "\n")
_END = ("q", "\x03", "\x1b")
_HELP = (
    "drive: arrows, W A S D or U J H K; stop: ; or space; faster, slower: + -; reset: Enter; end: q"
)


def teleop(
    robot: Annotated[
        str, typer.Argument(metavar="ROBOT", help="Its name or topic, if there are several.")
    ] = "",
    speed: Annotated[float, typer.Option(metavar="M/S", min=0.0, help="Speed.")] = 0.5,
    turn: Annotated[float, typer.Option(metavar="RAD/S", min=0.0, help="Yaw rate.")] = 1.0,
    pid: Pid = None,
) -> None:
    """Drive with the keys: arrows, WASD, or U J H K and ; as in SEAR; Enter resets."""
    with the_only_one(pid) as client:
        topic = _command_topic(client, robot)
        typer.echo(f"{topic}: {_HELP}", err=True)
        with _keys() as read:
            _Driver(client, topic, speed, turn).drive(read)


class _Driver:
    """Turns keys into commands."""

    def __init__(self, client: Client, topic: str, speed: float, turn: float) -> None:
        self._client, self._topic = client, topic
        self._speed, self._turn = speed, turn
        self._wanted = (0.0, 0.0)
        self._pressed_s = -_HOLD_S

    def drive(self, read: Callable[[], str]) -> None:
        """Drive until the user has had enough."""
        driving = False
        while (key := read()) not in _END:
            if key:
                self._take(key)
            held = time.monotonic() - self._pressed_s < _HOLD_S
            if held or driving:  # the last one tells it to stop
                self._send(self._wanted if held else (0.0, 0.0))
            driving = held
        self._send((0.0, 0.0))

    def _take(self, key: str) -> None:
        if key in _RESET:
            self._client.call("reset")
        elif key in ("+", "-"):
            share = 1.1 if key == "+" else 1 / 1.1
            self._speed, self._turn = self._speed * share, self._turn * share
            typer.echo(f"{self._speed:.2f} m/s, {self._turn:.2f} rad/s", err=True)
        elif key.lower() in _KEYS or key in _KEYS:
            self._wanted = _KEYS.get(key) or _KEYS[key.lower()]
            self._pressed_s = time.monotonic()

    def _send(self, wanted: tuple[float, float]) -> None:
        twist = {"linear": {"x": wanted[0] * self._speed}, "angular": {"z": wanted[1] * self._turn}}
        self._client.publish(self._topic, twist)


def _command_topic(client: Client, robot: str) -> str:
    topics = [
        str(row["name"])
        for row in client.topics()
        if row["type"] == _TWIST and row["direction"] == "in"
    ]
    found = [t for t in topics if not robot or t == robot or robot in t.split("/")]
    if len(found) != 1:
        problem = "there is no robot to drive" if not topics else "name one of the robots"
        raise BridgeError(f"{problem}: {', '.join(topics)}" if topics else problem)
    return found[0]


@contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """Have keys read one by one, without waiting for Enter; each call takes a moment."""
    if not sys.stdin.isatty():
        raise BridgeError("teleop reads keys from a terminal; from a program, use 'outrider pub'")
    if sys.platform == "win32":
        yield _windows_key
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield _key
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _key() -> str:
    """Return the newest key, an arrow as its sequence; nothing if none was pressed."""
    import os
    import select

    if not select.select([sys.stdin], [], [], _PERIOD_S)[0]:
        return ""
    data = os.read(sys.stdin.fileno(), 64).decode(errors="replace")
    if not data:
        return "q"  # the terminal is gone
    return data[-3:] if data.startswith("\x1b[") else data[-1]


def _windows_key() -> str:
    """Return the newest key of a console on Windows."""
    if sys.platform != "win32":
        raise AssertionError("there is no Windows console")
    import msvcrt

    time.sleep(_PERIOD_S)
    arrows = {"H": "\x1b[A", "P": "\x1b[B", "M": "\x1b[C", "K": "\x1b[D"}
    key = ""
    while msvcrt.kbhit():
        key = msvcrt.getwch()
        if key in ("\x00", "\xe0"):
            key = arrows.get(msvcrt.getwch(), "")
    return key
