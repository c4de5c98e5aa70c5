"""Turrets and arms of robots: a robot holds them still, unless somebody moves them."""

from dataclasses import dataclass

import pytest

import outrider as o
from outrider.scenarios.services.in_process import Control
from outrider.scenarios.session.session import Session


@dataclass
class Push(o.Component):
    """Turns a joint for a second."""

    def step(self, me):
        """Turn it."""
        if me.time_s < 1.0:
            me.joint.turn(0.5)


def angle(sim, joint):
    names = [held.name for held in sim.rig.assembly.joints]
    return float(sim.state.joints["position"][names.index(joint)])


def tank(engine):
    return o.Simulation(o.load_world("empty"), [o.robot("tank")], engine=engine)


@pytest.mark.parametrize("engine", ["mujoco", "bullet"])
def test_a_component_turns_a_turret_and_it_stays_where_that_leaves_it(engine):
    """The robot's own hold was stronger: the turret did not move, and nobody said so."""
    sim = tank(engine)
    sim.attach(Push, "tank/turret_joint")
    sim.run(1.0)
    turned = angle(sim, "tank/turret_joint")
    assert turned == pytest.approx(0.5, abs=0.03)
    sim.run(0.5)
    assert angle(sim, "tank/turret_joint") == pytest.approx(turned, abs=0.01)


@pytest.mark.parametrize("engine", ["mujoco", "bullet"])
def test_a_joint_that_is_set_stays_there(engine):
    session = Session(o.Scenario(world="empty", robots=(o.scenario("outdoor-loop").robots[0],)))
    sim = session.simulation
    Control(session).call("set_joints", model="tank", joints={"turret_joint": 1.0})
    sim.run(0.5)
    assert angle(sim, "tank/turret_joint") == pytest.approx(1.0, abs=0.002)
