"""Cars: they follow their lane, by Treiber's intelligent driver model (Phys. Rev. E 62, 2000)."""

import numpy as np

from outrider.actors.figures import car
from outrider.actors.ground_height import followed
from outrider.actors.obstacle_ahead import first_met
from outrider.actors.spec import CarSpec
from outrider.actors.start_positions import StartPositions
from outrider.actors.stop_lines import StopLines
from outrider.actors.surroundings import Circles, Ground, Surroundings
from outrider.actors.traffic import Traffic
from outrider.core.frames import Array
from outrider.core.rotations import about, product, turned
from outrider.core.seeds import generator
from outrider.core.state import State

RADIUS = 0.95  # m of each of three circles
_CIRCLES = np.array([-0.05, 1.27, 2.6])  # m before the rear axle
_ACCELERATION, _BRAKING, _HARDEST = 1.5, 2.0, 7.0  # m/s^2
_STANDSTILL, _TIME_GAP = 2.0, 1.2  # m behind what stands, s behind what drives
_AT_LINE = 0.6  # m before a line
_SIGHT = 50.0  # m
_LOOK = np.arange(0.0, _SIGHT, 1.0)  # m, where one looks on the lane ahead
_BESIDE = 0.15  # m that must be free beside the car
_APART = 9.0  # m between cars that start on a lane with two ends
_ROOM = car.LENGTH + _STANDSTILL  # m of a closed lane for each
_CONTACTS = car.WHEELBASE * np.array([1, 1, 0, 0]), 0.5 * car.TRACK * np.array([1, -1, 1, -1])


