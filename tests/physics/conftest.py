"""Every engine with forces, by turns."""

import pytest
from engine_truth import TOLERANCES

from outrider.physics.engine import ENGINES


@pytest.fixture(params=list(TOLERANCES))
def name(request):
    if request.param == "bullet":
        pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    return request.param


@pytest.fixture
def make(name):
    return ENGINES.load(name)


@pytest.fixture
def most(name):
    return TOLERANCES[name]
