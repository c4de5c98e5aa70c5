"""The ground's relief below its mesh, which tyres and beams find, in the light of pictures."""

import numpy as np
from render_rig import Studio, camera, floor, scene_of

from outrider.render.intrinsics import Intrinsics
from outrider.render.shot import Shot
from outrider.scene.roughness import amplitude, relief_height, tile
from outrider.world.materials import Roughness
from outrider.world.model import Light

ROUGH = Roughness(4e-3)
SEED = 7
LOW_SUN = (Light("sun", direction=(1.0, 0.0, -0.5)),)  # shines towards x
LENS = Intrinsics.from_fov(160, 120, 40.0)
ABOVE = camera(x=3.3, y=-1.7, z=1.2, pitch_deg=90.0)


def ground(seed=SEED, **material):
    scene = scene_of(floor(**({"roughness": ROUGH} | material)), lights=LOW_SUN)
    scene.relief_seed = seed
    return scene


def slopes_along_x(lens, pose, reach_m=0.01):
    """Return the true slope of the relief under every pixel of a level ground."""
    rays = lens.rays().reshape(-1, 3) @ pose.matrix[:3, :3].T
    places = pose.position + rays * (-pose.position[2] / rays[:, 2])[:, None]
    tiles = tile(ROUGH.slope, SEED)[None]
    ahead, behind = (
        np.array([relief_height(tiles, 0, x + step, y) for x, y, _ in places])
        for step in (reach_m, -reach_m)
    )
    return amplitude(ROUGH) * (ahead - behind) / (2 * reach_m)


def grey(picture):
    return picture.colour[..., 0].astype(np.float64)


def test_ground_that_rises_against_the_light_is_brighter(studio):
    shown = grey(studio.one(ground(), Shot(ABOVE, LENS))).ravel()
    slopes = slopes_along_x(LENS, ABOVE)
    assert np.corrcoef(shown, slopes)[0, 1] > 0.95
    away = slopes < np.quantile(slopes, 0.1)
    assert shown[away].mean() < shown.mean() - 3


def test_without_relief_the_ground_is_even(studio):
    for scene in (ground(seed=None), ground(roughness=Roughness())):
        assert np.ptp(grey(studio.one(scene, Shot(ABOVE, LENS)))) == 0


def test_bumps_smaller_than_a_pixel_do_not_flicker(studio):
    far = camera(x=3.3, y=-1.7, z=80.0, pitch_deg=90.0)
    assert np.ptp(grey(studio.one(ground(), Shot(far, LENS)))) == 0


def test_the_same_seed_gives_the_same_relief_and_another_seed_another(studio):
    seeds = (SEED, SEED, SEED + 1)
    first, again, other = (studio.one(ground(s), Shot(ABOVE, LENS)).colour for s in seeds)
    assert (first == again).all()
    assert (first != other).any()


def test_both_renderers_show_the_same_relief():
    shots = [Shot(ABOVE, LENS), Shot(camera(z=0.5, pitch_deg=12.0), LENS)]
    taken = []
    for name in ("gl", "embree"):
        own = Studio(name)
        taken.append([grey(picture) for picture in own.take(ground(), *shots)])
        own.close()
    for one, other in zip(*taken, strict=True):
        assert np.abs(one - other).mean() < 1.0
        assert np.corrcoef(one.ravel(), other.ravel())[0, 1] > 0.98
