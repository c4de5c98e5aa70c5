"""``--trust`` of the commands, also for runs in processes of their own."""

import json
import os
import subprocess
import sys

from outrider.core.trust import TRUST_VARIABLE

CODE = """
import outrider as o


class Counter(o.Component):
    def step(self, me):
        if me.time_s > 0.05:
            raise ValueError("enough")
"""
SCENARIO = """
robots: [{model: jackal}]
components: [{file: counter.py, class: Counter}]
duration_s: 0.1
"""


def outrider(*words, folder):
    main = "from outrider.cli.main import main; main()"
    env = {key: value for key, value in os.environ.items() if key != TRUST_VARIABLE}
    return subprocess.run(
        [sys.executable, "-c", main, *words],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        cwd=folder,
        env=env,
    )


def test_a_series_runs_components_if_trusted_and_tells_of_faults(tmp_path):
    (tmp_path / "counter.py").write_text(CODE)
    (tmp_path / "s.yaml").write_text(SCENARIO)
    refused = outrider("scenario", "run", "s.yaml", folder=tmp_path)
    assert refused.returncode == 2
    assert "--trust" in refused.stderr
    assert "Traceback" not in refused.stderr
    done = outrider(
        "scenario", "run", "s.yaml", "--trust", "--runs", "2", "--json", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    for result in json.loads(done.stdout)["runs"]:
        assert "counter.py:8" in result["component_faults"][0]
    failed = outrider(
        "scenario", "run", "s.yaml", "--trust", "--set", "on_fault=fail", folder=tmp_path
    )
    assert failed.returncode == 1
    assert "counter.py:8" in failed.stdout
