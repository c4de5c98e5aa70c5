"""What becomes of a run in which something leaves all bounds."""

import numpy as np
import pytest

from outrider.core.errors import UnstableError
from outrider.scenarios.build import build
from outrider.scenarios.load import loads

FALLING = """
world:
  ground: {{type: flat, size: [4, 4]}}
  objects: [{{name: crate, mass: 1, shape: {{type: box}}, pose: {{x: 9, z: 1}}}}]
robots: [{{model: jackal, pose: {{x: {x}, z: {z}}}}}]
physics: {{step_s: 0.01}}
"""


def falling(x=0.0, z="null"):
    return build(loads(FALLING.format(x=x, z=z)))


def test_what_falls_for_ever_is_caught_and_told_once_and_the_run_goes_on(caplog):
    simulation = falling()
    simulation.run(110.0)  # 1000 m/s are reached after 102 s
    crate = simulation.state.bodies[simulation.rig.assembly.root("crate")]
    assert crate["velocity"][2] == pytest.approx(-9.81 * 8.06, abs=2.0)
    simulation.run(110.0)
    told = [r.getMessage() for r in caplog.records if "has fallen for so long" in r.getMessage()]
    assert len(told) == 1
    assert "body 'crate/" in told[0]
    assert abs(simulation.robots["jackal"].pose.position[2]) < 1.0


def test_a_falling_robot_is_caught_with_all_its_wheels():
    simulation = falling(x=20.0, z=1.0)
    simulation.run(105.0)
    speeds = simulation.state.bodies["velocity"][:, 2]
    assert speeds == pytest.approx(np.full(len(speeds), speeds[0]), abs=1.0)
    assert -100.0 < speeds[0] < 0.0


def diverged(simulation):
    body = simulation.rig.assembly.root("jackal")
    pose = simulation.robots["jackal"].pose
    simulation.rig.engine.place(body, pose, np.array([2000.0, 0.0, 0.0]), np.zeros(3))
    simulation.step()


def test_what_diverges_ends_the_run_with_its_last_good_state_saved(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    with pytest.raises(UnstableError, match=r"became unstable at 0.01.* body 'jackal/\w+' left"):
        diverged(falling())
    (saved,) = (tmp_path / "unstable").iterdir()
    assert saved.suffix == ".npz"


def test_a_cache_that_cannot_be_written_is_told_in_the_same_sentence(tmp_path, monkeypatch):
    simulation = falling()
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "file"))
    with pytest.raises(UnstableError, match=r"could not be saved in .*: Not a directory"):
        diverged(simulation)
