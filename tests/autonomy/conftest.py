"""Tests of the autonomy stack need its extra."""

import pytest

for _library in ("cv2", "small_gicp", "gtsam"):
    pytest.importorskip(_library, reason="the extra 'autonomy' is not installed")
