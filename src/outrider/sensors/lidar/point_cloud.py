"""Points as the Velodyne drivers pack them: x y z intensity ring time, 22 bytes without gaps."""

import numpy as np

from outrider.core.frames import AnyArray
from outrider.messages.point_cloud import packed_cloud
from outrider.messages.types import PointCloud2, PointField, header

POINT = np.dtype(
    [
        ("x", np.float32),
        ("y", np.float32),
        ("z", np.float32),
        ("intensity", np.float32),
        ("ring", np.uint16),
        ("time", np.float32),  # s after the stamp
    ]
)
_FLOAT32, _UINT16 = 7, 4  # of sensor_msgs/PointField
FIELDS = [
    PointField("x", 0, _FLOAT32, 1),
    PointField("y", 4, _FLOAT32, 1),
    PointField("z", 8, _FLOAT32, 1),
    PointField("intensity", 12, _FLOAT32, 1),
    PointField("ring", 16, _UINT16, 1),
    PointField("time", 18, _FLOAT32, 1),
]


def cloud_message(
    points: AnyArray, height: int, dense: bool, stamp_ns: int, frame_id: str
) -> PointCloud2:
    """Return points (of POINT) as a message of ``height`` rows; they are not copied."""
    stamp, octets = header(stamp_ns, frame_id), points.view(np.uint8)
    return packed_cloud(stamp, octets, FIELDS, POINT.itemsize, height=height, dense=dense)
