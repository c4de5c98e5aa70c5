"""Tests of the autonomy stack need its extra."""

import pytest

for _library in ("cv2", "small_gicp", "gtsam", "kiss_icp"):
    pytest.importorskip(_library, reason="the extra 'autonomy' is not installed")
