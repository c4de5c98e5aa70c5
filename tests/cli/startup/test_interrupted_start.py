"""Ctrl-C while the command line is still being imported."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

_PROGRAM = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
{start}
"""
_ROOT = Path(__file__).parents[3]


def _script() -> str:
    """Return what the installed command does."""
    scripts = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    module, _, name = scripts["outrider"].partition(":")
    return f"from {module} import {name}; {name}()"


@pytest.mark.parametrize(
    "start", [_script(), "import runpy; runpy.run_module('outrider', run_name='__main__')"]
)
def test_ctrl_c_during_the_first_imports_is_one_sentence(start: str) -> None:
    program = _PROGRAM.format(start=start)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "outrider: interrupted\n")
