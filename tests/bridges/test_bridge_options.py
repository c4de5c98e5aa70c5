import subprocess
import sys
from dataclasses import dataclass
from typing import ClassVar

import pytest

from outrider.bridges.bridge import BRIDGES, bridge_options
from outrider.bus.bus import Bus
from outrider.bus.topic_watch import TopicWatch
from outrider.core.errors import ConfigError
from outrider.core.structure import number
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Scenario


@dataclass(frozen=True, slots=True)
class _Options:
    master: str = ""
    port: int = number(11311, least=1, most=65535)
    remap: tuple[str, ...] = ()
    tf: bool = True


class _Noted:
    Options: ClassVar[type] = _Options
    log: ClassVar[list[str]] = []

    def __init__(self, outside, options):
        self.outside, self.options = outside, options

    def start(self):
        self.log.append(f"start {self.outside.robots()[0].name}")

    def close(self):
        self.log.append("close")

    def counts(self):
        return {}


@pytest.fixture(autouse=True)
def noted(monkeypatch):
    monkeypatch.setitem(BRIDGES._builtin, "noted", f"{__name__}:_Noted")
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    _Noted.log.clear()


def _options(text):
    return bridge_options(text)[1]


def test_a_bridge_without_options_has_its_defaults():
    assert _options("noted") == _Options()


def test_options_have_the_types_that_the_bridge_declares():
    text = "noted:master=http://host:1234/,port=2,remap=/a:=/b,remap=/c:=/d,tf=false"
    assert _options(text) == _Options("http://host:1234/", 2, ("/a:=/b", "/c:=/d"), False)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("notes", "did you mean 'noted'"),
        ("noted:prt=1", "did you mean 'port'"),
        ("noted:port=x", "port"),
        ("noted:port=0", "port"),
        ("noted:own", "KEY=VALUE"),
        ("noted:port=1,port=2", "twice"),
    ],
)
def test_bad_options_end_in_one_sentence(text, says):
    with pytest.raises(ConfigError, match=says):
        bridge_options(text)


def test_a_scenarios_bridges_live_as_long_as_its_run():
    Run(Scenario(duration_s=0.02, bridges=("noted",)), speed=0).go()
    assert _Noted.log == ["start jackal", "close"]


def test_a_wrong_bridge_is_refused_before_anything_is_built():
    with pytest.raises(ConfigError, match=r"bridges\.0.*did you mean 'noted'"):
        Run(Scenario(world="there is none", bridges=("notd",)))


def test_robot_descriptions_name_meshes_by_whole_addresses():
    run = Run(Scenario(bridges=()))
    from outrider.scenarios.bridging import outside_of

    (robot,) = outside_of(run.session, run.runner).robots()
    assert 'filename="file:///' in robot.urdf
    assert robot.urdf.count("<mesh ") == robot.urdf.count('filename="file:///')


def test_the_watch_tells_of_topics_that_come_go_and_change_names():
    bus = Bus()
    watch = TopicWatch(bus)
    bus.declare("/a", "std_msgs/msg/String")
    assert [[t.name for t in side] for side in watch.changes()] == [["/a"], []]
    assert watch.changes() == ([], [])
    bus.remap("/a", "/b")
    assert [[t.name for t in side] for side in watch.changes()] == [["/b"], ["/a"]]
    bus.retire("/b")
    assert [[t.name for t in side] for side in watch.changes()] == [[], ["/b"]]


@pytest.mark.parametrize(
    ("text", "says"),
    [("ros11", "did you mean 'ros1'"), ("ros1:mster=own", "did you mean 'master'")],
)
def test_the_command_line_refuses_a_wrong_bridge_in_one_sentence(text, says):
    command = [sys.executable, "-m", "outrider", "run", "empty", "--bridge", text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
