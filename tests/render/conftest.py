from collections.abc import Iterator

import pytest
from gl_scenes import Set, yard
from render_rig import EVERY, Studio

from outrider.render.gl.renderer import GlRenderer


@pytest.fixture(params=EVERY)
def studio(request):
    made = Studio(request.param)
    yield made
    made.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Set:
    """Return the yard."""
    return yard(tmp_path_factory.mktemp("yard"))


@pytest.fixture
def renderer(place: Set) -> Iterator[GlRenderer]:
    """Return a renderer in the yard."""
    made = GlRenderer(place.scene)
    yield made
    made.close()
