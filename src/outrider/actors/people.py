"""People: they walk from point to point, to a timetable, or wander."""

import numpy as np

from outrider.actors.figures import person
from outrider.actors.gait import person_poses, phase_rate
from outrider.actors.goals import WalkingGoals, about_area, along_points
from outrider.actors.spec import PersonSpec
from outrider.actors.start_positions import StartPositions, next_points, spread, way_length
from outrider.actors.surroundings import Circles, Surroundings
from outrider.actors.timetable import Timetable
from outrider.actors.walking import WalkerMotion, kept_off, stepped
from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.core.seeds import generator

RADIUS = 0.25  # m, seen from above


class People(DeclaredState):
    """All people of one entry."""

    state_fields = ("_motion", "_aims", "_random")

    def __init__(self, spec: PersonSpec, seed: int, first: int, site: StartPositions) -> None:
        self.spec = spec
        self._seed = seed
        self._points = np.array(spec.points, float).reshape(-1, 2)
        self._starts = self._places(site)
        looks = generator(seed, "figures", spec.name)
        varied = looks.normal(0.0, 0.03, spec.count) if spec.count > 1 else np.zeros(1)
        varied = np.clip(varied, -0.06, 0.06)
        self._sizes = spec.height / person.HEIGHT * (1.0 + varied)
        self._speeds = spec.speed * (1.0 + 3.0 * varied)
        self.figures = [
            person.person(looks, size * person.HEIGHT, spec.colour) for size in self._sizes.tolist()
        ]
        self._origins = np.stack([figure.origins for figure in self.figures])
        self._owners = np.arange(first, first + spec.count)
        self._timetable = Timetable(self._points, spec.times, spec.loop) if spec.times else None
        self._heights = np.array([site.stand(x, y) for x, y in self._starts[:, :2].tolist()])
        self.restart()

    def _places(self, site: StartPositions) -> Array:
        """Return where they start: x, y, yaw (n, 3)."""
        spec = self.spec
        if spec.area is None:
            self._check_room(site)
            return spread(self._points, spec.count, spec.loop)
        random = generator(self._seed, "starts", spec.name)
        places = site.scattered(random, spec.area, spec.count, 4 * RADIUS, spec.name)
        return np.column_stack([places, random.uniform(-np.pi, np.pi, spec.count)])

    def _check_room(self, site: StartPositions) -> None:
        """Refuse more people than can stand along their way."""
        length, count = way_length(self._points, self.spec.loop), self.spec.count
        room = 1 + int(length / (2 * RADIUS))
        if count > room:
            raise site.fail(
                self.spec.name, f"its way of {length:.1f} m has room for {room} of {count}"
            )

    def restart(self) -> None:
        """Return to the start."""
        self._random = generator(self._seed, "actors", self.spec.name)
        self._motion = WalkerMotion.at(self._starts, self._heights)
        self._aims = WalkingGoals.of(self._starts[:, :2])
        if len(self._points):
            self._aims.number = next_points(self._points, self._starts, self.spec.loop)

    def circles(self) -> Circles:
        """Return one circle for each."""
        motion = self._motion
        return Circles.of(motion.place[:, None], motion.velocity, RADIUS, self._owners)

    def advance(self, around: Surroundings, seconds: float) -> None:
        """Walk on for some time."""
        motion = self._motion
        if self._timetable is not None:
            place = self._timetable.place(around.time_s + seconds - self.spec.start_s)
            velocity = (place - motion.place) / seconds
        else:
            velocity = self._free(around, seconds)
        motion.go(velocity, around.ground, seconds)
        rate = phase_rate(motion.speed, self._sizes, person.HIP)
        motion.phase = np.remainder(motion.phase + rate * seconds, 2 * np.pi)

    def _free(self, around: Surroundings, seconds: float) -> Array:
        """Return the velocities of those who may choose them."""
        polite = self.spec.robots == "avoid"
        others = around.circles if polite else around.circles.without_robots()
        wanted = self._wanted(around)
        velocity = stepped(self._motion, wanted, self.circles(), others, self._speeds, seconds)
        return kept_off(self._motion, velocity, RADIUS, around.feelers, seconds)

    def _wanted(self, around: Surroundings) -> Array:
        motion, aims, spec = self._motion, self._aims, self.spec
        if around.time_s < spec.start_s:
            return np.zeros_like(motion.velocity)
        if spec.area is None:
            return along_points(self._points, spec.loop, motion, aims, self._speeds)
        return about_area(spec.area, motion, aims, self._speeds, around, self._random)

    def poses(self) -> tuple[Array, Array]:
        """Return the places of all limbs."""
        m = self._motion
        return person_poses(m.roots, m.yaw, m.speed, m.phase, self._sizes, self._origins)
