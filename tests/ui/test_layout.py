"""Panels in a small window."""

import pytest

from outrider.ui.layout import PANELS, fitted

ALL, NONE = {"tree", "console", "inspector"}, set()


def seen(panels: dict[str, float]) -> set[str]:
    return {name for name, size in panels.items() if size}


@pytest.mark.parametrize(
    ("window", "asked", "expected"),
    [
        ((1280, 800), "", ALL),
        ((1024, 700), "", ALL),
        ((844, 390), "", {"tree"}),  # a phone on its side
        ((844, 390), "console", {"tree", "console"}),
        ((390, 844), "", {"console"}),  # and upright
        ((390, 844), "inspector", {"console", "inspector"}),
        ((390, 844), "tree", {"console", "tree"}),
    ],
)
def test_panels_leave_the_scene_room_and_the_one_that_is_opened_stays(window, asked, expected):
    assert seen(fitted(PANELS, window, asked)) == expected


def test_panels_that_are_hidden_stay_hidden():
    hidden = {**PANELS, "tree": 0.0}
    assert seen(fitted(hidden, (800, 800))) == {"console", "inspector"}
