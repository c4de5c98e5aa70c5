"""A topic gets another name on the bus, and its readers stay with it."""

from outrider.messages.topics import TOPICS, topic_name
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.changes import Change, RenameTopic
from outrider.sim.simulation import Simulation


def rename(change: Change, scenario: Scenario, simulation: Simulation) -> None:
    """Rename a topic on the bus, if that is the change."""
    if not isinstance(change, RenameTopic):
        return
    if change.key not in TOPICS:
        return  # the build will say so
    entry = next(e for e in scenario.robots if e.name == change.robot)
    number = scenario.robots.index(entry)
    old = simulation.robots[entry.name].topics[change.key]
    new = topic_name(
        change.name,
        namespace=entry.namespace or "",
        robot_id=number,
        name=entry.name,
        type_=simulation.rig.vehicles[number].robot.spec.name,
    )
    if simulation.bus.find(old) is not None:
        simulation.bus.remap(old, new)
