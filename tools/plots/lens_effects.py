"""Draw what lens effects do, before and after: ``python tools/plots/lens_effects.py``.

Names of pictures as arguments draw only those; ``--renderer embree`` (or gl) chooses who draws.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

import outrider as o
from outrider.render.film import Film

OUT = Path(__file__).resolve().parents[2] / "docs" / "images" / "lens"
PLAIN = Film(samples=8)
SIZE = (480, 320)
BARREL, PINCUSHION = (-0.35, 0.1, 0.0, 0.0, 0.0), (0.3, 0.05, 0.0, 0.0, 0.0)

# what a page shows before and after: the film and the lens's distortion, somewhat exaggerated
EFFECTS = {
    "noise": ({"noise": 0.06}, None),
    "grain": ({"grain": 0.05, "grain_size": 2}, None),
    "chromatic": ({"chromatic": 0.008}, None),
    "vignetting": ({"vignetting": 0.8}, None),
    "depth-of-field": ({"aperture_m": 0.05, "focus_m": 1.6}, None),
    "exposure": ({"exposure": 2.2}, None),
    "colour-cast": ({"balance": (1.25, 1.0, 0.7)}, None),
    "barrel": ({}, BARREL),
    "pincushion": ({}, PINCUSHION),
}


def main() -> None:
    """Draw what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--renderer", default="auto")
    asked = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    _effects(asked.names, asked.renderer)


def _effects(names: list[str], renderer: str) -> None:
    chosen = [name for name in EFFECTS if not names or name in names]
    if not chosen:
        return
    simulation = o.Simulation(
        o.load_world("playpen"), [o.robot("jackal", x=-3.0)], engine="kinematic"
    )

    def view(film: Film, distortion: tuple[float, ...] | None) -> np.ndarray:
        return o.snapshot(
            simulation,
            eye=(-4.6, 0.5, 0.75),
            at=(0.0, -0.5, 0.5),
            size=SIZE,
            film=film,
            distortion=distortion or (0.0,) * 5,
            renderer=renderer,
        ).colour

    before = view(PLAIN, None)
    for name in chosen:
        film, distortion = EFFECTS[name]
        after = view(replace(PLAIN, **film), distortion)
        gap = np.full((SIZE[1], 8, 3), 255, np.uint8)
        _save(name, np.concatenate([before, gap, after], axis=1))


def _save(name: str, pixels: np.ndarray) -> None:
    Image.fromarray(pixels).save(OUT / f"{name}.jpg", quality=85)
    print(f"docs/images/lens/{name}.jpg")


if __name__ == "__main__":
    main()
