"""The points of a PointCloud2: of any layout as an array of records, and packed into one."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import BusError
from outrider.messages.types import Header, PointCloud2, PointField

_KINDS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 8: "f8"}  # by datatype


def cloud_records(message: PointCloud2) -> NDArray[np.void]:
    """Return the points, row after row, under the names of the message's own fields."""
    layout = _layout(message)
    size, used = layout.itemsize, layout.itemsize * message.width
    octets = np.ascontiguousarray(message.data).view(np.uint8)
    stride = message.row_step if message.height > 1 else used
    if stride < used or len(octets) < stride * message.height:
        raise BusError(
            f"a cloud of {message.height} x {message.width} points of {size} bytes"
            f" does not fit into {len(octets)} bytes with a row_step of {message.row_step}"
        )
    rows = octets[: stride * message.height].reshape(message.height, stride)[:, :used]
    return np.ascontiguousarray(rows).reshape(-1).view(layout)


def packed_cloud(
    stamp: Header,
    octets: NDArray[np.uint8],
    fields: list[PointField],
    point_step: int,
    *,
    height: int = 1,
    dense: bool = True,
) -> PointCloud2:
    """Return points that are bytes already, ``point_step`` each, row after row; not copied."""
    row_step = len(octets) // height
    return PointCloud2(
        header=stamp,
        height=height,
        width=row_step // point_step,
        fields=fields,
        is_bigendian=False,
        point_step=point_step,
        row_step=row_step,
        data=octets,
        is_dense=dense,
    )


def _layout(message: PointCloud2) -> np.dtype[np.void]:
    fields = {field.name: field for field in message.fields if field.datatype in _KINDS}
    if not fields:
        raise BusError("a cloud needs fields of known datatypes")
    order = ">" if message.is_bigendian else "<"
    try:
        return np.dtype(
            {
                "names": list(fields),
                "formats": [_format(field, order) for field in fields.values()],
                "offsets": [field.offset for field in fields.values()],
                "itemsize": message.point_step,
            }
        )
    except ValueError as error:
        raise BusError(f"a cloud's fields do not fit its point_step: {error}") from None


def _format(field: PointField, order: str) -> str:
    """Return the numpy format of a field; some drivers leave its count at 0 and mean 1."""
    single = order + _KINDS[field.datatype]
    return single if field.count <= 1 else f"({field.count},){single}"
