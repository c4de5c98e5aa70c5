"""Cameras: colour, stereo pairs, depth with colour and points, segmentation.

An image is started when it is due and has a subscriber, and waited for when its message is due:
during the camera's latency the renderer works in parallel with the physics.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from outrider.core.clock import NS_PER_S
from outrider.core.errors import ConfigError, RenderError
from outrider.core.frames import AnyArray, Pose
from outrider.messages.types import Message
from outrider.render.intrinsics import Intrinsics
from outrider.render.picture import Picture
from outrider.render.renderer import Ticket, check_renderer
from outrider.render.shot import T_BODY_OPTICAL, Shot, Want
from outrider.render.weather_light import weather_light
from outrider.scene.sensor_rays import NO_MODEL
from outrider.sensors.camera.depth import measured_depth, millimetres
from outrider.sensors.camera.messages import (
    camera_info,
    colour_image,
    coloured_cloud,
    compressed_image,
    label_names,
    plain_image,
)
from outrider.sensors.camera.parameters import (
    EXACT,
    CameraParameters,
    DepthParameters,
    SegmentationParameters,
    StereoParameters,
)
from outrider.sensors.camera.renderer_pool import renderer_for
from outrider.sensors.sensor import FrameEntry, Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.work import Work

_IMAGE, _INFO = "sensor_msgs/msg/Image", "sensor_msgs/msg/CameraInfo"
_JPEG, _CLOUD = "sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/PointCloud2"
_USUAL_SAMPLES = 4  # of a pixel: they cost little more than one
_KNOTS = 9  # poses along a rolling shutter's read-out
_EYE = Pose()
_Views = dict[str, tuple[Pose, Intrinsics, frozenset[Want]]]  # name -> where, lens, what


class Exposure:
    """Images being rendered for one time; the first one that is needed waits for them."""

    def __init__(self, ticket: Ticket | None, names: list[str], stamp_ns: int, frame: int) -> None:
        self._ticket = ticket
        self._names = names
        self.stamp_ns = stamp_ns
        self.frame = frame

    def picture(self, name: str) -> Picture:
        """Wait for an image."""
        assert self._ticket is not None
        return self._ticket.pictures()[self._names.index(name)]


class Camera(Sensor):
    """A colour camera, and the base of the others."""

    exposes: ClassVar[bool] = True
    Parameters: ClassVar[type] = CameraParameters
    types: ClassVar[dict[str, str]] = {
        "image": _IMAGE,
        "image_compressed": _JPEG,
        "camera_info": _INFO,
    }
    state_fields = ("_frame", "_now_ns")

    @staticmethod
    def looks_back(parameters: CameraParameters, _rate_hz: float) -> float:
        """Return how long the read-out of a rolling shutter takes."""
        return parameters.height * parameters.line_time_us * 1e-6

    @staticmethod
    def work(parameters: CameraParameters, _rate_hz: float) -> Work:
        """Return how many pixels it draws; many rays in each count as more pixels."""
        pixels = sum(width * height for width, height in parameters.sizes)
        return Work(pixels=pixels * max(1, parameters.samples // _USUAL_SAMPLES))

    def __init__(self, parameters: CameraParameters, site: Site) -> None:
        self._p: Any = parameters
        self._site = site
        self._lens = parameters.intrinsics()
        self._lens.check_bent()  # complains now, not at the first picture
        parameters.film(0, 0)
        if parameters.near >= parameters.far:
            raise ConfigError(f"sensor '{site.name}': near must be below far")
        _check_renderer(parameters.renderer, site.name)
        if not parameters.outputs:
            raise ConfigError(f"sensor '{site.name}': outputs: expected at least one")
        for output in parameters.outputs:
            if output not in self.types:
                known = ", ".join(self.types)
                raise ConfigError(f"sensor '{site.name}' has no output '{output}'; it has {known}")
        named = site.frame_prefix + parameters.optical_frame
        self.frame_id = named if parameters.optical_frame else f"{site.frame_id}_optical"
        self.frames: list[FrameEntry] = [(site.frame_id, self.frame_id, T_BODY_OPTICAL)]
        self.colour_frame = self.frame_id  # some have another one for colour
        self._seed = int(site.random.integers(1 << 32))
        self._calibrated = self._published(self._lens)
        self._now_ns = 0
        self._frame = 0

    def _published(self, lens: Intrinsics) -> Intrinsics:
        """Return a lens as its calibration has it."""
        error = self._p.calibration_error
        return lens if error == EXACT else error.published(lens, self._seed)

    @property
    def lens(self) -> Intrinsics:
        """Its lens."""
        return self._lens

    @property
    def outputs(self) -> Mapping[str, Writer]:
        """Its outputs: each writer renders its own image; ``expose`` renders them together."""
        return {name: _alone(self, name) for name in self._p.outputs}

    def sample(self, now_ns: int) -> None:
        """Count the image; it is rendered only for subscribers."""
        self._now_ns = now_ns
        self._frame += 1

    def expose(self, wanted: frozenset[str]) -> Callable[[str], Message]:
        """Start the images that some outputs need; the result waits and writes the messages."""
        stamp_ns = self._now_ns - round(self.looks_back(self._p, 0.0) * NS_PER_S)
        views = self._views(wanted)
        seen = [name for name, (_, _, wants) in views.items() if wants]
        ticket = None
        if seen:
            shots = [self._shot(*views[name]) for name in seen]
            renderer = renderer_for(self._site.scene, self._p.renderer)
            ticket = renderer.begin(shots, self._bodies())
        exposure = Exposure(ticket, seen, stamp_ns, self._frame)
        return lambda output: self._write(output, exposure)

    def _views(self, wanted: frozenset[str]) -> _Views:
        """Return which pictures some outputs need."""
        seen: set[Want] = {"colour"} if wanted & {"image", "image_compressed"} else set()
        return {"": (_EYE, self._lens, frozenset(seen))}

    def _write(self, output: str, exposure: Exposure) -> Message:
        """Write one output down."""
        return self._colour(output, "", 0.0, self._calibrated, exposure)

    def _colour(
        self, output: str, view: str, tx: float, lens: Intrinsics, exposure: Exposure
    ) -> Message:
        p, stamp_ns = self._p, exposure.stamp_ns
        if output.endswith("camera_info"):
            return camera_info(lens, tx, stamp_ns, self.colour_frame)
        colour = exposure.picture(view).colour
        assert colour is not None
        if output.endswith("compressed"):
            grey = p.encoding == "mono8"
            return compressed_image(colour, grey, p.jpeg_quality, stamp_ns, self.colour_frame)
        return colour_image(colour, p.encoding, stamp_ns, self.colour_frame)

    def _shot(self, eye: Pose, lens: Intrinsics, wants: frozenset[Want]) -> Shot:
        """Return the shot of a lens offset from the camera's own (x forward, y left)."""
        p, site = self._p, self._site
        hidden = NO_MODEL if p.sees_own_robot else site.model
        T_site_optical = eye @ T_BODY_OPTICAL
        film = replace(
            p.film(self._seed, self._frame), seed=self._seed + round(eye.position[1] * 1e4)
        )
        rows = tuple(pose @ T_site_optical for pose in self._rolled())
        pose = rows[len(rows) // 2] if rows else site.pose @ T_site_optical
        return Shot(
            T_world_optical=pose,
            intrinsics=lens,
            near=p.near,
            far=p.far,
            film=film,
            wants=wants,
            hide_model=hidden,
            row_poses=rows,
            weather_light=weather_light(site.scene, site.weather, self._now_ns),
        )

    def _rolled(self) -> list[Pose]:
        """Return where a rolling shutter was from its first row to its last."""
        times = self._readout_ns()
        positions, rotations = self._site.poses(times)
        return [Pose(p, q) for p, q in zip(positions, rotations, strict=True)]

    def _bodies(self) -> AnyArray:
        """Return where all bodies are; behind a rolling shutter, a row for each of its poses."""
        times = self._readout_ns()
        site = self._site
        return site.history.bodies_at(times) if len(times) else site.state.bodies

    def _readout_ns(self) -> NDArray[np.int64]:
        """Return times from a rolling shutter's first row to its last."""
        readout_s = self.looks_back(self._p, 0.0)
        if readout_s == 0.0:
            return np.zeros(0, np.int64)
        last_ns = self._now_ns
        return np.linspace(last_ns - readout_s * NS_PER_S, last_ns, _KNOTS).astype(np.int64)


class StereoCamera(Camera):
    """A rectified pair; the right camera is ``baseline`` to the right."""

    Parameters: ClassVar[type] = StereoParameters
    types: ClassVar[dict[str, str]] = {
        f"{side}/{output}": kind
        for side in ("left", "right")
        for output, kind in Camera.types.items()
    }

    def _views(self, wanted: frozenset[str]) -> _Views:
        views: _Views = {}
        for side, shift in (("left", 0.0), ("right", -self._p.baseline)):
            shown = wanted & {f"{side}/image", f"{side}/image_compressed"}
            seen: frozenset[Want] = frozenset({"colour"}) if shown else frozenset()
            eye = Pose(np.array([0.0, shift, 0.0]))
            views[side] = (eye, self._lens, seen)
        return views

    def _shot(self, eye: Pose, lens: Intrinsics, wants: frozenset[Want]) -> Shot:
        return replace(super()._shot(eye, lens, wants), seat=int(eye.position[1] < 0))

    def _write(self, output: str, exposure: Exposure) -> Message:
        side = output.partition("/")[0]
        tx = -self._calibrated.fx * self._p.baseline if side == "right" else 0.0
        return self._colour(output, side, tx, self._calibrated, exposure)


class DepthCamera(Camera):
    """Depth, colour through the same or a separate lens, and coloured points."""

    Parameters: ClassVar[type] = DepthParameters
    types: ClassVar[dict[str, str]] = {
        **Camera.types,
        "depth": _IMAGE,
        "depth_info": _INFO,
        "points": _CLOUD,
    }

    def __init__(self, parameters: DepthParameters, site: Site) -> None:
        super().__init__(parameters, site)
        if parameters.depth_min >= parameters.depth_max:
            raise ConfigError(f"sensor '{site.name}': depth_min must be below depth_max")
        self._eye, self._colour_lens = _EYE, self._lens
        if parameters.colour_size is not None:
            width, height = parameters.colour_size
            self._colour_lens = Intrinsics.from_fov(width, height, parameters.colour_hfov_deg)
            self._eye = Pose(np.array([0.0, parameters.colour_y, 0.0]))
            self.colour_frame = f"{self.frame_id}_colour"
            self.frames.append((site.frame_id, self.colour_frame, self._eye @ T_BODY_OPTICAL))

    def _views(self, wanted: frozenset[str]) -> _Views:
        apart = self._p.colour_size is not None
        image = bool(wanted & {"image", "image_compressed"})
        seen: set[Want] = {"depth"} if wanted & {"depth", "points"} else set()
        if "points" in wanted or (image and not apart):
            seen.add("colour")
        views: _Views = {"depth": (_EYE, self._lens, frozenset(seen))}
        if apart and image:
            views["colour"] = (self._eye, self._colour_lens, frozenset({"colour"}))
        return views

    def _shot(self, eye: Pose, lens: Intrinsics, wants: frozenset[Want]) -> Shot:
        infrared = self._p.depth_light == "infrared"
        return replace(super()._shot(eye, lens, wants), infrared=infrared)

    def _write(self, output: str, exposure: Exposure) -> Message:
        p, stamp_ns = self._p, exposure.stamp_ns
        if output == "depth_info":
            return camera_info(self._calibrated, 0.0, stamp_ns, self.frame_id)
        if output not in ("depth", "points"):
            view = "colour" if p.colour_size is not None else "depth"
            return self._colour(output, view, 0.0, self._published(self._colour_lens), exposure)
        picture = exposure.picture("depth")
        depth = measured_depth(picture, p, self._lens.fx, self._seed, exposure.frame)
        if output == "points":
            return coloured_cloud(depth, picture.colour, self._calibrated, stamp_ns, self.frame_id)
        pixels: Any = millimetres(depth) if p.depth_encoding == "16UC1" else depth
        return plain_image(pixels, p.depth_encoding, stamp_ns, self.frame_id)


class SegmentationCamera(Camera):
    """The true object name for every pixel."""

    Parameters: ClassVar[type] = SegmentationParameters
    types: ClassVar[dict[str, str]] = {
        **Camera.types,
        "labels": _IMAGE,
        "names": "std_msgs/msg/String",
    }

    def _views(self, wanted: frozenset[str]) -> _Views:
        (eye, lens, seen) = super()._views(wanted)[""]
        known: frozenset[Want] = (
            frozenset({"labels"}) if wanted & {"labels", "names"} else frozenset()
        )
        return {"": (eye, lens, seen | known)}

    def _write(self, output: str, exposure: Exposure) -> Message:
        if output not in ("labels", "names"):
            return super()._write(output, exposure)
        picture = exposure.picture("")
        if output == "names":
            return label_names(picture.names)
        assert picture.labels is not None
        return plain_image(picture.labels, "32SC1", exposure.stamp_ns, self.frame_id)


def _check_renderer(wish: str, sensor: str) -> None:
    try:
        check_renderer(wish)
    except RenderError as error:
        raise RenderError(f"sensor '{sensor}': renderer: {error}") from None


def _alone(camera: Camera, output: str) -> Writer:
    def write(_now_ns: int) -> Message:
        return camera.expose(frozenset({output}))(output)

    return write
