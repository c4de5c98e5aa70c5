"""THE table of what clients may add to a run: how much work in every second, how many things.

Whoever started the run may add anything. What was there at the start does not count.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from outrider.core.errors import LimitError
from outrider.scenarios.session.changes import AddActor, AddRobot, AddSensor, Change, SetSensor
from outrider.sensors.catalogue import SensorPlan, plan_sensor
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot
from outrider.world.assembly import Body, StaticPart

Figures: TypeAlias = Mapping[str, float]

# Of one sensor, and of all that clients add. An OS-128 or VLS-128 at 20 Hz casts 2.6 million rays
# a second, a stereo pair of 1080 lines at 30 Hz draws 124 million pixels. All together take about
# half of a core of a laptop, but for pictures without a GPU.
_OF_SENSORS = {
    "rays a second": (6_000_000, 8_000_000),
    "rays in a scan": (1_500_000, 3_000_000),  # for each of which a LiDAR keeps 100 bytes
    "pixels a second": (250_000_000, 500_000_000),
    "pixels in a picture": (40_000_000, 80_000_000),
    "measurements a second": (10_000, 15_000),
    "bytes on their way": (256_000_000, 512_000_000),  # in messages that are delayed
    "seconds to look back": (2, 1000),  # for which the past of everything is kept
}
_MOVERS = "things that move by themselves"
_OF_THINGS = {
    "robots": 50,
    _MOVERS: 200,  # people, cars, animals, objects on paths
    "moving parts": 400,  # links of robots and models, too
    "shapes": 5000,
    "lights": 16,  # each is worked out for every pixel
}
_RAY_BYTES, _PIXEL_BYTES, _MESSAGE_BYTES = 32, 4, 1000
_LATE = 4.0  # standard deviations that a message may be later than usual


@dataclass(frozen=True, slots=True, eq=False)
class ClientLimits:
    """What a run had when it was started: clients may add so much to it."""

    sensors: Figures
    things: Figures

    @classmethod
    def of(cls, start: Simulation) -> "ClientLimits":
        """Return those of a run that begins."""
        return cls(_of_mounted(start), _of_things(start))

    def check_change(self, change: Change, now: Simulation) -> None:
        """Refuse what is too much before anything of it is built."""
        plans, step_s = list(_plans(change)), now.rig.step_s
        for plan in plans:
            _check_one(plan, step_s)
        before, most = _of_mounted(now), {what: sum_ for what, (_, sum_) in _OF_SENSORS.items()}
        _check_sum(_sum(before, _of_plans(plans, step_s)), before, self.sensors, most)
        if isinstance(change, AddActor):
            things = _of_things(now)
            more = {_MOVERS: change.actor.count}
            _check_sum(_sum(things, more), things, self.things, _OF_THINGS)

    def check_built(self, new: Simulation, old: Simulation) -> None:
        """Refuse a successor with too many things."""
        _check_sum(_of_things(new), _of_things(old), self.things, _OF_THINGS)


def _plans(change: Change) -> Iterable[SensorPlan]:
    """Return the sensors that a change brings."""
    if isinstance(change, AddSensor | SetSensor):
        return [plan_sensor(change.sensor, "sensors")]
    if not isinstance(change, AddRobot):
        return []
    entry = change.robot
    spec = load_robot(entry.model, entry.args, entry.search, entry.robot).spec
    named = {sensor.name: sensor for sensor in (*spec.sensors, *entry.sensors)}
    return [plan_sensor(sensor, f"robot '{entry.name}'") for sensor in named.values()]


def _of_plan(plan: SensorPlan, step_s: float) -> Figures:
    """Return the figures of one sensor, as if everything it publishes were heard."""
    work = plan.kind.work(plan.parameters, plan.rate_hz)
    rate_hz = min(plan.rate_hz, 1.0 / step_s)
    size = work.rays * _RAY_BYTES + work.pixels * _PIXEL_BYTES + _MESSAGE_BYTES
    late_s = plan.latency_s + _LATE * plan.entry.jitter_s
    return {
        "rays a second": work.rays * rate_hz,
        "rays in a scan": work.rays,
        "pixels a second": work.pixels * rate_hz,
        "pixels in a picture": work.pixels,
        "measurements a second": work.measurements * rate_hz,
        "bytes on their way": size * rate_hz * late_s,
        "seconds to look back": plan.kind.looks_back(plan.parameters, plan.rate_hz),
    }


def _of_plans(plans: Iterable[SensorPlan], step_s: float) -> Figures:
    found: Figures = {}
    for plan in plans:
        found = _sum(found, _of_plan(plan, step_s))
    return found


def _of_mounted(simulation: Simulation) -> Figures:
    return _of_plans((one.plan for one in simulation.mounted), simulation.rig.step_s)


def _of_things(simulation: Simulation) -> Figures:
    """Count what physics or a script moves, and what rays meet."""
    assembly = simulation.rig.assembly
    moving = [body for body in assembly.bodies if body.mobility == "dynamic"]
    movers = {body.model for body in assembly.bodies if body.mobility == "scripted"}
    parts: list[Body | StaticPart] = [*moving, *assembly.static]
    return {
        "robots": len(simulation.rig.vehicles),
        _MOVERS: len(movers),
        "moving parts": len(moving),
        "shapes": sum(len(part.visuals) + len(part.colliders) for part in parts),
        "lights": len(assembly.world.lights),
    }


def _sum(one: Figures, other: Figures) -> Figures:
    return Counter(one) + Counter(other)


def _check_one(plan: SensorPlan, step_s: float) -> None:
    for what, figure in _of_plan(plan, step_s).items():
        most, _ = _OF_SENSORS[what]
        if figure > most:
            raise LimitError(
                f"sensor '{plan.entry.name}' has {figure:,.0f} {what}: one that a client adds may"
                f" have {most:,}"
            )


def _check_sum(after: Figures, before: Figures, start: Figures, most: Figures) -> None:
    """Refuse what grows beyond what was there at the start and what clients may add to it."""
    for what, limit in most.items():
        added = after.get(what, 0) - start.get(what, 0)
        if added > limit and after.get(what, 0) > before.get(what, 0):
            raise LimitError(
                f"clients may add {limit:,} {what} to this run, and with that it would be"
                f" {added:,.0f}"
            )
