"""Cameras: how fast the simulation runs while images are rendered, and whether both overlap."""

from collections.abc import Callable, Iterator

from outrider.bench.measurement import Measurement, median_time, middle
from outrider.bench.pictures.filming import FilmedDrive, empty_hills, meadow
from outrider.bench.pictures.texture_lookup import texture_lookup
from outrider.world.model import World

_MIDDLE, _LARGE = 407, 1171  # cells a side: 331,298 and 2,742,482 triangles
_REPEATS = 7
_SECONDS = 7  # of the drive


class Cameras:
    """Stereo pairs in three worlds, smooth edges, and the renderer without OpenGL."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other."""
        yield from self._stereo("HRATC meadow", meadow, 1.5)
        yield from self._stereo("330k triangles", lambda: empty_hills(_MIDDLE), 1.0)
        yield from self._stereo("2.7M triangles", lambda: empty_hills(_LARGE), 1.0)
        yield from self._smooth()
        yield from self._mono()
        yield texture_lookup()

    def _stereo(self, what: str, world: Callable[[], World], limit: float) -> Iterator[Measurement]:
        """Take pairs of 1024 x 768 at 20 Hz with shadows and noise, on a Jackal that drives."""
        film = FilmedDrive(world(), "bumblebee2", {})
        physics = sum(film.drive(_SECONDS))
        film.listen()
        film.drive(1)  # programs are compiled, maps are drawn
        orders = film.keep_orders()
        seconds = film.drive(_SECONDS)
        pictures = film.order_times(orders)
        whole, spread = middle(seconds)
        yield Measurement(
            f"real-time factor, stereo 1024x768 at 20 Hz, {what}",
            1 / whole,
            "x",
            "higher",
            spread / whole**2,
            limit=limit,
        )
        yield Measurement(
            f"real-time factor in the slowest of {_SECONDS} seconds, {what}",
            1 / max(seconds),
            "x",
            "higher",
        )
        pair, around = middle(pictures)
        yield Measurement(
            f"one pair 1024x768, {film.renderer}, {what}", pair * 1e3, "ms", "lower", around * 1e3
        )
        yield Measurement(
            f"wall time against physics and the same pictures one after the other, {what}",
            sum(seconds) / (physics + sum(pictures)),
            "x",
            "lower",
            limit=1.0,
        )
        film.close()

    def _smooth(self) -> Iterator[Measurement]:
        """Take the same pair with smooth edges."""
        film = FilmedDrive(meadow(), "bumblebee2", {"samples": 4})
        film.listen()
        film.run(0.2)
        pictures, around = film.picture_time(10)
        yield Measurement(
            "one pair 1024x768, smooth edges, HRATC meadow",
            pictures * 1e3,
            "ms",
            "lower",
            around * 1e3,
        )
        film.close()

    def _mono(self) -> Iterator[Measurement]:
        """Take what is left where there is no OpenGL."""
        film = FilmedDrive(
            meadow(), "camera", {"renderer": "embree", "encoding": "mono8", "samples": 1}
        )
        film.listen()
        film.run(0.2)
        whole, spread = median_time(lambda: film.run(1.0), _REPEATS)
        yield Measurement(
            "real-time factor, mono 640x480 at 15 Hz, Embree renderer, HRATC meadow",
            1 / whole,
            "x",
            "higher",
            spread / whole**2,
            limit=1.0,
        )
        film.close()