class Cars:
    """All cars of one entry, on its lane: the ``number``-th of the traffic."""

    def __init__(
        self,
        spec: CarSpec,
        seed: int,
        first: int,
        site: StartPositions,
        traffic: Traffic,
        number: int,
    ) -> None:
        self.spec = spec
        self._owners = np.arange(first, first + spec.count)
        self._traffic, self._number = traffic, number
        self._lane = traffic.lanes[number]
        self._check_room(site)
        looks = generator(seed, "figures", spec.name)
        self.figures = [car.car(looks, spec.colour) for _ in range(spec.count)]
        self._stops = StopLines(spec.stops, self._lane, spec.count)
        order = np.arange(spec.count)
        if spec.loop:
            self._starts = order * self._lane.length / spec.count
        else:
            self._starts = np.minimum(_APART * order[::-1], self._lane.length)
        self._heights = np.array([site.stand(x, y) for x, y in self._contacts(self._starts)])
        self.restart()

    def _check_room(self, site: StartPositions) -> None:
        """Refuse more cars than can stand on the lane one behind the other."""
        length = self._lane.length
        room = int(length / _ROOM) if self.spec.loop else 1 + int(length / _APART)
        if self.spec.count > max(1, room):
            raise site.fail(
                self.spec.name,
                f"its lane of {length:.0f} m has room for {room} of {self.spec.count}",
            )

    def restart(self) -> None:
        """Return to the start."""
        count = self.spec.count
        self._along, self._speed = self._starts.copy(), np.zeros(count)
        self._spin = np.zeros(count)  # rad that wheels have turned
        self._under = self._heights.reshape(count, 4).copy()  # the ground's height at each wheel
        self._stops.stood_s[:] = 0.0

    def circles(self) -> Circles:
        """Return three circles for each, from bumper to bumper."""
        yaw = self._lane.headings(self._along)
        heading = np.stack([np.cos(yaw), np.sin(yaw)], axis=-1)
        centres = self._lane.places(self._along)[:, None] + _CIRCLES[:, None] * heading[:, None]
        return Circles.of(centres, self._speed[:, None] * heading, RADIUS, self._owners)

    def advance(self, around: Surroundings, seconds: float) -> None:
        """Drive on for some time."""
        before = self._speed
        faster = self._acceleration(around, seconds)
        if around.time_s < self.spec.start_s:
            faster = np.zeros_like(faster)
        self._speed = np.maximum(0.0, before + faster * seconds)
        way = 0.5 * (before + self._speed) * seconds
        self._along = self._lane.wrapped(self._along + way)
        self._spin = np.remainder(self._spin + way / car.WHEEL_RADIUS, 2 * np.pi)
        self._stand(around.ground, seconds)

    def _stand(self, ground: Ground, seconds: float) -> None:
        places, heights = self._contacts(self._along), self._under.ravel()
        self._under = followed(ground, places, heights, seconds).reshape(-1, 4)

    def _acceleration(self, around: Surroundings, seconds: float) -> Array:
        """Return what the lane, those ahead, stop lines and junctions ask for."""
        fronts, speed = self._along + car.FRONT, self._speed
        lines = self._stops.gaps(fronts, speed, around.time_s)
        self._stops.note(fronts, speed, seconds)
        self._traffic.note(self._number, fronts, car.LENGTH, speed, lines, around.time_s)
        lines = np.minimum(lines, self._traffic.gaps(self._number, fronts))
        if not self._lane.loop:
            lines = np.minimum(lines, np.maximum(0.0, self._lane.length - fronts))
        gap, leader = self._ahead(around)
        least = np.minimum(
            _following(speed, gap, leader, _STANDSTILL, _TIME_GAP),
            _following(speed, lines, np.zeros_like(lines), _AT_LINE, 0.5 * _TIME_GAP),
        )
        return np.clip(np.minimum(self._freely(), least), -_HARDEST, _ACCELERATION)

    def _freely(self) -> Array:
        """Return the acceleration of a car that has the lane to itself."""
        limit = self._lane.limits(self._along)
        faster = _ACCELERATION * (1.0 - (self._speed / limit) ** 4)
        slower = (limit - self._speed) / 0.4
        free: Array = np.where(self._speed <= limit, faster, slower)
        return free

    def _ahead(self, around: Surroundings) -> tuple[Array, Array]:
        """Return the gap to what is in the way on the lane, and how fast that goes along it."""
        polite = self.spec.robots == "avoid"
        others = around.circles if polite else around.circles.without_robots()
        marks = self._along[:, None] + car.FRONT + _LOOK
        places, yaw = self._lane.places(marks), self._lane.headings(marks)
        ends = np.full(len(marks), len(_LOOK))
        if not self._lane.loop:
            ends = np.count_nonzero(marks <= self._lane.length, axis=1)
        reaches = others.radii + 0.5 * car.WIDTH + _BESIDE
        step, other = first_met(places, ends, self._owners, others.centres, reaches, others.owners)
        heading = yaw[np.arange(len(marks)), step]
        velocity = others.velocities[other]
        along = velocity[:, 0] * np.cos(heading) + velocity[:, 1] * np.sin(heading)
        return np.where(step >= 0, _LOOK[step], np.inf), np.maximum(0.0, along)

    def _contacts(self, along: Array) -> Array:
        """Return where wheels touch the ground (4 n, 2)."""
        place, yaw = self._lane.places(along), self._lane.headings(along)
        c, s = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
        ahead, left = _CONTACTS
        x, y = place[:, :1] + c * ahead - s * left, place[:, 1:] + s * ahead + c * left
        return np.stack([x, y], axis=-1).reshape(-1, 2)

    def poses(self) -> tuple[Array, Array]:
        """Return the places of bodies and wheels: tilted as the ground is, steered by the lane."""
        under, count = self._under, len(self._along)
        front, rear = under[:, :2].mean(axis=1), under[:, 2:].mean(axis=1)
        left, right = under[:, ::2].mean(axis=1), under[:, 1::2].mean(axis=1)
        yaw = self._lane.headings(self._along)
        body = product(about(2, yaw), about(1, -np.arctan2(front - rear, car.WHEELBASE)))
        body = product(body, about(0, np.arctan2(left - right, car.TRACK)))
        rotations = np.repeat(body[:, None], 5, axis=1)
        steer = np.arctan(car.WHEELBASE * self._lane.bends(self._along))
        rotations[:, 1:3] = product(rotations[:, 1:3], about(2, steer)[:, None])
        rotations[:, 1:] = product(rotations[:, 1:], about(1, self._spin)[:, None])
        positions = np.empty((count, 5, 3))
        positions[:, 0] = np.column_stack([self._lane.places(self._along), rear])
        origins = self.figures[0].origins[1:]
        positions[:, 1:] = positions[:, :1] + turned(body[:, None], origins)
        return positions, rotations

    def get_state(self) -> State:
        """Return where they are on their lane."""
        return State(
            along=self._along,
            speed=self._speed,
            spin=self._spin,
            under=self._under,
            stood_s=self._stops.stood_s,
        )

    def set_state(self, state: State) -> None:
        """Go on from there."""
        self._along = state.array("along", self._along)
        self._speed = state.array("speed", self._speed)
        self._spin = state.array("spin", self._spin)
        self._under = state.array("under", self._under)
        self._stops.stood_s = state.array("stood_s", self._stops.stood_s)


def _following(
    speed: Array, gap: Array, leader: Array, standstill: float, time_gap: float
) -> Array:
    """Return the acceleration behind something that goes at a speed."""
    closing = speed * (speed - leader) / (2.0 * np.sqrt(_ACCELERATION * _BRAKING))
    wished = standstill + np.maximum(0.0, speed * time_gap + closing)
    share = wished / np.maximum(gap, 0.1)
    kept: Array = _ACCELERATION * (1.0 - share**2)
    return kept
