"""How a Husky on sandy loam shakes, beside the real one: python tools/calibrate_loam.py --help.

Prints the ratios of simulated to real standard deviations at four speeds, over seeds 1 to n. Other
figures are tried with --try, fitted with --fit (least squares over the twelve ratios that count).
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "physics"))
from loam_runs import REAL, Ratios, read_recording, shaking

from outrider.loader.materials import library_materials
from outrider.vehicles.robot import Robot, load_robot
from outrider.world.materials import Material

Floats = NDArray[np.float64]
Figures = dict[str, float]
AXES = ("wx", "wy", "wz", "az")
FITTED = [0, 1, 3]  # yaw is left out: on a real straight someone steers
STEPS = {"density": 0.15, "slope": 0.05, "stiffness": 0.2, "damping": 0.3}  # of logarithms


def library_figures() -> Figures:
    """Return what the library says now; the tyre's are the Husky's."""
    loam, tyre = library_materials()["sandy-loam"], load_robot("husky").spec.tyre
    return {
        "density": loam.roughness.density,
        "slope": loam.roughness.slope,
        "stiffness": loam.stiffness,
        "damping": loam.damping,
        "tyre_stiffness": tyre.stiffness,
        "tyre_damping": tyre.damping,
    }


def loam_of(figures: Figures) -> Material:
    """Return the loam with other figures."""
    loam = library_materials()["sandy-loam"]
    rough = replace(loam.roughness, density=figures["density"], slope=figures["slope"])
    stiffness, damping = figures["stiffness"], figures["damping"]
    return replace(loam, roughness=rough, stiffness=stiffness, damping=damping)


def husky_of(figures: Figures) -> Robot:
    """Return a Husky on other tyres."""
    husky = load_robot("husky")
    stiffness, damping = figures["tyre_stiffness"], figures["tyre_damping"]
    tyre = replace(husky.spec.tyre, stiffness=stiffness, damping=damping)
    return replace(husky, spec=replace(husky.spec, tyre=tyre))


def one_straight(job: tuple[str, int, float, Figures]) -> Floats:
    """Return simulated over real deviations of one recording and seed."""
    run, seed, dt, figures = job
    real, loam, husky = REAL[run], loam_of(figures), husky_of(figures)
    return shaking(loam, real.speed, real.seconds, seed, dt, husky) / np.array(real.deviations)


def all_straights(
    pool: ProcessPoolExecutor, figures: Figures, seeds: int, dt: float
) -> dict[str, Ratios]:
    """Return the ratios of every recording over seeds 1 to n."""
    jobs = [(run, seed, dt, figures) for run in REAL for seed in range(1, seeds + 1)]
    each = np.array(list(pool.map(one_straight, jobs))).reshape(len(REAL), seeds, len(AXES))
    return {run: Ratios(rows) for run, rows in zip(REAL, each, strict=True)}


def print_table(found: dict[str, Ratios]) -> None:
    """Print mean, its standard error, and the scatter between single seeds."""
    print("Simulated over real, mean ± standard error (scatter of one seed):")
    print("| speed m/s | wx | wy | wz | az |\n|---|---|---|---|---|")
    for run, ratios in found.items():
        columns = zip(ratios.mean, ratios.error, ratios.scatter, strict=True)
        cells = [f"{m:.2f} ± {e:.2f} ({100 * s:.0f} %)" for m, e, s in columns]
        print(f"| {REAL[run].speed:.2f} | {' | '.join(cells)} |")
    off = np.abs([ratios.mean[FITTED] - 1 for ratios in found.values()])
    print(f"without wz: worst {off.max():.3f}, root mean square {np.sqrt((off**2).mean()):.3f}")


def print_recordings(folder: Path, blocks: int = 10) -> None:
    """Print how well the real deviations are known: from how a recording's tenths differ."""
    print("How well the real deviations are known:")
    print("| speed m/s | wx | wy | wz | az |\n|---|---|---|---|---|")
    for run, real in REAL.items():
        steady = read_recording(folder / f"imu_{run}.csv")
        cells = []
        for axis in AXES:
            values = steady[axis] - steady[axis].mean()
            variances = [(part**2).mean() for part in np.array_split(values, blocks)]
            error = np.std(variances, ddof=1) / np.sqrt(blocks) / values.var() / 2
            cells.append(f"{100 * error:.0f} %")
        print(f"| {real.speed:.2f} | {' | '.join(cells)} |")


def residuals(found: dict[str, Ratios]) -> Floats:
    """Return the logarithms of the twelve ratios."""
    return np.log([ratios.mean[FITTED] for ratios in found.values()]).ravel()


def fit(pool: ProcessPoolExecutor, figures: Figures, seeds: int, dt: float, rounds: int) -> Figures:
    """Return better figures, by damped Gauss-Newton steps on their logarithms."""
    for _ in range(rounds):
        here = residuals(all_straights(pool, figures, seeds, dt))
        slopes = []
        for name, step in STEPS.items():
            there = figures | {name: figures[name] * float(np.exp(step))}
            slopes.append((residuals(all_straights(pool, there, seeds, dt)) - here) / step)
        system = np.vstack([np.array(slopes).T, 0.2 * np.eye(len(STEPS))])
        change = np.linalg.lstsq(system, np.append(-here, np.zeros(len(STEPS))), rcond=None)[0]
        for (name, step), move in zip(STEPS.items(), change, strict=True):
            figures = figures | {name: figures[name] * float(np.exp(np.clip(move, -step, step)))}
        print(f"sum of squares was {(here**2).sum():.4f}; next {figures}", flush=True)
    return figures


def main() -> None:
    """Read the command line, then print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--step", type=float, default=0.0025, help="s")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fit", type=int, default=0, metavar="ROUNDS")
    parser.add_argument("--try", dest="other", nargs="*", default=[], metavar="FIGURE=VALUE")
    parser.add_argument("--recordings", type=Path, help="BorealTC's folder SANDY_LOAM")
    options = parser.parse_args()
    if options.recordings:
        print_recordings(options.recordings)
    figures = library_figures()
    figures |= {name: float(value) for name, value in (word.split("=") for word in options.other)}
    with ProcessPoolExecutor(options.jobs) as pool:
        if options.fit:
            figures = fit(pool, figures, options.seeds, options.step, options.fit)
        print(figures)
        print_table(all_straights(pool, figures, options.seeds, options.step))


if __name__ == "__main__":
    main()
