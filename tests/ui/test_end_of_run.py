"""What a page shows when its run has ended, and how it fits a phone, in a real browser."""

from pathlib import Path
from typing import Any

import pytest
from editor_bench import Seat, running

pytestmark = [pytest.mark.peer, pytest.mark.timeout(600)]


def test_a_phone_has_a_scene_and_is_told_when_the_run_ends(browser: Any, folder: Path) -> None:
    with running("yard.yaml", cwd=folder) as editor:
        seat = Seat(browser, editor.address)
        seat.page.set_viewport_size({"width": 390, "height": 844})
        seat.page.reload()
        seat.ready()
        seat.poll(lambda: seat.page.locator("canvas").first.bounding_box()["width"] > 300)
        for width in (390, 375, 360, 320):  # buttons were cut off below 390
            seat.page.set_viewport_size({"width": width, "height": 640})
            header, buttons = (
                seat.page.locator(name).bounding_box() for name in (".or-header", ".or-transport")
            )
            assert buttons["y"] + buttons["height"] <= header["y"] + header["height"]
            assert buttons["x"] + buttons["width"] <= width
        editor.process.terminate()
        note = seat.page.get_by_text("The run has ended", exact=False)
        note.wait_for(state="visible")
        assert not seat.page.get_by_text("Connection lost, trying again").is_visible()
        assert not seat.page.locator("#popup").is_visible()
