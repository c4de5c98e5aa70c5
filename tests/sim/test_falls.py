"""Who drives off the edge of the world is told, once."""

import pytest

from outrider.scenarios.build import build
from outrider.scenarios.load import loads

RAFT = """world:
  ground: {{type: none}}
  objects: [{{name: raft, shape: {{type: box, size: [{size}, 4, 1]}}, pose: {{z: -0.5}}}}]
robots: [{{model: jackal, pose: {{x: 0.5}}}}]
"""


@pytest.mark.parametrize(("size", "times"), [(2, 1), (20, 0)])
def test_a_robot_that_drives_off_the_edge_is_told_once(caplog, size, times):
    simulation = build(loads(RAFT.format(size=size)))
    while simulation.time_s < 3.0:
        simulation.robots["jackal"].drive(1.0)
        simulation.step()
    told = [record.getMessage() for record in caplog.records]
    assert sum("robot 'jackal' fell off the ground near x = " in words for words in told) == times
