"""Sensors: the cost of a scan next to bare rays and other engines, and of whole robots."""

from collections.abc import Callable, Iterator

import numpy as np

from outrider.bench import ray_peers
from outrider.bench.measurement import Measurement, median_time, middle
from outrider.bench.scanning import Scanner, crowd, driving, entry
from outrider.scene.tracer import has_embree

_REPEATS = 25
_CELLS = 256  # a side of the ground: 131,072 triangles
_CURVE = {"10k": 71, "100k": 224, "1M": 708, "3M": 1225}  # triangles: cells a side
_SAMPLES = (225, 900, 3600, 14400)


class SensorBench:
    """Scans of LiDARs beside other ray casters, and what the other sensors cost."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other."""
        yield from self._scan()
        yield from self._rays()
        yield from self._robots()
        yield from self._triangles()

    def _scan(self) -> Iterator[Measurement]:
        """One scan with everything, beside the bare cast and other engines, in the same run."""
        scanner = Scanner(_CELLS, "platt-vlp16")
        ours, spread = median_time(scanner.scan, _REPEATS)
        if has_embree():
            yield from self._against_embree(scanner)
        peers = self._peers(scanner)
        yield Measurement(
            "VLP-16 16x900 scan",
            ours * 1e3,
            "ms",
            "lower",
            spread * 1e3,
            {name: seconds * 1e3 for name, seconds in peers.items()},
        )
        for name, limit in (("PyBullet, height field", 40.0), ("MuJoCo, height field", 100.0)):
            if name in peers:
                yield Measurement(
                    f"VLP-16 16x900 scan against the rays of {name}",
                    peers[name] / ours,
                    "x",
                    "higher",
                    spread * peers[name] / ours**2,
                    limit=limit,
                )

    def _against_embree(self, scanner: Scanner) -> Iterator[Measurement]:
        """Compare the scan, and the rays of machines without Embree, with Embree's own."""
        (ours, spread), (bare, _) = by_turns(scanner.scan, scanner.bare)
        what = "VLP-16 16x900 scan against its bare Embree call"
        yield Measurement(what, ours / bare, "x", "lower", spread / bare, limit=1.5)
        (tree, spread), (embree, _) = by_turns(scanner.rays_without_embree, scanner.rays)
        what = "VLP-16 16x900 rays without Embree against those with it"
        yield Measurement(what, tree / embree, "x", "lower", spread / embree)

    def _peers(self, scanner: Scanner) -> dict[str, float]:
        (origins, directions), reach = scanner.lidar.rays, scanner.reach
        place = origins.mean(axis=0).astype(np.float64)  # MuJoCo casts from one point only
        casts = {
            "PyBullet, height field": ray_peers.bullet_field(_CELLS, origins, directions, reach),
            "PyBullet, triangle mesh": ray_peers.bullet_mesh(_CELLS, origins, directions, reach),
            "MuJoCo, height field": ray_peers.mujoco_field(_CELLS, place, directions, reach),
        }
        return {name: median_time(cast, 5)[0] for name, cast in casts.items() if cast}

    def _rays(self) -> Iterator[Measurement]:
        """Cost must be linear in rays."""
        for samples in _SAMPLES:
            scanner = Scanner(_CELLS, "platt-vlp16", samples=samples)
            seconds, spread = median_time(scanner.scan, _REPEATS)
            rays = 16 * samples
            yield Measurement(
                f"one ray of a scan of {rays}",
                seconds / rays * 1e9,
                "ns",
                "lower",
                spread / rays * 1e9,
            )

    def _triangles(self) -> Iterator[Measurement]:
        """Cost must hardly grow with triangles."""
        found = []
        for name, cells in _CURVE.items():
            seconds, spread = median_time(Scanner(cells, "platt-vlp16").scan, _REPEATS)
            found.append(seconds)
            yield Measurement(
                f"VLP-16 16x900 scan, {name} triangles", seconds * 1e3, "ms", "lower", spread * 1e3
            )
        yield Measurement(
            "VLP-16 16x900 scan, 3M triangles against 10k", found[-1] / found[0], "x", "lower"
        )

    def _robots(self) -> Iterator[Measurement]:
        simulation = driving(
            _CELLS,
            (
                entry("velodyne", "platt-vlp16"),
                entry("imu", "imu-platt", "imu_link"),
                entry("encoders", "jackal-encoders", ""),
            ),
        )
        yield _factor("Jackal, VLP-16 16x900, IMU, encoders", lambda: simulation.run(1.0), 20.0)
        points = {"front": "front/points", "rear": "rear/points"}
        two = driving(
            _CELLS,
            tuple(
                entry(name, "velodyne-vlp16", rate_hz=20.0, topics={"points": topic})
                for name, topic in points.items()
            ),
        )
        yield _factor("Jackal, two full VLP-16 at 20 Hz", lambda: two.run(1.0), 1.0)
        for model, link in (("create", "base_link"), ("autominy", "laser")):
            yield self._crowd(model, link)

    def _crowd(self, model: str, link: str) -> Measurement:
        many = crowd(50, model, "autominy-rplidar", link)
        what = f"50 of {model} with 360-ray scanners at 10 Hz"
        return _factor(what, lambda: many.run(0.5), 1.0, 0.5, 7)


def by_turns(
    first: Callable[[], object], second: Callable[[], object]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return medians and spreads of two works timed by turns: what else runs hits both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(2 * _REPEATS):
        for work, found in zip((first, second), times, strict=True):
            found.append(median_time(work, 1)[0])
    return middle(times[0]), middle(times[1])


def _factor(
    what: str,
    work: Callable[[], object],
    limit: float,
    simulated_s: float = 1.0,
    repeats: int = 15,
) -> Measurement:
    seconds, spread = median_time(work, repeats)
    return Measurement(
        f"real-time factor, {what}",
        simulated_s / seconds,
        "x",
        "higher",
        simulated_s * spread / seconds**2,
        limit=limit,
    )
