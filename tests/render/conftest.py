import pytest
from render_rig import EVERY, Studio


@pytest.fixture(params=EVERY)
def studio(request):
    made = Studio(request.param)
    yield made
    made.close()
