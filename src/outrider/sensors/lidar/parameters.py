"""Parameters of a LiDAR."""

from dataclasses import dataclass
from typing import Literal

from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class LidarParameters:
    """Channels, field of view, timing, limits and errors of a LiDAR; see docs/sensors/lidar.md."""

    # where the beams point
    elevations_deg: tuple[float, ...] = (0.0,)  # one per channel, in the order they fire
    azimuth_offsets_deg: tuple[float, ...] = ()  # one per channel, or none: all in one column
    azimuth_from_deg: float = number(-180.0, least=-360.0, most=360.0)
    azimuth_to_deg: float = number(180.0, least=-360.0, most=360.0)
    direction: Literal["ccw", "cw"] = "ccw"  # seen from above
    samples: int = number(0, least=0, most=100_000)  # columns of a scan; 0: from the firing period
    # when they fire
    firing_period_us: float = number(0.0, least=0.0)  # column to column; 0: from the rotation rate
    channel_offsets_us: tuple[float, ...] = ()  # one per channel, or none: all at once
    rolling: bool = True  # false: a whole scan is taken at one instant
    stamp: Literal["start", "end"] = "start"
    # what they measure
    range_min: float = number(0.1, least=0.0)  # m; nearer: left out, -inf in a scan
    range_max: float = number(100.0, above=0.0, most=10_000.0)  # m
    noise: tuple[tuple[float, float], ...] = ()  # (range, standard deviation), linear in between
    bias_sigma: float = number(0.0, least=0.0, most=10.0)  # of each channel's fixed error
    angle_sigma_deg: float = number(0.0, least=0.0, most=5.0)  # of each channel's fixed error
    resolution: float = number(0.0, least=0.0, most=10.0)  # ranges are multiples of it
    # what comes back
    range_at_10_percent: float = number(0.0, least=0.0)  # 0: everything in range is detected
    sharpness: float = number(8.0, above=0.0, most=100.0)  # of the transition at that range
    dropout: float = number(0.0, least=0.0, most=1.0)  # fraction of returns lost at any range
    wavelength_nm: float = number(905.0, least=300.0, most=2500.0)  # for extinction in fog
    intensity_of_white: float = number(100.0, least=0.0, most=255.0)  # units of the message
    # the width of a beam
    divergence_mrad: float = number(0.0, least=0.0, most=100.0)  # full angle
    sub_rays: int = number(0, least=0, most=32)  # on the edge of the beam, besides its centre
    pulse_m: float = number(0.6, above=0.0, most=10.0)  # closer echoes merge
    echo: Literal["strongest", "first", "last"] = "strongest"
    # what it says
    outputs: tuple[Literal["points", "scan"], ...] = ("points",)  # the messages it publishes
    organised: bool = False  # one row per ring, with NaN for missing returns
    rings: Literal["from_below", "from_above"] = "from_below"
    scan_ring: int = number(-1, least=-1)  # -1: the ring nearest to the horizon
    sees_own_robot: bool = False
    housing_m: float = number(0.0, least=0.0, most=1.0)  # rays start this far from the centre

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise ValueError(problem)

    @property
    def channels(self) -> int:
        """How many beams there are in a column."""
        return len(self.elevations_deg)

    @property
    def field_of_view_deg(self) -> float:
        """The horizontal angle from end to end."""
        return self.azimuth_to_deg - self.azimuth_from_deg

    def _problems(self) -> list[str]:
        return [*self._bad_view(), *self._bad_lists(), *self._bad_limits()]

    def _bad_view(self) -> list[str]:
        found = []
        if not 1 <= self.channels <= 1024:
            found.append(f"elevations_deg needs 1 to 1024 channels, got {self.channels}")
        if any(not -90 <= e <= 90 for e in self.elevations_deg):
            found.append("elevations_deg must lie between -90 and 90")
        if not 0 < self.field_of_view_deg <= 360:
            found.append(
                "the field of view must be above 0 and at most 360 degrees, but azimuth_from_deg"
                f" {self.azimuth_from_deg} to azimuth_to_deg {self.azimuth_to_deg} makes"
                f" {self.field_of_view_deg}"
            )
        if not self.samples and not self.firing_period_us:
            found.append("give samples (columns of a scan) or firing_period_us")
        return found

    def _bad_lists(self) -> list[str]:
        found = []
        for name in ("azimuth_offsets_deg", "channel_offsets_us"):
            values = getattr(self, name)
            if values and len(values) != self.channels:
                found.append(
                    f"{name} needs one value for each of the {self.channels} channels,"
                    f" got {len(values)}"
                )
        if any(offset < 0 for offset in self.channel_offsets_us):
            found.append("channel_offsets_us must not be negative")
        ranges = [point[0] for point in self.noise]
        if ranges != sorted(set(ranges)) or any(sigma < 0 for _, sigma in self.noise):
            found.append("noise needs rising ranges, each with a deviation of 0 or more")
        return found

    def _bad_limits(self) -> list[str]:
        found = []
        if self.range_min >= self.range_max:
            found.append(f"range_min {self.range_min} must be below range_max {self.range_max}")
        if self.scan_ring >= self.channels:
            found.append(f"scan_ring {self.scan_ring} is not one of {self.channels} rings")
        if not self.outputs:
            found.append("outputs must name points, scan or both")
        if self.sub_rays and not self.divergence_mrad:
            found.append("sub_rays need a divergence_mrad above 0")
        return found
