import numpy as np

from outrider.bench import terrain
from outrider.bench.boxes import heap, resting
from outrider.bench.measurement import BENCHMARKS, least_processor_time
from outrider.sim.simulation import Simulation


def test_every_benchmark_that_is_listed_can_be_made():
    for name in BENCHMARKS:
        assert callable(BENCHMARKS.load(name)()), name


def test_the_boxes_of_the_growth_table_stand_still():
    simulation = Simulation(resting(9))
    simulation.run(0.5)
    bodies = simulation.state.bodies
    assert len(bodies) == 9
    assert abs(bodies["velocity"]).max() < 1e-3
    assert abs(bodies["position"][:, 2] - 0.2).max() < 1e-3


def test_the_boxes_of_a_heap_fall_onto_each_other():
    simulation = Simulation(heap(201))
    simulation.run(0.1)
    touching = {contact.first_name for contact in simulation.rig.contacts()}
    assert abs(simulation.state.bodies["velocity"]).max() > 0.1
    assert len(touching) > 50


def test_processor_time_is_that_of_the_quickest_repeat():
    sizes = iter([200_000, 100, 100_000])
    assert 0 <= least_processor_time(lambda: sum(range(next(sizes))), 3) < 0.5


def test_a_hundred_robots_of_the_benchmarks_stand_on_their_ground():
    simulation = terrain.driving(95, 100, listen=False)
    heights = simulation.rig.scene.ground_below(simulation.state.bodies["position"])
    assert np.isfinite(heights).all()
    assert simulation.state.bodies["position"][:, 2].min() > heights.min()
