import numpy as np
import pytest

from outrider.core.packed_arrays import PackedArrays, aligned, bundle_type

KIND = bundle_type("places", "count", "dt")


def test_a_field_without_a_value_is_refused() -> None:
    with pytest.raises(TypeError, match="dt"):
        PackedArrays(KIND, places=np.zeros(3), count=3)


def test_an_array_with_gaps_is_refused() -> None:
    with pytest.raises(TypeError, match="'places' does not lie in one piece"):
        PackedArrays(KIND, places=np.zeros(6)[::2], count=3, dt=0.1)


def test_aligned_arrays_begin_at_a_multiple_of_the_bytes_asked_for() -> None:
    made = [aligned((3, 5), np.float32, 64) for _ in range(20)]
    assert {array.ctypes.data % 64 for array in made} == {0}
    assert all(array.shape == (3, 5) and not array.any() for array in made)
