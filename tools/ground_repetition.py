"""How much distant places of the ground look alike.

    python -m tools.ground_repetition [WORLD...]

Pictures of the ground, each 3 x 3 m from straight above, are taken at random places of the world
that lie at least 15 m from each other. A pair counts as alike if the middle metre of one is found
in the other, by normalised cross-correlation or by ORB features with a common rotation and shift:
what place recognition would take for a loop. Prints the share of pairs, per renderer.
"""

import sys
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

import outrider as o
from outrider.core.frames import Pose
from outrider.render.intrinsics import Intrinsics
from outrider.render.renderer import make_renderer
from outrider.render.shot import Shot
from outrider.scene.scene import Scene
from outrider.sim.simulation import Simulation
from outrider.world.state import WorldState

SIDE_M, PIXELS, HEIGHT = 3.0, 384, 20.0
APART_M, PLACES, REACH_M = 15.0, 40, 55.0
OUT_OF_SIGHT = -1000.0  # m
CORNERS = SIDE_M * (np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)]) / 2)
LEAST_CORRELATION = 0.7
LEAST_FEATURES = 15
DOWN = Pose(rotation=np.array([1.0, 0.0, 0.0, 0.0]))  # the optical axis straight down
Grey = NDArray[np.uint8]


def places(scene: Scene, seed: int, count: int = PLACES) -> NDArray[np.float64]:
    """Return random places (n, 2) with ground all around that keep their distance."""
    random, found = np.random.default_rng(seed), list[NDArray[np.float64]]()
    for _ in range(100 * count):
        place = random.uniform(-REACH_M, REACH_M, 2)
        apart = all(np.linalg.norm(place - other) >= APART_M for other in found)
        if apart and np.isfinite(scene.ground_below(place + CORNERS)).all():
            found.append(place)
        if len(found) == count:
            break
    return np.array(found)


def pictures(scene: Scene, spots: NDArray[np.float64], renderer: str) -> list[Grey]:
    """Return the ground at places, from above, without light and shade larger than half a metre."""
    painter = make_renderer(scene, renderer)
    focal = PIXELS * HEIGHT / SIDE_M
    middle = (PIXELS - 1) / 2
    lens = Intrinsics(PIXELS, PIXELS, focal, focal, middle, middle)
    ground = scene.ground_below(spots)
    shots = [
        Shot(Pose(np.array([x, y, z + HEIGHT]), DOWN.rotation), lens)
        for (x, y), z in zip(spots, ground, strict=True)
    ]
    bodies = WorldState.zeros(len(scene.assembly.bodies), 0).bodies
    bodies["position"][:, 2] = OUT_OF_SIGHT  # what moves is no ground
    colours = [painter.begin([shot], bodies).pictures()[0].colour for shot in shots]
    painter.close()
    return [_even(cv2.cvtColor(colour, cv2.COLOR_RGB2GRAY)) for colour in colours]


def _even(grey: Grey) -> Grey:
    """Take out slow changes of light and colour, and use all of the grey scale."""
    fine = grey.astype(np.float32) - cv2.GaussianBlur(grey.astype(np.float32), (0, 0), PIXELS / 12)
    return np.clip(128 + 40 * fine / max(float(fine.std()), 1e-6), 0, 255).astype(np.uint8)


def alike(one: Grey, other: Grey) -> bool:
    """Tell whether the middle of one picture is found in another."""
    third = PIXELS // 3
    patch = one[third : 2 * third, third : 2 * third]
    found = cv2.matchTemplate(other, patch, cv2.TM_CCOEFF_NORMED)
    return bool(found.max() > LEAST_CORRELATION) or _features_agree(one, other)


def _features_agree(one: Grey, other: Grey) -> bool:
    orb = cv2.ORB_create(800)
    (points, words), (others, their) = (orb.detectAndCompute(grey, None) for grey in (one, other))
    if words is None or their is None:
        return False
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(words, their, k=2)
    good = [p[0] for p in pairs if len(p) == 2 and p[0].distance < 0.75 * p[1].distance]
    if len(good) < LEAST_FEATURES:
        return False
    here = np.array([points[match.queryIdx].pt for match in good])
    there = np.array([others[match.trainIdx].pt for match in good])
    _, inside = cv2.estimateAffinePartial2D(here, there, ransacReprojThreshold=3.0)
    return inside is not None and int(inside.sum()) >= LEAST_FEATURES


def share_alike(scene: Scene, renderer: str, seed: int = 1, count: int = PLACES) -> float:
    """Return the share of pairs of distant places that look alike."""
    shown = pictures(scene, places(scene, seed, count), renderer)
    pairs = list(combinations(shown, 2))
    return sum(alike(*pair) for pair in pairs) / len(pairs)


def main() -> None:
    """Print a line for each world and renderer."""
    for world in sys.argv[1:] or ["agriculture", "rural", "loam"]:
        scene = Simulation(o.load_world(world)).rig.scene
        for renderer in ("gl", "embree"):
            share = share_alike(scene, renderer)
            print(f"{world}, {renderer}: {100 * share:.1f} % of pairs of distant places look alike")


if __name__ == "__main__":
    main()
