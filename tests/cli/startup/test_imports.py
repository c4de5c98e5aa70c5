"""What a command imports: every user waits for that, at every start."""

import json
import subprocess
import sys

import pytest

_PROGRAM = """
import json, sys
sys.argv = ["outrider", *json.loads(sys.argv[1])]
from outrider.cli.main import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps(sorted(sys.modules)))
"""
_SHORT_RUN = ("run", "empty", "--headless", "--no-ui", "--speed", "0", "--duration", "0.01")


def _modules_of(*command: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, json.dumps(command)],
        capture_output=True,
        timeout=120,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_package_imports_nothing_else_of_it() -> None:
    said = "import sys, outrider; print([m for m in sys.modules if m.startswith('outrider.')])"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [("--help",), ("run", "--help"), ("--version",)])
def test_help_and_version_import_no_library_of_the_simulation(command: tuple[str, ...]) -> None:
    heavy = {"numpy", "numba", "mujoco", "rosbags", "yaml", "pydantic", "psutil", "lxml", "PIL"}
    assert _modules_of(*command) & heavy == set()


def test_a_run_imports_only_what_its_scenario_needs() -> None:
    _modules_of(*_SHORT_RUN)
    found = _modules_of(*_SHORT_RUN)
    assert {"numpy", "numba", "mujoco", "rosbags"} <= found
    libraries = {"scipy.linalg", "glfw", "pydantic", "rich", "cv2", "matplotlib", "gtsam", "viser"}
    # needed for compiling only; the first start may compile, so this one is not the first
    compiling = {"numba.np.arrayobj", "numba.np.arraymath", "numba.typed.typeddict", "numpy.ma"}
    ours = {
        "outrider.autonomy.spec",
        "outrider.scenarios.movers.autonomy",
        "outrider.actors.actor_groups",
        "outrider.bench",
        "outrider.evaluation",
        "outrider.ui.editor_state",
    }
    assert found & (libraries | compiling | ours) == set()
