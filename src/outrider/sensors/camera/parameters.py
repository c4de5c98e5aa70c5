"""Parameters of a camera: lens, film, outputs."""

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from outrider.core.seeds import generator
from outrider.core.structure import number
from outrider.render.film import Film
from outrider.render.intrinsics import MOST_PIXELS, Intrinsics

Distortion: TypeAlias = tuple[float, float, float, float, float]
Sizes: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """Deviation of the published calibration from the true lens.

    The first three are fixed; random errors with the given standard deviations are added to them.
    """

    focal: float = number(0.0, least=-0.5, most=0.5)  # fraction of the focal length
    centre_px: tuple[float, float] = (0.0, 0.0)
    distortion: Distortion = (0.0, 0.0, 0.0, 0.0, 0.0)  # k1 k2 p1 p2 k3
    focal_sigma: float = number(0.0, least=0.0, most=0.1)  # fraction of the focal length
    centre_sigma_px: float = number(0.0, least=0.0, most=100.0)
    distortion_sigma: float = number(0.0, least=0.0, most=0.1)  # of k1

    def published(self, lens: Intrinsics, seed: int) -> Intrinsics:
        """Return the lens as its calibration says it is."""
        random = generator(seed, "calibration")
        focal, x, y, k1 = random.standard_normal(4)
        scale = 1.0 + self.focal + self.focal_sigma * focal
        bent = [known + off for known, off in zip(lens.distortion, self.distortion, strict=True)]
        bent[0] += self.distortion_sigma * k1
        return replace(
            lens,
            fx=lens.fx * scale,
            fy=lens.fy * scale,
            cx=lens.cx + self.centre_px[0] + self.centre_sigma_px * x,
            cy=lens.cy + self.centre_px[1] + self.centre_sigma_px * y,
            distortion=(bent[0], bent[1], bent[2], bent[3], bent[4]),
        )


EXACT = CalibrationError()


@dataclass(frozen=True, slots=True)
class CameraParameters:
    """A colour camera."""

    width: int = number(640, least=1, most=MOST_PIXELS)
    height: int = number(480, least=1, most=MOST_PIXELS)
    hfov_deg: float = 70.0
    vfov_deg: float | None = None  # None: pixels are square
    distortion: Distortion = (0.0, 0.0, 0.0, 0.0, 0.0)  # k1 k2 p1 p2 k3
    calibration_error: CalibrationError = EXACT
    near: float = number(0.05, above=0.0)  # m
    far: float = number(2000.0, above=0.0)  # m
    encoding: Literal["rgb8", "bgr8", "mono8"] = "rgb8"
    jpeg_quality: int = number(90, least=1, most=100)
    exposure: float = number(1.0, least=0.0, most=1e4)  # 1: white ground in the open is white
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)  # gains of red, green, blue
    noise: float = number(0.0, least=0.0, most=1.0)  # sigma, of 0..1
    grain: float = number(0.0, least=0.0, most=1.0)  # sigma, of 0..1
    grain_size: int = number(1, least=1, most=64)
    chromatic: float = number(0.0, least=-0.1, most=0.1)  # fraction by which red is larger
    vignetting: float = number(0.0, least=0.0, most=1.0)  # fraction lost in the corners
    aperture_m: float = number(0.0, least=0.0, most=1.0)
    focus_m: float = number(5.0, above=0.0)
    samples: int = number(4, least=1, most=64)  # rays per pixel along edges
    line_time_us: float = number(0.0, least=0.0, most=1000.0)  # above 0: a rolling shutter
    sees_own_robot: bool = True
    renderer: str = "auto"
    optical_frame: str = ""  # empty: the sensor's frame and "_optical"
    outputs: tuple[str, ...] = ("image", "image_compressed", "camera_info")

    @property
    def sizes(self) -> Sizes:
        """Width and height of every image that it draws."""
        return ((self.width, self.height),)

    def intrinsics(self) -> Intrinsics:
        """Return the lens."""
        return Intrinsics.from_fov(
            self.width, self.height, self.hfov_deg, self.distortion, self.vfov_deg
        )

    def film(self, seed: int, frame: int) -> Film:
        """Return the film of one image."""
        return Film(
            exposure=self.exposure,
            balance=self.balance,
            noise=self.noise,
            grain=self.grain,
            grain_size=self.grain_size,
            chromatic=self.chromatic,
            vignetting=self.vignetting,
            aperture_m=self.aperture_m,
            focus_m=self.focus_m,
            samples=self.samples,
            seed=seed,
            frame=frame,
        )


@dataclass(frozen=True, slots=True)
class StereoParameters(CameraParameters):
    """Two cameras side by side; the sensor's pose is that of the left one."""

    baseline: float = number(0.12, above=0.0, most=100.0)  # m
    outputs: tuple[str, ...] = field(
        default=(
            "left/image",
            "left/image_compressed",
            "left/camera_info",
            "right/image",
            "right/image_compressed",
            "right/camera_info",
        )
    )

    @property
    def sizes(self) -> Sizes:
        """Width and height of both images."""
        return ((self.width, self.height),) * 2


@dataclass(frozen=True, slots=True)
class DepthParameters(CameraParameters):
    """A depth camera; its noise grows like that of a stereo camera.

    Its sigma at a depth z is ``z^2 * subpixel / (f * baseline)``.
    """

    # infrared: passes what transmits it, and is lost in what absorbs it; visible: by the opacity
    depth_light: Literal["infrared", "visible"] = "infrared"
    depth_min: float = number(0.1, least=0.0)  # m
    depth_max: float = number(10.0, above=0.0)
    depth_encoding: Literal["32FC1", "16UC1"] = "32FC1"
    subpixel: float = number(0.0, least=0.0, most=10.0)  # px
    baseline: float = number(0.05, above=0.0)  # m
    colour_size: tuple[int, int] | None = None  # None: colour through the same lens as depth
    colour_hfov_deg: float = 70.0
    colour_y: float = 0.0  # m to the left of the depth camera
    outputs: tuple[str, ...] = field(
        default=(
            "depth",
            "depth_info",
            "image",
            "image_compressed",
            "camera_info",
            "points",
        )
    )

    @property
    def sizes(self) -> Sizes:
        """Width and height of the depth image, and of one with a lens of its own."""
        depth = (self.width, self.height)
        return (depth,) if self.colour_size is None else (depth, self.colour_size)


@dataclass(frozen=True, slots=True)
class SegmentationParameters(CameraParameters):
    """A segmentation camera."""

    outputs: tuple[str, ...] = ("labels", "names", "image", "camera_info")
