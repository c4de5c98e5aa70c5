from dataclasses import replace

from outrider.scenarios.build import build
from outrider.scenarios.built_worlds import BuiltWorlds
from outrider.scenarios.load import load


def test_a_world_that_was_built_before_is_used_again_and_changes_nothing():
    scenario = load("drive-10s")
    worlds = BuiltWorlds()
    build(scenario, worlds=worlds).run(0.1)
    again, alone = build(scenario, worlds=worlds), build(scenario)
    assert again.rig.scene.static is build(scenario, worlds=worlds).rig.scene.static
    for simulation in (again, alone):
        simulation.run(0.1)
    assert again.state_hash == alone.state_hash


def test_another_world_is_built_anew():
    worlds = BuiltWorlds()
    flat = load("drive-10s")
    first = build(flat, worlds=worlds).rig.scene.static
    other = build(replace(flat, world="slope"), worlds=worlds).rig.scene.static
    assert other is not first
    assert other.surface.high[2] != first.surface.high[2]
