"""CPU time of depth images, with and without colour: ``python -m tools.depth_cost [WORLD]``."""

import resource
import sys

import numpy as np

import outrider as o
from outrider.core.frames import Pose
from outrider.render.intrinsics import Intrinsics
from outrider.render.renderer import ORDER, RENDERERS
from outrider.render.shot import T_BODY_OPTICAL, Shot

_LENS = Intrinsics.from_fov(640, 480, 70.0)
_VIEWS = ((0.3, 0.0), (0.3, 0.3), (1.0, 0.5))  # m above the ground, rad down
_WARM, _TIMES, _EACH = 3, 8, 5


def main() -> None:
    """Print a row for each renderer, kind of image and view."""
    world = sys.argv[1] if len(sys.argv) > 1 else "hratc"
    sim = o.Simulation(o.load_world(world), robots=[])
    scene = sim.rig.scene
    x, y = scene.drawn_about
    ground = float(scene.ground_below(np.array([[x, y, 0.0]]))[0])
    for name in ORDER:
        renderer = RENDERERS.load(name)(scene)
        for wants in (frozenset(["depth"]), frozenset(["depth", "colour"])):
            for height, pitch in _VIEWS:
                pose = Pose.from_rpy([x, y, ground + height], [0, pitch, 0.0]) @ T_BODY_OPTICAL
                shot = Shot(pose, _LENS, wants=wants)
                cost = _least_ms(lambda s=shot, r=renderer: r.begin([s], sim.state.bodies))
                kinds = "+".join(sorted(wants))
                print(f"{name:8}{kinds:14}{height:4.1f} m {pitch:4.1f} rad {cost:7.1f} ms")
        renderer.close()


def _least_ms(begin) -> float:
    for _ in range(_WARM):
        begin().pictures()
    found = []
    for _ in range(_TIMES):
        before = _cpu_s()
        for _ in range(_EACH):
            begin().pictures()
        found.append((_cpu_s() - before) / _EACH)
    return 1e3 * min(found)


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
