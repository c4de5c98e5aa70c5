"""From a scenario to a simulation, on one screen."""

from dataclasses import replace
from typing import TYPE_CHECKING

from outrider.bus.bus import Bus
from outrider.components.catalogue import plan_component
from outrider.core.frames import Pose
from outrider.core.structure import Data
from outrider.loader.library import load_world_spec
from outrider.scenarios.built_worlds import BuiltWorlds
from outrider.scenarios.conditions import question
from outrider.scenarios.expectations import check_expectations
from outrider.scenarios.movers.driven_robot import (
    needs_odometry_frame,
    with_curves,
    with_odometry_frame,
)
from outrider.scenarios.movers.motions import MotionDriver, check_motions, motions_of
from outrider.scenarios.movers.paths import PathDriver
from outrider.scenarios.names import a_scenario, with_names
from outrider.scenarios.scenario import Scenario
from outrider.scene.scene import Scene
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.world import WorldSpec
from outrider.vehicles.name_checks import check_names
from outrider.vehicles.robot import load_robot
from outrider.world.model import World

if TYPE_CHECKING:
    from outrider.actors.actor_groups import ActorGroups


def build(
    scenario: Scenario,
    bus: Bus | None = None,
    *,
    quiet: bool = False,
    worlds: BuiltWorlds | None = None,
) -> Simulation:
    """Return the simulation of a scenario, before its first step.

    With the ``bus`` of another simulation it replaces that one; if ``quiet``, it publishes nothing
    yet. ``worlds`` are those that earlier simulations were built from, to be used again.
    """
    scenario = a_scenario(scenario, "build")
    scenario = with_names(scenario, scenario.name)
    spec = world_spec(scenario)
    world, ground = (worlds or BuiltWorlds()).find(spec)
    if scenario.weather is not None:
        world = replace(world, weather=scenario.weather)
    robots = [_participant(number, world, scenario) for number in range(len(scenario.robots))]
    physics = scenario.physics
    actors = _actors(spec, scenario.seed, ground, [robot.pose or world.start for robot in robots])
    simulation = Simulation(
        world,
        robots,
        engine=physics.engine,
        step_s=physics.step_s,
        seed=scenario.seed,
        sensors=scenario.sensors,
        bus=bus,
        quiet=quiet,
        scene=ground,
        actors=actors.models() if actors else (),
    )
    add_paths(simulation, spec)
    _add_actors(simulation, actors)
    _add_motions(simulation, scenario)
    for number, condition in enumerate(scenario.end):
        where = f"{scenario.name}: end.{number}"
        simulation.conditions.append(question(condition, simulation, where))
    check_expectations(scenario, simulation)
    simulation.components.on_fault = scenario.on_fault
    add_components(simulation, spec.name, spec.components)
    add_components(simulation, scenario.name, scenario.components)
    return simulation


def _actors(spec: WorldSpec, seed: int, ground: Scene, robots: list[Pose]) -> "ActorGroups | None":
    if not spec.actors:  # most worlds: their figures and walks need not be imported
        return None
    from outrider.scenarios.movers.actors import make_actors

    return make_actors(spec, seed, ground, robots)


def _add_actors(simulation: Simulation, actors: "ActorGroups | None") -> None:
    if actors is not None:
        from outrider.scenarios.movers.actors import add_actors

        add_actors(simulation, actors)


def world_spec(scenario: Scenario) -> WorldSpec:
    """Return the world of a scenario with its obstacles among the objects, and its actors."""
    found = scenario.world
    spec = found if isinstance(found, WorldSpec) else load_world_spec(found)
    return replace(
        spec,
        objects=(*spec.objects, *scenario.obstacles),
        actors=(*spec.actors, *scenario.actors),
    )


def _participant(number: int, world: World, scenario: Scenario) -> Participant:
    entry = scenario.robots[number]
    robot = load_robot(entry.model, entry.args, entry.search, entry.robot)
    check_names(entry, robot.model, f"{scenario.name}: robots.{number}.")
    check_motions(entry, robot, f"{scenario.name}: robot '{entry.name}'")
    if entry.curves:
        robot = with_curves(robot, entry.curves)
    if entry.publish_tf is not None:
        robot = with_odometry_frame(robot, entry.publish_tf)
    if needs_odometry_frame(scenario, entry):
        robot = with_odometry_frame(robot, published=False)
    pose: Pose = world.start if entry.pose is None else entry.pose.pose()
    return Participant(
        robot,
        entry.name,
        pose,
        on_ground=entry.pose is None or entry.pose.z is None,
        namespace=entry.namespace or "",
        topics=entry.topics,
        rates=entry.rates,
        sensors=entry.sensors,
        stop_on_collision=entry.stop_on_collision,
        lamps=entry.lamps,
        components=entry.components,
    )


def add_paths(simulation: Simulation, spec: WorldSpec) -> None:
    """Let the scripted objects of a world go their ways."""
    for item in spec.objects:
        if item.path is not None:
            body = simulation.rig.assembly.root(item.name)
            driver = PathDriver(item, item.path, body)
            simulation.drivers.append(driver)
            simulation.remember(f"path {item.name}", driver, item)


def add_components(simulation: Simulation, name: str, entries: tuple[Data, ...]) -> None:
    """Attach the components of a world or scenario of this name."""
    for number, data in enumerate(entries):
        simulation.take_in(plan_component(data, f"{name}: components.{number}"))


def _add_motions(simulation: Simulation, scenario: Scenario) -> None:
    for entry, vehicle in zip(scenario.robots, simulation.rig.vehicles, strict=True):
        if motions := motions_of(entry):
            pivots = vehicle.robot.drivetrain.pivots
            driver = MotionDriver(simulation.robots[entry.name], motions, pivots)
            simulation.drivers.append(driver)
            simulation.remember(f"motion {entry.name}", driver, motions)
