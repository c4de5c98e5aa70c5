"""MuJoCo's fatal errors, from its Python module and from compiled steps."""

import ctypes
import subprocess
import sys

import pytest

import outrider
from outrider.core.errors import PhysicsError

SENTENCE = "MuJoCo cannot go on: mj_stackAlloc: out of memory, stack overflow"
PROGRAM = """
import ctypes, outrider

sim = outrider.open("empty")
with outrider.record(sim, "run.mcap", ["/clock"]):
    sim.run(0.5)  # it stands: all steps are compiled
    ctypes.c_int64.from_address(sim.rig.engine._data._address).value = 500
    sim.run(0.5)
"""


def test_a_full_stack_in_a_step_by_parts_is_an_error_of_physics():
    sim = outrider.open("empty")
    sim.rig.engine.watch_forces = True
    arena = ctypes.c_int64.from_address(sim.rig.engine._data._address)  # its first field
    assert arena.value == sim.rig.engine._data.narena
    arena.value = 500
    with pytest.raises(PhysicsError, match=SENTENCE):
        sim.step()


def test_a_full_stack_in_a_compiled_step_ends_the_run_with_a_sentence_and_a_whole_recording(
    tmp_path,
):
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 1
    lines = ended.stderr.splitlines()
    assert [line for line in lines if SENTENCE in line] == lines[-1:]
    assert "Traceback" not in ended.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["run.mcap"]  # no log of MuJoCo's
    with outrider.replay(tmp_path / "run.mcap") as recorded:
        assert recorded.source.notes == []
        assert recorded.source.end_ns == pytest.approx(0.5e9, abs=1e7)
