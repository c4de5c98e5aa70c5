"""Images as messages."""

import io
import json
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage

from outrider.core.frames import AnyArray
from outrider.messages import types as ros
from outrider.messages.point_cloud import packed_cloud
from outrider.render.intrinsics import Intrinsics

Bytes = NDArray[np.uint8]
_GREY = np.array([0.299, 0.587, 0.114], np.float32)  # as OpenCV does
COLOURED_POINT = np.dtype(
    [("x", np.float32), ("y", np.float32), ("z", np.float32), ("rgb", np.uint32)]
)
_FLOAT32 = 7  # of sensor_msgs/PointField; so is rgb, though its bits are a colour's
_FIELDS = [
    ros.PointField(name, 4 * i, _FLOAT32, 1) for i, name in enumerate(("x", "y", "z", "rgb"))
]


def colour_image(colour: Bytes, encoding: str, stamp_ns: int, frame_id: str) -> ros.Image:
    """Return an image (h, w, 3), red first, in the requested encoding."""
    if encoding == "bgr8":
        colour = colour[:, :, ::-1]
    if encoding == "mono8":
        colour = np.rint(colour @ _GREY).astype(np.uint8)
    return plain_image(colour, encoding, stamp_ns, frame_id)


def plain_image(pixels: AnyArray, encoding: str, stamp_ns: int, frame_id: str) -> ros.Image:
    """Return pixels as a message, row after row."""
    pixels = np.ascontiguousarray(pixels)
    height, width = pixels.shape[:2]
    data = pixels.reshape(-1).view(np.uint8)
    return ros.Image(
        ros.header(stamp_ns, frame_id), height, width, encoding, 0, len(data) // height, data
    )


def compressed_image(
    colour: Bytes, grey: bool, quality: int, stamp_ns: int, frame_id: str
) -> ros.CompressedImage:
    """Return an image as JPEG."""
    image = PillowImage.fromarray(colour)
    out = io.BytesIO()
    (image.convert("L") if grey else image).save(out, "JPEG", quality=quality)
    data = np.frombuffer(out.getvalue(), np.uint8)
    return ros.CompressedImage(ros.header(stamp_ns, frame_id), "jpeg", data)


def camera_info(lens: Intrinsics, tx: float, stamp_ns: int, frame_id: str) -> ros.CameraInfo:
    """Return a lens as ROS describes it; ``tx`` is -fx * baseline for a right camera."""
    region = ros.message_class("sensor_msgs/msg/RegionOfInterest")(0, 0, 0, 0, False)
    k = lens.matrix
    p = np.column_stack([k, [tx, 0.0, 0.0]])
    return ros.CameraInfo(
        header=ros.header(stamp_ns, frame_id),
        height=lens.height,
        width=lens.width,
        distortion_model="plumb_bob",
        d=np.array(lens.distortion),
        k=k.reshape(-1),
        r=np.eye(3).reshape(-1),
        p=p.reshape(-1),
        binning_x=0,
        binning_y=0,
        roi=region,
    )


def coloured_cloud(
    depth: NDArray[np.float32],
    colour: Bytes | None,
    lens: Intrinsics,
    stamp_ns: int,
    frame_id: str,
) -> ros.PointCloud2:
    """Return depths as points in rows and columns as in the image; NaN where there is none."""
    known = np.where(np.isfinite(depth), depth, np.float32(np.nan))
    cloud = np.empty(depth.shape, COLOURED_POINT)
    cloud["x"], cloud["y"] = lens.plane[..., 0] * known, lens.plane[..., 1] * known
    cloud["z"] = known
    c = np.zeros((*depth.shape, 3), np.uint8) if colour is None else colour
    wide = c.astype(np.uint32)
    cloud["rgb"] = (wide[..., 0] << 16) | (wide[..., 1] << 8) | wide[..., 2]
    octets = cloud.reshape(-1).view(np.uint8)
    stamp, size = ros.header(stamp_ns, frame_id), COLOURED_POINT.itemsize
    return packed_cloud(stamp, octets, _FIELDS, size, height=len(depth), dense=False)


def label_names(names: Mapping[int, str]) -> ros.String:
    """Return what labels mean, as JSON."""
    return ros.String(json.dumps({str(number): name for number, name in names.items()}))
