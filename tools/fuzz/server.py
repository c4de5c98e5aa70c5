"""A simulation with every bridge and the editor open, for requests to be sent to."""

import json
import os
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from tools.fuzz.limits import limit_memory
from tools.fuzz.talks import BUILDING

from outrider.bridges.local.server import LocalServer
from outrider.bridges.policy import Policy
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.specs.sensor import SensorEntry
from outrider.ui.open import editor
from outrider.ui.options import EditorOptions


def serve(endpoint: int, folder: Path) -> None:
    """Run until standard input ends; say on standard output where everything listens.

    ``endpoint`` is the port of a ROS-TCP-Endpoint to connect to.
    """
    scan = SensorEntry(name="scan", model="sick-lms111")
    scenario = Scenario(
        world="empty",
        robots=(RobotEntry(sensors=(scan,)),),
        duration_s=None,
        bridges=(
            "ros1:master=own,port=0",
            "rosbridge:port=0,tcp_port=0",
            "foxglove:port=0",
            f"ros-tcp:127.0.0.1:{endpoint}",
            "udp:port=0",
        ),
    )
    run = Run(scenario, speed=1.0, files=folder)
    # a peer may rightly end a run, which would only cost the fuzz its target
    run.runner.more["stop"] = lambda _: run.runner.status()
    thread = threading.Thread(target=run.go, daemon=True)
    thread.start()
    # no peer of a fuzz may write where it likes, not even one that has the user's token
    policy = Policy.of_folder(folder)
    local = LocalServer(run.session.bus, run.runner.services(), policy=policy)
    with editor(run, EditorOptions(port=0, browser=False, projects=folder / "p")) as opened:
        while len(run.bridges) < len(scenario.bridges):
            thread.join(0.05)
        _warm(run)
        limit_memory()
        sys.stdout.write(json.dumps(_places(run, local, opened.address)) + "\n")
        sys.stdout.flush()
        sys.stdin.read()
        run.runner.stop()
        thread.join(20.0)
    local.close()


def _warm(run: Run) -> None:
    """Have the kernels compiled now, where the time that it takes is nobody's fault."""
    services, new = run.runner.services(), dict(BUILDING)
    for name in ("add_object", "add_actor", "undo", "undo"):
        enough_s = run.runner.simulated_s + 0.1
        while run.runner.simulated_s < enough_s:
            time.sleep(0.05)
        services[name](new.get(name, {}))


def _places(run: Run, local: LocalServer, editor_address: str) -> dict[str, object]:
    ros1, rosbridge, foxglove, _, udp = run.bridges
    node = ros1.node  # type: ignore[attr-defined]
    assert node.registrar.registered.wait(60.0)
    return {
        "local": local.port,
        "token": local._token,
        "master": urlsplit(node.master).port,
        "node": urlsplit(node.uri).port,
        "tcpros": node._port,
        "rosbridge": rosbridge.port,  # type: ignore[attr-defined]
        "rosbridge-tcp": rosbridge.tcp_port,  # type: ignore[attr-defined]
        "foxglove": foxglove.port,  # type: ignore[attr-defined]
        "udp": udp.port,  # type: ignore[attr-defined]
        "editor": urlsplit(editor_address).port,
        "pid": os.getpid(),
    }


if __name__ == "__main__":
    serve(int(sys.argv[1]), Path(sys.argv[2]))
