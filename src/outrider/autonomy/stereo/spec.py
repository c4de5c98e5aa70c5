"""Parameters of depth from two cameras."""

from dataclasses import dataclass

from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class DepthSpec:
    """Parameters of the matching; images are downscaled first."""

    shrink: int = number(2, least=1, most=8)  # factor by which images are downscaled
    disparities: int = number(64, least=16, most=256)  # in the downscaled images, multiples of 16
    block: int = number(5, least=1, most=21)
    contrast: float = number(4.0, least=0.0)  # grey values between neighbours: plain sky has less
    every: int = number(3, least=1, most=32)  # pixels of the downscaled image per point
    max_depth: float = number(12.0, above=0.0)
    period_s: float = number(0.2, above=0.0)  # between two clouds
