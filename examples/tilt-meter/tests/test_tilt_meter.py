"""The sensor on a robot, against what geometry says."""

import pytest

SENSOR = "{name: tilt, model: tilt-meter, pose: {pitch_deg: 10}}"
ROBOT = f"robots=[{{model: jackal, sensors: [{SENSOR}]}}]"


def test_it_shows_the_tilt_of_its_mount(outrider_sim):
    sim = outrider_sim("empty", ROBOT)
    sim.run(1.0)
    assert sim.robots["jackal"].sensors["tilt"].latest.data == pytest.approx(10.0, abs=0.5)


def test_the_same_seed_gives_the_same_values(outrider_sim):
    shown = []
    for _ in range(2):
        sim = outrider_sim("empty", ROBOT, seed=7)
        sim.run(0.5)
        shown.append(sim.robots["jackal"].sensors["tilt"].latest.data)
    assert shown[0] == shown[1]
