"""Load cells: scales on robots, level and on slopes, and their converters."""

from dataclasses import replace

import numpy as np
import pytest
from engine_worlds import G, ground
from joint_bench import JointBench
from sensor_stand import heard, listen

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose
from outrider.sensors.force.load_cell import LoadCell, LoadCellParameters
from outrider.sensors.triad import Triad
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.vehicles.robot import load_robot
from outrider.world.assembly import assemble
from outrider.world.model import Inertial, Joint, Link, Model, World


def hung(**parameters):
    """Return a cell that carries 5 kg, lying still."""
    links = (
        Link("base", Inertial(1e6, 1e6 * np.eye(3))),
        Link("hook", Inertial(5.0, 0.1 * np.eye(3), Pose([0.0, 0.0, -0.2]))),
    )
    model = Model("crane", links, (Joint("eye", "fixed", "base", "hook"),))
    bench = JointBench(assemble(World("test", (model,))))
    sensor = bench.mount(LoadCell, "crane/hook", LoadCellParameters(**parameters))
    sensor.sample(0)
    return sensor


def test_a_cell_shows_the_weight_that_hangs_from_it_in_newtons_and_counts():
    sensor = hung(counts_per_newton=1000.0)
    assert sensor.counts == round(5.0 * G * 1000)
    assert sensor.force == pytest.approx(5.0 * G, abs=1e-3)


@pytest.mark.parametrize(
    ("axis", "share"), [((0, 0, 2.0), -1.0), ((0, 0, 1e300), -1.0), ((1.0, 0, -1.0), 0.5**0.5)]
)
def test_only_what_acts_along_its_axis_is_felt(axis, share):
    assert hung(axis=axis).force == pytest.approx(share * 5.0 * G, abs=1e-3)


def test_capacity_and_converter_end_somewhere():
    assert hung(force=Triad(limit=20.0)).force == pytest.approx(20.0)
    assert hung(bits=16).counts == 32767
    assert hung(bits=16, axis=(0.0, 0.0, 1.0)).counts == -32768


def test_an_axis_without_direction_is_refused():
    with pytest.raises(ConfigError, match="a direction is needed"):
        LoadCellParameters(axis=(0.0, 0.0, 0.0))


def with_scale(payload_kg):
    """Return a Jackal that carries a load on a scale."""
    robot = load_robot("jackal").bare()
    pan = Link("pan", Inertial(payload_kg, 0.02 * np.eye(3), Pose([0.0, 0.0, 0.1])))
    foot = Joint("foot", "fixed", "mid_mount", "pan")
    model = replace(
        robot.model, links=(*robot.model.links, pan), joints=(*robot.model.joints, foot)
    )
    return replace(robot, model=model)


@pytest.mark.parametrize("slope_deg", [0.0, 15.0])
def test_a_parked_robots_scale_shows_less_on_a_slope_by_its_cosine(slope_deg):
    slope = np.radians(slope_deg)
    entry = SensorEntry("scale", "tal220-hx711", "pan", set={"force": {"turn_on_sigma": 0.0}})
    start = Pose.from_rpy([0.0, 0.0, 0.1], [0.0, slope, 0.0])
    who = Participant(with_scale(4.0), "robot", start, sensors=(entry,))
    sim = Simulation(World("hill", (ground(slope_rad=slope),)), [who])
    box = listen(sim, "/scale/force")
    sim.run(2.0)
    shown = heard(box)[-1].data
    assert shown == pytest.approx(4.0 * G * np.cos(slope), rel=0.005)
