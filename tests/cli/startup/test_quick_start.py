"""A start leaves the process as it found it; a run looks for garbage among new things only."""

import gc
import os
from contextlib import suppress

import pytest

from outrider.cli.startup.quick_start import starting
from outrider.core.process.garbage_collection import freeze_existing


@pytest.mark.parametrize("own", [None, "egl"])
def test_a_start_leaves_no_trace(own, monkeypatch):
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    if own:
        monkeypatch.setenv("MUJOCO_GL", own)
    with suppress(ValueError), starting():
        assert not gc.isenabled()
        assert os.environ["MUJOCO_GL"] == (own or "disable")
        raise ValueError("there is no such world")
    assert gc.isenabled()
    assert os.environ.get("MUJOCO_GL") == own


def test_a_run_spares_what_is_there_and_gives_it_back():
    gc.unfreeze()  # what tests before have spared
    with freeze_existing():
        assert gc.get_freeze_count() > 10_000
        assert gc.isenabled()
    assert gc.get_freeze_count() == 0
