"""Depth by near infrared light: what materials say about it, whatever their opacity."""

import numpy as np
import pytest
from render_rig import camera, floor, scene_of, static, wall

from outrider.render.intrinsics import Intrinsics
from outrider.render.shot import Shot
from outrider.world.shapes import Box

LENS = Intrinsics.from_fov(64, 48, 40.0)
PANE = Box((0.02, 2.0, 2.0))
MIDDLE = 24, 32


def depth(studio, models, infrared, pose=None, wants=("depth",)):
    pose = camera(z=1.0) if pose is None else pose
    shot = Shot(pose, LENS, wants=frozenset(wants), infrared=infrared)
    return studio.one(scene_of(*models), shot).depth


@pytest.mark.parametrize(
    ("opacity", "transmits", "visible", "infrared"),
    [
        (0.3, None, 5.0, 5.0),  # a clear pane
        (0.8, None, 1.99, 1.99),
        (1.0, None, 1.99, 1.99),
        (0.3, False, 5.0, 1.99),  # clear, but for infrared light: an athermic pane
        (0.0, False, 5.0, 1.99),
        (0.8, True, 1.99, 5.0),  # dark acrylic
        (1.0, True, 1.99, 5.0),
    ],
)
@pytest.mark.parametrize("wants", [("depth",), ("depth", "colour")])
def test_light_ends_on_a_pane_as_its_material_says(
    studio, opacity, transmits, visible, infrared, wants
):
    pane = static(
        "pane", PANE, x=2.0, z=1.0, colour=(0.5, 0.5, 0.5, opacity), transmits_infrared=transmits
    )
    models = [wall(5.0), pane]
    assert depth(studio, models, False, wants=wants)[MIDDLE] == pytest.approx(visible, abs=1e-4)
    assert depth(studio, models, True, wants=wants)[MIDDLE] == pytest.approx(infrared, abs=1e-4)


@pytest.mark.parametrize("opacity", [0.3, 0.75, 1.0])
def test_infrared_light_is_lost_in_water_but_not_before_it(studio, opacity):
    water = static(
        "pond",
        Box((4.0, 4.0, 0.01)),
        x=3.0,
        z=0.3,
        colour=(0.2, 0.3, 0.3, opacity),
        transmits_infrared=True,
        infrared_absorption=6.8,
    )
    buoy = static("buoy", Box((0.2, 0.2, 0.4)), x=3.0, z=0.5)
    models = [floor(), water, buoy]
    found = depth(studio, models, True, camera(z=1.3, pitch_deg=15.0))
    seen = depth(studio, [floor(), buoy], True, camera(z=1.3, pitch_deg=15.0))
    lost = np.isinf(found) & np.isfinite(seen)
    assert lost.mean() > 0.2
    known = np.isfinite(found)
    assert found[known] == pytest.approx(seen[known], abs=1e-4)
    assert known[22:24, 31:33].all()  # the buoy
    assert seen[23, 32] < 3.1


def test_colour_and_labels_are_those_of_visible_light(studio):
    pane = static("pane", PANE, x=2.0, z=1.0, transmits_infrared=True)
    scene = scene_of(wall(5.0), pane)
    wants = frozenset(["depth", "colour"])
    shots = [Shot(camera(z=1.0), LENS, wants=wants, infrared=on) for on in (False, True)]
    visible, infrared = (studio.one(scene, shot) for shot in shots)
    assert (visible.colour == infrared.colour).all()
    assert (visible.depth != infrared.depth).any()
