"""A peer's text is read in a process of its own, which is bounded and may die."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest

from outrider.core.errors import FormatError
from outrider.core.files.package_files import spawned_folder
from outrider.formats import peer_text
from outrider.formats.peer_text import read_peer_text
from outrider.formats.urdf.description import read_robot_description

BOX = b"<robot name='r'><link name='a'/></robot>"
PATIENCE_S = 60.0


def xacro(inside: str) -> bytes:
    kind = "xmlns:xacro='http://www.ros.org/wiki/xacro'"
    return f"<robot name='r' {kind}>{inside}<link name='a'/></robot>".encode()


@pytest.fixture
def target(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    return spawned_folder() / "r.urdf"


def reader() -> psutil.Process:
    return psutil.Process(peer_text._reader()._process.pid)


def test_a_text_is_read_by_another_process_which_is_kept(target, monkeypatch):
    monkeypatch.setattr(peer_text, "_read", lambda *_: pytest.fail("it was read here"))
    assert read_peer_text(BOX, target) == "model"
    first = reader().pid
    assert first != os.getpid()
    read_peer_text(BOX, target)
    assert reader().pid == first
    assert target.read_bytes() == BOX
    assert list(target.parent.iterdir()) == [target]


def test_macros_are_expanded_there_and_never_again(target):
    doubled = b"$" + b"${'x'*10}"  # xacro makes ${'x'*10} of it, which would be expanded next time
    made = xacro("<!-- xacro: -->").replace(b"name='a'", b"name='${2*21}' note=\"%b\"" % doubled)
    assert read_peer_text(made, target) == "model"
    kept = target.read_text()
    assert "42" in kept
    assert "${'x'*10}" in kept
    assert str(target.parent) not in kept  # the same wherever it is made
    assert [link.name for link in read_robot_description(target).model.links] == ["42"]
    assert "${'x'*10}" in read_robot_description(target).urdf


def test_macros_that_were_not_expanded_are_refused(target):
    target.parent.mkdir(parents=True)
    target.write_bytes(xacro("<xacro:property name='p' value='1'/>"))
    with pytest.raises(FormatError, match="expanded when it is spawned"):
        read_robot_description(target)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"<robot", "text:1: not well-formed"),
        (b"<mujoco/>", "expected URDF or SDF, got MJCF"),
        (xacro("${open('/etc/passwd')}"), "text"),
        (xacro("$(env HOME)"), "HOME is not set"),
        (xacro("${'x'*10**10}"), "more than 1000000 letters"),
        (b"<robot name='r'>" + b"<a/>" * 50_001 + b"<link name='a'/></robot>", "50000 tags"),
    ],
)
def test_what_is_refused_is_one_sentence_without_our_folders(target, text, says):
    with pytest.raises(FormatError, match=says) as caught:
        read_peer_text(text, target)
    assert "\n" not in str(caught.value)
    assert str(target.parent) not in str(caught.value)
    assert not list(target.parent.iterdir())


def test_a_reader_that_is_killed_at_its_work_costs_one_text(target):
    read_peer_text(BOX, target)
    victim = reader()
    victim.suspend()  # so that it cannot be done before

    def kill():
        time.sleep(0.1)
        victim.kill()

    threading.Thread(target=kill).start()
    with pytest.raises(FormatError, match="it was not read, its process") as caught:
        read_peer_text(BOX, target)
    assert "\n" not in str(caught.value)
    assert read_peer_text(BOX, target) == "model"
    assert reader().pid != victim.pid


def test_a_text_that_takes_too_long_is_given_up(target, monkeypatch):
    read_peer_text(BOX, target)
    stuck = reader()
    stuck.suspend()
    monkeypatch.setattr(peer_text, "_MOST_WALL_S", 0.2)
    with pytest.raises(FormatError, match="takes too long to read"):
        read_peer_text(BOX, target)
    assert not stuck.is_running() or stuck.status() == psutil.STATUS_ZOMBIE
    monkeypatch.undo()
    monkeypatch.setenv("OUTRIDER_CACHE", str(target.parent.parent))
    assert read_peer_text(BOX, target) == "model"


def test_a_reader_that_had_nothing_to_do_is_replaced_without_a_word(target):
    read_peer_text(BOX, target)
    gone = peer_text._reader()
    gone._process.stdin.close()
    gone._process.wait(PATIENCE_S)
    assert read_peer_text(BOX, target) == "model"


_BOUNDS = """
import resource, sys
from outrider.formats import peer_text
peer_text._bound_memory()
peer_text._bound_time()
try:
    bytearray(2 * peer_text._MOST_BYTES)
except MemoryError:
    print("memory is bounded", flush=True)
peer_text._read = lambda *_: bytearray(2 * peer_text._MOST_BYTES)
from pathlib import Path
print(peer_text._answer(Path("sent"), Path("kept"))["refused"], flush=True)
resource.setrlimit(resource.RLIMIT_CPU, (1, 100))
while True:
    pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bound less")
def test_memory_and_processor_time_are_bounded_by_the_system():
    done = subprocess.run(
        [sys.executable, "-c", _BOUNDS], check=False, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [
        "memory is bounded",
        "text: it needs more than 1024 MB to read",
    ]
    assert done.returncode == -signal.SIGXCPU


_PARENT = """
import json, sys, time
from pathlib import Path
from outrider.formats import peer_text
from outrider.core.files.package_files import spawned_folder
peer_text.read_peer_text(b"<robot name='r'><link name='a'/></robot>", spawned_folder() / "r.urdf")
print(json.dumps(peer_text._reader()._process.pid), flush=True)
time.sleep(600)
"""


def test_the_reader_ends_with_a_process_that_is_killed(target):
    parent = subprocess.Popen([sys.executable, "-c", _PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = json.loads(parent.stdout.readline())
    found = psutil.Process(pid)
    parent.kill()
    parent.wait()
    assert not psutil.wait_procs([found], timeout=PATIENCE_S)[1]


@pytest.mark.parametrize("optional", ["", " optional='true'"])
def test_an_include_with_a_pattern_does_not_tell_which_files_there_are(target, tmp_path, optional):
    (tmp_path / "secret.xacro").write_bytes(BOX)
    refusals = []
    for name in ("secret", "absent"):
        pattern = tmp_path / f"{name}*"
        with pytest.raises(FormatError, match="includes no patterns") as refusal:
            read_peer_text(xacro(f"<xacro:include filename='{pattern}'{optional}/>"), target)
        refusals.append(str(refusal.value).replace(name, ""))
    assert refusals[0] == refusals[1]
