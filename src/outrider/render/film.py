"""What a camera does to light behind the lens: exposure, colour, blur, grain, noise.

The order, which both renderers keep (``develop.py`` is the reference):

1. depth of field     blur by each pixel's circle of confusion             on linear light
2. chromatic          red is drawn larger, blue smaller, about the centre  on linear light
3. vignetting         1 - vignetting (r / r_corner)^2                      on linear light
4. exposure, balance  times exposure and the three gains                   on linear light
5. encoding           clipped to 0..1, sRGB
6. grain, noise       added to the encoded 0..1, clipped, rounded to 0..255
"""

from dataclasses import dataclass

from outrider.core.errors import RenderError


@dataclass(frozen=True, slots=True)
class Film:
    """Effects, all adjustable, all off but anti-aliasing."""

    exposure: float = 1.0  # 1: a white horizontal surface in the open just reaches white
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)  # gains: white balance, colour cast
    noise: float = 0.0  # Gaussian sigma per channel, of the encoded 0..1
    grain: float = 0.0  # the same for all channels, strongest in mid-tones
    grain_size: int = 1  # pixels
    chromatic: float = 0.0  # red is magnified by this fraction, blue reduced
    vignetting: float = 0.0  # fraction of light lost in the corners
    aperture_m: float = 0.0  # aperture diameter; 0: everything is in focus
    focus_m: float = 5.0  # focus distance
    samples: int = 4  # per pixel along edges; 1: no anti-aliasing
    seed: int = 0
    frame: int = 0  # noise differs from frame to frame

    def __post_init__(self) -> None:
        for name, low, high in _LIMITS:
            value = getattr(self, name)
            if not low <= value <= high:
                raise RenderError(f"{name} must be between {low:g} and {high:g}, got {value:g}")
        if min(self.balance) < 0 or max(self.balance) > 16:
            raise RenderError(f"balance: gains must be between 0 and 16, got {self.balance}")

    @property
    def lens_is_plain(self) -> bool:
        """Whether no pixel's light depends on its neighbours'."""
        return self.aperture_m == 0.0 and self.chromatic == 0.0


_LIMITS: tuple[tuple[str, float, float], ...] = (
    ("exposure", 0.0, 1e4),
    ("noise", 0.0, 1.0),
    ("grain", 0.0, 1.0),
    ("grain_size", 1, 64),
    ("chromatic", -0.1, 0.1),
    ("vignetting", 0.0, 1.0),
    ("aperture_m", 0.0, 1.0),
    ("focus_m", 1e-3, 1e6),
    ("samples", 1, 64),
)
PLAIN = Film()
