"""A running simulation with a ROS 1 bridge, and real ROS 1 programs beside it."""

import os
import shutil
import socket
import struct
import subprocess
import threading
import time
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from waiting import stop_program, until, wait_until

from outrider.bridges.ros1.header import encode_header
from outrider.bridges.ros1.xmlrpc import call
from outrider.messages.ros1.types import deserialize, new, ros1_service, serialize
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Scenario

needs_ros1 = pytest.mark.skipif(
    shutil.which("rostopic") is None, reason="ROS 1 (ros-core) is not installed"
)
PYTHON = "/usr/bin/python3"


class Running:
    """A scenario that runs in a thread of its own, with a master of its own."""

    def __init__(self, scenario=None, *, speed=1.0, options="", files=None, **keys):
        text = f"ros1:master=own,port=0{options}"
        scenario = scenario or Scenario(duration_s=None, bridges=(text,), **keys)
        self.run = Run(scenario, speed=speed, files=files)
        self.services = self.run.runner.services()
        self._thread = threading.Thread(target=self.run.go, daemon=True)
        self._thread.start()
        wait_until(lambda: self.run.bridges, "the bridge")
        self.bridge = self.run.bridges[0]
        assert self.bridge.node.registrar.registered.wait(60.0)
        self.uri = self.bridge.node.master

    def close(self):
        self.run.runner.stop()
        self._thread.join(60.0)
        assert not self._thread.is_alive()

    def pose(self, name="jackal"):
        return self.run.simulation.robots[name].pose

    def goes_on(self):
        """Tell whether simulated time passes; on a busy machine it may take its time."""
        before = self.run.simulation.time_ns
        return until(lambda: self.run.simulation.time_ns > before)

    def stands_still(self):
        """Tell whether no simulated time passes."""
        before = self.run.simulation.time_ns
        time.sleep(0.3)
        return self.run.simulation.time_ns == before


def ask(sim, service, kind, /, **fields):
    """Call a service over the wire and return its response, or the reason of its refusal."""
    place = urlsplit(call(sim.uri, "lookupService", "/test", service)[2])
    types = ros1_service(kind)
    body = serialize(new(types.request, **fields), types.request)
    header = {"callerid": "/test", "service": service, "md5sum": types.md5sum}
    with socket.create_connection((place.hostname, place.port), timeout=30) as end:
        stream = end.makefile("rwb")
        stream.write(encode_header(header) + struct.pack("<I", len(body)) + body)
        stream.flush()
        stream.read(*struct.unpack("<I", stream.read(4)))
        done = stream.read(1) == b"\x01"
        answer = stream.read(*struct.unpack("<I", stream.read(4)))
    return deserialize(answer, types.response) if done else answer.decode()


@contextmanager
def running(*args, **keys):
    sim = Running(*args, **keys)
    try:
        yield sim
    finally:
        sim.close()


def environment(uri, home):
    kept = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
    return {
        **kept,
        "ROS_MASTER_URI": uri,
        "ROS_HOSTNAME": "localhost",
        "HOME": str(home),
        "ROS_HOME": str(home / ".ros"),
        "ROS_PACKAGE_PATH": f"{home}/packages:/usr/share",
        "ROSCONSOLE_STDOUT_LINE_BUFFERED": "1",
        "PYTHONUNBUFFERED": "1",
    }


def ros(uri, home, *command, timeout=150, check=True):
    """Run a ROS program to its end and return what it printed."""
    done = subprocess.run(
        command,
        env=environment(uri, home),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        cwd=home,
    )
    if check and done.returncode:
        pytest.fail(f"{command} failed:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def rospy(uri, home, text, *args, timeout=150):
    """Run a program with the system's Python and rospy."""
    path = Path(home) / f"node_{abs(hash(text)) % 10**8}.py"
    path.write_text(text)
    return ros(uri, home, PYTHON, str(path), *args, timeout=timeout)


@contextmanager
def program(uri, home, *command, **keys):
    """Let a program run beside."""
    log = (Path(home) / f"{Path(command[0]).name}.log").open("w")
    env = {**environment(uri, home), **keys}
    started = subprocess.Popen(command, env=env, stdout=log, stderr=log, cwd=home)
    try:
        yield started
    finally:
        stop_program(started)
        log.close()


_NEEDS_MORE = ("Obstacle.msg", "Obstacles.msg", "Trajectory.msg", "TrajectoryPoint.msg")


def generated(home, name):
    """Return a folder with the classes that ROS's own generator makes of the library's texts."""
    source = files("outrider") / "library" / "messages" / name
    package = home / "python" / name
    known = [p for n in ("std_msgs", "geometry_msgs") for p in ("-I", f"{n}:/usr/share/{n}/msg")]
    for kind in ("msg", "srv"):
        texts = [str(f) for f in source.iterdir() if f.name.endswith("." + kind)]
        texts = [text for text in texts if not text.endswith(_NEEDS_MORE)]
        out = package / kind
        out.mkdir(parents=True)
        if not texts:
            continue
        tool = ["/usr/bin/python3", f"/usr/lib/genpy/gen{kind}_py.py"]
        common = ["-p", name, "-I", f"{name}:{source}", *known, "-o", str(out)]
        for text in texts:
            subprocess.run([*tool, text, *common], check=True, capture_output=True)
        subprocess.run([*tool, "--initpy", *common], check=True, capture_output=True)
    (package / "__init__.py").write_text("")
    return home / "python"


__all__ = ["PYTHON", "Running", "generated", "needs_ros1", "program", "ros", "rospy", "running"]
