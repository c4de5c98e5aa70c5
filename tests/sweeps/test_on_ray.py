"""The same sweeps on a real Ray cluster of this machine."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest
from sweep_files import SHORT, written

from outrider.sweeps.journal import RESULTS
from outrider.sweeps.load import load_sweep
from outrider.sweeps.options import SweepOptions
from outrider.sweeps.sweep import run_sweep

pytestmark = [pytest.mark.peer, pytest.mark.flaky(reruns=2), pytest.mark.timeout(600)]
PATIENCE_S = 120.0


class Head:
    """A cluster of one machine with room for two workers."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"127.0.0.1:{self._port}"
        self._process = None

    def start(self):
        ray = shutil.which("ray", path=str(Path(sys.executable).parent))
        command = [ray, "start", "--head", f"--port={self._port}", "--num-cpus=2", "--block"]
        self._process = subprocess.Popen(
            [*command, "--include-dashboard=false", "--disable-usage-stats"],
            env={**os.environ, "RAY_worker_niceness": "0"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until(self._answers, "the head to answer")

    def kill(self):
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def workers(self):
        children = psutil.Process(self._process.pid).children(recursive=True)
        return [child for child in children if "ray::RunExecutor" in " ".join(child.cmdline())]

    def _answers(self):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self._port)) == 0


def until(holds, what):
    end_s = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end_s, f"waited for {what}"
        time.sleep(0.1)


@pytest.fixture
def head():
    pytest.importorskip("ray", reason="Ray is not installed")
    head = Head()
    head.start()
    yield head
    head.kill()


def local_table(folder, text=SHORT):
    """Return the table as workers of this machine make it."""
    run_sweep(load_sweep(written(folder, text)), SweepOptions(folder, jobs=1))
    return (folder / "table.csv").read_bytes()


class KillingAWorker:
    """Kills a worker of the cluster after the second run."""

    def __init__(self, head):
        self._head, self._count, self.killed = head, 0, []

    def begin(self, total, kept, pool):
        pass

    def done(self, line):  # noqa: ARG002
        self._count += 1
        if self._count == 2:
            self.killed = self._head.workers()[:1]
            for process in self.killed:
                process.kill()


@pytest.mark.slow
def test_a_cluster_gives_the_same_table_though_a_worker_is_killed(head, tmp_path):
    table = local_table(tmp_path)
    watching = KillingAWorker(head)
    options = SweepOptions(tmp_path / "out", ray=head.address)
    result = run_sweep(load_sweep(written(tmp_path)), options, watching)
    assert len(watching.killed) == 1
    assert (tmp_path / "out" / "table.csv").read_bytes() == table
    assert Counter(line["run"] for line in result.lines) == Counter(range(1, 11))


@pytest.mark.slow
def test_a_sweep_goes_on_after_the_head_was_restarted(head, tmp_path):
    out = tmp_path / "out"
    text = SHORT.replace("0.1", "20.0")  # long enough for the head to be killed amid the runs
    table = local_table(tmp_path, text)
    file = written(tmp_path, text)
    command = [sys.executable, "-m", "outrider", "sweep", str(file), "--ray", head.address]
    command += ["--out", str(out)]

    def lines():
        return (out / RESULTS).read_text().splitlines() if (out / RESULTS).exists() else []

    first = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    until(lambda: len(lines()) >= 2 or first.poll() is not None, "two runs")
    head.kill()
    _, said = first.communicate(timeout=PATIENCE_S)
    assert first.returncode == 2
    assert "no cluster answers there" in said
    assert "Traceback" not in said
    kept = len(lines())
    assert kept >= 2
    head.start()
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert f"{kept} were done before" in again.stdout
    assert (out / "table.csv").read_bytes() == table
    assert Counter(json.loads(line)["run"] for line in lines()) == Counter(range(1, 11))
