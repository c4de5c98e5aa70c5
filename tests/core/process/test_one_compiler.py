"""Processes that start together compile a kernel once."""

import os
import subprocess
import sys

import pytest

from outrider.core.process.file_lock import locked
from outrider.core.process.one_compiler import CompilerTurn

pytest.importorskip("fcntl")

_KERNEL = """
import sys
import numpy as np
from outrider.core.compiled import compiled

@compiled
def middle(values):
    return np.median(np.sort(values) ** 2) + values.max() - values.mean()

print("ready", flush=True)
sys.stdin.readline()
assert middle(np.arange(5.0)) == 6.0
print(sum(middle.stats.cache_misses.values()))
"""


@pytest.fixture
def other(tmp_path, monkeypatch):
    """Return the file that another process would hold while it compiles."""
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    file = os.open(tmp_path / "compiling.lock", os.O_RDWR | os.O_CREAT)
    yield file
    os.close(file)


def test_two_processes_that_start_together_compile_a_kernel_once(tmp_path):
    (tmp_path / "outrider_kernel.py").write_text(_KERNEL)
    cold = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "OUTRIDER_CACHE": str(tmp_path)}
    pipe = subprocess.PIPE
    both = [
        subprocess.Popen(
            [sys.executable, "-c", "import outrider_kernel"],
            stdin=pipe,
            stdout=pipe,
            text=True,
            cwd=tmp_path,
            env=cold,
        )
        for _ in range(2)
    ]
    for one in both:
        assert one.stdout.readline() == "ready\n"
    for one in both:
        one.stdin.write("\n")
        one.stdin.flush()
    compiled = [int(one.communicate(timeout=120)[0]) for one in both]
    assert sorted(compiled) == [0, 1]


def test_what_another_compiles_is_waited_for(other):
    assert locked(other)
    turn, tries = CompilerTurn(), iter([None, None, None, "kernel"])
    with turn.compiling():
        assert turn.loaded(lambda: next(tries)) == "kernel"


def test_a_turn_lasts_until_the_outermost_kernel_is_compiled(other):
    turn = CompilerTurn()
    with turn.compiling():
        assert turn.loaded(lambda: None) is None
        assert not locked(other)
        with turn.compiling():  # a kernel that it calls
            assert turn.loaded(lambda: None) is None
        assert not locked(other)
    assert locked(other)


def test_who_is_stopped_while_it_compiles_holds_nobody_up_for_ever(other, monkeypatch):
    monkeypatch.setattr("outrider.core.process.one_compiler._LONGEST_S", 0.1)
    assert locked(other)
    turn = CompilerTurn()
    with turn.compiling():
        assert turn.loaded(lambda: None) is None


def test_a_disk_that_cannot_be_written_makes_everybody_compile(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "file"))
    turn = CompilerTurn()
    with turn.compiling():
        assert turn.loaded(lambda: None) is None
