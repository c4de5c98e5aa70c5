"""Parameters of SLAM."""

from dataclasses import dataclass

from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class SlamSpec:
    """When key frames are added, and which loops are accepted."""

    key_m: float = number(0.5, above=0.0)
    key_deg: float = number(20.0, above=0.0)
    loops: bool = True
    apart: int = number(12, least=2)  # keyframes between the two ends of a loop
    search_m: float = number(3.0, above=0.0)  # around the estimated position
    search_share: float = number(0.05, least=0.0)  # plus this fraction of the distance since then
    descriptor_distance: float = number(0.25, above=0.0)  # below, two places count as similar
    least_share: float = number(0.7, above=0.0, most=1.0)  # fraction of a scan that must match
    images: bool = True  # find loops by stereo images too
    least_corners: int = number(30, least=8)  # corners that must agree when a place is seen again
    most_off: float = number(3.0, above=0.0)  # m between the estimated and the found pose
    sure_m: float = number(0.15, above=0.0)  # larger corrections, or more than this fraction of the
    sure_share: float = number(0.003, least=0.0)  # distance since, must be found twice in a row
    odometry_m: float = number(0.003, above=0.0)  # standard deviations of a step between keyframes
    odometry_deg: float = number(0.05, above=0.0)
    loop_m: float = number(0.08, above=0.0)  # of a loop closure by scan shape
    loop_deg: float = number(0.5, above=0.0)
    seen_m: float = number(0.015, above=0.0)  # of a loop closure by images
    seen_deg: float = number(0.19, above=0.0)
