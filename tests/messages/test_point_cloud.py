"""Point clouds of any layout are read alike."""

import numpy as np
import pytest

from outrider.core.errors import BusError
from outrider.messages.point_cloud import cloud_records
from outrider.messages.types import PointCloud2, PointField, header


def cloud(layout, values, fields, *, height=1, big=False, pad=0):
    rows = np.zeros(len(values), np.dtype(layout).newbyteorder(">" if big else "<"))
    for k, value in enumerate(values):
        rows[k] = value
    width = len(values) // height
    lines = rows.view(np.uint8).reshape(height, -1)
    data = np.pad(lines, ((0, 0), (0, pad))).reshape(-1)
    return PointCloud2(
        header=header(0, "lidar"),
        height=height,
        width=width,
        fields=fields,
        is_bigendian=big,
        point_step=rows.dtype.itemsize,
        row_step=lines.shape[1] + pad,
        data=data,
        is_dense=True,
    )


SMALL = [("a", "i1"), ("b", "u1"), ("c", "i2"), ("d", "u2"), ("e", "i4"), ("f", "u4"), ("g", "f8")]
OFFSETS = (0, 1, 2, 4, 6, 10, 14)


@pytest.mark.parametrize("big", [False, True])
def test_every_datatype_is_read_as_itself(big):
    kinds = (1, 2, 3, 4, 5, 6, 8)
    fields = [PointField(n, o, k, 1) for (n, _), o, k in zip(SMALL, OFFSETS, kinds, strict=True)]
    point = (-3, 250, -30000, 60000, -2_000_000, 4_000_000_000, 1.5)
    (row,) = cloud_records(cloud(SMALL, [point], fields, big=big))
    assert tuple(row) == point


def test_padding_behind_rows_is_left_out():
    fields = [PointField("x", 0, 7, 1)]
    message = cloud([("x", "f4")], [(1.0,), (2.0,), (3.0,), (4.0,)], fields, height=2, pad=5)
    assert cloud_records(message)["x"].tolist() == [1.0, 2.0, 3.0, 4.0]


def test_a_field_of_several_numbers_is_an_array_and_a_count_of_zero_means_one():
    fields = [PointField("n", 0, 7, 3), PointField("x", 12, 7, 0)]
    message = cloud([("n", "f4", 3), ("x", "f4")], [((1.0, 2.0, 3.0), 4.0)], fields)
    (row,) = cloud_records(message)
    assert row["n"].tolist() == [1.0, 2.0, 3.0]
    assert row["x"] == 4.0


def test_what_does_not_fit_is_refused():
    message = cloud([("x", "f4")], [(1.0,), (2.0,)], [PointField("x", 0, 7, 1)])
    message.width = 3
    with pytest.raises(BusError, match=r"1 x 3 points of 4 bytes does not fit into 8 bytes"):
        cloud_records(message)
    message.fields = [PointField("x", 2, 7, 1)]
    with pytest.raises(BusError, match="do not fit its point_step"):
        cloud_records(message)
    message.fields = [PointField("x", 0, 99, 1)]
    with pytest.raises(BusError, match="fields of known datatypes"):
        cloud_records(message)
