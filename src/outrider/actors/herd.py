"""Animals as a crowd: boids (Reynolds 1987) that keep apart, together and alike, and flee.

They graze: each stands for a while, and walks for a while.
"""

import numpy as np

from outrider.actors.figures import sheep
from outrider.actors.gait import phase_rate, sheep_poses
from outrider.actors.spec import HerdSpec
from outrider.actors.start_positions import StartPositions
from outrider.actors.surroundings import ROBOT, Circles, Surroundings
from outrider.actors.walking import WalkerMotion, kept_off, stepped
from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.core.seeds import generator

RADIUS = 0.4  # m, seen from above
_SEEN = 15.0  # m to those that one minds
_COHESION, _ALIGNMENT, _HOMEWARD = 0.35, 0.5, 0.6  # shares of the speed
_FAR_APART = 3.0  # m from the middle of its neighbours, from where on it goes there
_GRAZES_S, _WALKS_S = 6.0, 4.0  # on average


class Herd(DeclaredState):
    """All animals of one entry."""

    state_fields = ("_motion", "_mood", "_until_s", "_random")

    def __init__(self, spec: HerdSpec, seed: int, first: int, site: StartPositions) -> None:
        self.spec = spec
        self._seed = seed
        self._owners = np.arange(first, first + spec.count)
        random = generator(seed, "starts", spec.name)
        places = site.scattered(random, spec.area, spec.count, 2.5 * RADIUS, spec.name)
        self._starts = np.column_stack([places, random.uniform(-np.pi, np.pi, spec.count)])
        self._heights = np.array([site.stand(x, y) for x, y in places.tolist()])
        looks = generator(seed, "figures", spec.name)
        self.figures = [sheep.sheep(looks) for _ in range(spec.count)]
        self.restart()

    def restart(self) -> None:
        """Return to the start."""
        self._random = generator(self._seed, "actors", self.spec.name)
        self._motion = WalkerMotion.at(self._starts, self._heights)
        self._mood = np.zeros((self.spec.count, 2))  # the heading and speed of its own
        self._until_s = np.zeros(self.spec.count)

    def circles(self) -> Circles:
        """Return one circle for each."""
        motion = self._motion
        return Circles.of(motion.place[:, None], motion.velocity, RADIUS, self._owners)

    def advance(self, around: Surroundings, seconds: float) -> None:
        """Graze, go on, or flee."""
        motion, spec = self._motion, self.spec
        others = around.circles.without_robots()
        flight = self._flight(around) if spec.robots == "avoid" else np.zeros((spec.count, 2))
        scared = np.hypot(flight[:, 0], flight[:, 1])[:, None]
        wanted = np.zeros_like(motion.velocity)
        if around.time_s >= spec.start_s:
            wanted = (1.0 - scared) * self._calm(around.time_s) + spec.flight_speed * flight
        most = spec.speed + (spec.flight_speed - spec.speed) * scared[:, 0]
        velocity = stepped(motion, wanted, self.circles(), others, most, seconds)
        velocity = kept_off(motion, velocity, RADIUS, around.feelers, seconds)
        motion.go(velocity, around.ground, seconds)
        rate = phase_rate(motion.speed, np.full(spec.count, sheep.HIP), 1.0)
        motion.phase = np.remainder(motion.phase + rate * seconds, 2 * np.pi)

    def _calm(self, now_s: float) -> Array:
        """Return the velocities of undisturbed animals: their own mood, and the rules of boids."""
        self._change_moods(now_s)
        motion, speed = self._motion, self.spec.speed
        own = self._mood[:, 1:] * np.stack([np.cos(self._mood[:, 0]), np.sin(self._mood[:, 0])], 1)
        off, alike = _neighbours(motion)
        away = np.hypot(off[:, 0], off[:, 1])
        pull = np.clip(away / _FAR_APART - 1.0, 0.0, 2.0) / np.maximum(away, 1e-9)
        together = _COHESION * speed * off * pull[:, None]
        home = _HOMEWARD * speed * self._homeward()
        wanted: Array = own + together + _ALIGNMENT * self._mood[:, 1:] / speed * alike + home
        return wanted

    def _change_moods(self, now_s: float) -> None:
        """Let those whose time is over graze or walk, each a little alike its heading before."""
        for i in np.flatnonzero(now_s >= self._until_s).tolist():
            walks = self._mood[i, 1] == 0.0 and self._random.uniform() < 0.7
            mean = _WALKS_S if walks else _GRAZES_S
            self._until_s[i] = now_s + self._random.exponential(mean)
            turn = self._random.normal(0.0, 0.8)
            self._mood[i] = self._motion.yaw[i] + turn, self.spec.speed if walks else 0.0

    def _homeward(self) -> Array:
        """Return directions (n, 2) back into the area, zero inside."""
        area, place = self.spec.area, self._motion.place
        half = 0.5 * np.array(area.size)
        off = place - np.array(area.centre)
        outside = off - np.clip(off, -half, half)
        length = np.hypot(outside[:, 0], outside[:, 1])[:, None]
        back: Array = -outside / np.maximum(length, 1.0)
        return back

    def _flight(self, around: Surroundings) -> Array:
        """Return directions (n, 2) away from robots; their length is how scared each is."""
        robots = around.circles.kept(around.circles.owners == ROBOT)
        away = self._motion.place[:, None] - robots.centres
        distance = np.maximum(np.hypot(away[..., 0], away[..., 1]), 1e-6)
        gap = distance - robots.radii - RADIUS
        fear = np.clip(1.0 - gap / self.spec.flight_distance, 0.0, 1.0)
        total: Array = (away / distance[..., None] * fear[..., None]).sum(axis=1)
        length = np.hypot(total[:, 0], total[:, 1])[:, None]
        # most of the flight distance is enough to run at full speed
        direction: Array = total / np.maximum(length, 1e-9)
        return direction * np.minimum(1.0, 3.0 * length)

    def poses(self) -> tuple[Array, Array]:
        """Return the places of trunks and legs."""
        m = self._motion
        return sheep_poses(m.roots, m.yaw, m.speed, m.phase, self.figures[0].origins)


def _neighbours(motion: WalkerMotion) -> tuple[Array, Array]:
    """Return for each the way to the middle of those around it, and their mean velocity."""
    x, y = (place[:, None] - place for place in motion.place.T)  # a row for each neighbour
    near = (np.hypot(x, y) < _SEEN).astype(float)
    count = near.sum(axis=0)[:, None]
    middle: Array = np.stack([(x * near).sum(axis=0), (y * near).sum(axis=0)], 1) / count
    alike: Array = near @ motion.velocity / count  # who is near is so both ways
    return middle, alike
