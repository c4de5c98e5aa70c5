"""What lies in the current folder, which may be a stranger's, must not say what code is run."""

import os
import subprocess
import sys

import pytest

from outrider.core.process.worker_process import WorkerProcess

NUMBA = "cache_dir: elsewhere\nopt: seven\n"  # the second is none of its levels: an error


def _printed(folder, program):
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=folder,
        env={key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["outrider.core.compiled", "outrider.physics.health"])
def test_numba_takes_no_folder_of_compiled_code_from_the_current_folder(module, tmp_path):
    (tmp_path / ".numba_config.yaml").write_text(NUMBA)
    program = (
        f"import {module}\n"
        "from numba.core import config\n"
        "config.reload_config()\n"
        "print(config.CACHE_DIR, config.OPT)"
    )
    assert _printed(tmp_path, program) == _printed("/", program)


def test_matplotlib_takes_no_settings_from_the_current_folder(tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "matplotlibrc").write_text("text.usetex: True\ntext.latex.preamble: \\input{x}\n")
    program = (
        "from outrider.evaluation.report.pyplot import pyplot\n"
        "print(pyplot().rcParams['text.usetex'])"
    )
    assert _printed(tmp_path, program) == "False"


def test_a_library_that_the_program_imported_before_keeps_its_settings(tmp_path):
    (tmp_path / ".numba_config.yaml").write_text("cache_dir: mine\n")
    program = (
        "import numba\nimport outrider.core.compiled\n"
        "from numba.core import config\nprint(config.CACHE_DIR)"
    )
    assert _printed(tmp_path, program) == "mine"


@pytest.mark.parametrize("module", ["outrider.sweeps.worker", "outrider.evaluation.runs.worker"])
def test_workers_import_nothing_from_the_current_folder(module, tmp_path, monkeypatch):
    mark = tmp_path / "ran"
    for name in ("json", "numpy", "outrider"):
        (tmp_path / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\nraise SystemExit(7)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    worker = WorkerProcess(module)
    try:
        worker.send({})
        assert worker.code  # nothing to do in such a job
    finally:
        worker.kill()
    assert not mark.exists()
