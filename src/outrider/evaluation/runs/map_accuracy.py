"""A robot's map compared with the true map of its scenario."""

from pathlib import Path

from outrider.autonomy.mapping.map_files import GridMap, load_map, save_map
from outrider.evaluation.measures.truth_grid import Band, Region, ground_region, truth_grid
from outrider.loader.world import build_world
from outrider.scenarios.build import world_spec
from outrider.scenarios.movers.motions import motions_of
from outrider.scenarios.scenario import RobotEntry, Scenario, Waypoints
from outrider.specs.world import WorldSpec

TRUTH = "truth"  # the files' name
_FLOORS = ("floor", "lane_track")
_WHOLE = 45.0  # m: of larger worlds only what is around the way is looked at
_AROUND = 6.0  # m: a little more than a map reaches


def true_map(scenario: Scenario, folder: Path | None = None) -> GridMap:
    """Return the true map of a scenario, cached in a folder."""
    kept = None if folder is None else folder / f"{TRUTH}.yaml"
    if kept is not None and kept.is_file():
        return load_map(kept)
    spec = world_spec(scenario)
    world = build_world(spec)
    floors = floors_of(spec)
    region = _region(scenario, ground_region(world, floors))
    found = truth_grid(world, region, _band(scenario), floors, _resolution(scenario))
    if kept is not None:
        save_map(kept, found)
    return found


def floors_of(spec: WorldSpec) -> frozenset[str]:
    """Return the names of the things that one drives on."""
    return frozenset(thing.name for thing in spec.things if thing.what in _FLOORS)


def _band(scenario: Scenario) -> Band:
    """Return the heights that the scenario's segmentation takes for an obstacle."""
    spec = scenario.autonomy
    if spec is None or spec.segmentation is None:
        return Band()
    return Band(high=spec.segmentation.max_height)


def _resolution(scenario: Scenario) -> float:
    spec = scenario.autonomy
    return 0.05 if spec is None or spec.mapping is None else spec.mapping.resolution


def _region(scenario: Scenario, ground: Region) -> Region:
    x0, y0, x1, y1 = ground
    places = [place for entry in scenario.robots for place in places_of(entry, scenario)]
    if max(x1 - x0, y1 - y0) <= _WHOLE or not places:
        return ground
    xs, ys = zip(*places, strict=True)
    near = (min(xs) - _AROUND, min(ys) - _AROUND, max(xs) + _AROUND, max(ys) + _AROUND)
    return max(x0, near[0]), max(y0, near[1]), min(x1, near[2]), min(y1, near[3])


def places_of(entry: RobotEntry, scenario: Scenario) -> list[tuple[float, float]]:
    """Return a robot's start and waypoints."""
    start = world_spec(scenario).start if entry.pose is None else entry.pose
    found = [(start.x, start.y)]
    for motion in motions_of(entry):
        if isinstance(motion, Waypoints):
            found += motion.points
    if scenario.autonomy is not None and scenario.autonomy.waypoints is not None:
        found += [(point.x, point.y) for point in scenario.autonomy.waypoints.load()]
    return found
