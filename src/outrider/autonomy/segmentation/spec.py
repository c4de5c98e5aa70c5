"""Parameters of the segmentation."""

from dataclasses import dataclass

from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class SegmentationSpec:
    """What counts as an obstacle."""

    max_slope_deg: float = number(45.0, above=0.0, most=89.0)
    min_cluster: int = number(20, least=1)
    cluster_radius: float = number(0.3, above=0.0)  # m between points of one cluster
    step: float = number(0.06, least=0.0)  # m of roughness that is not an obstacle
    bump: float = number(0.0, least=0.0)  # m above the ground around it; 0: not searched for
    bump_range: float = number(2.0, above=0.0, most=10.0)  # m to each side; needs dense clouds
    max_height: float = number(2.5, above=0.0)  # m above the robot; anything higher is ignored
    max_range: float = number(12.0, above=0.0)
    ground_z: float = -0.06  # of the ground below the robot, in its own frame
    sensor_z: float = 0.3  # height of the sensor in the robot's frame
    rows: int = number(16, least=2, most=512)
    columns: int = number(900, least=8, most=8192)
    low_deg: float = -16.0  # elevation range of the rows
    high_deg: float = 16.0
