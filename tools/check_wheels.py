"""Asks the package index whether every core dependency has a wheel for every platform we name.

    python tools/check_wheels.py

A dependency without one would be built from source, which fails on machines without a compiler.
Markers in pyproject.toml (``; platform_machine == "x86_64"``) are followed.
"""

import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement

PYTHONS = ("3.11", "3.12", "3.13")
_LINUX = ("manylinux2014", "manylinux_2_17", "manylinux_2_27", "manylinux_2_28", "manylinux_2_31")
PLATFORMS: dict[str, dict[str, str]] = {
    "Linux x86-64": {"sys_platform": "linux", "platform_machine": "x86_64"},
    "Linux ARM": {"sys_platform": "linux", "platform_machine": "aarch64"},
    "Windows": {"sys_platform": "win32", "platform_machine": "AMD64"},
    "macOS ARM": {"sys_platform": "darwin", "platform_machine": "arm64"},
}
TAGS: dict[str, tuple[str, ...]] = {
    "Linux x86-64": tuple(f"{tag}_x86_64" for tag in _LINUX),
    "Linux ARM": tuple(f"{tag}_aarch64" for tag in _LINUX),
    "Windows": ("win_amd64",),
    "macOS ARM": tuple(
        f"macosx_{n}_0_{kind}" for n in range(11, 16) for kind in ("arm64", "universal2")
    ),
}


def main() -> int:
    """Print what is missing; the exit code tells whether anything is."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [Requirement(text) for text in project["dependencies"]]
    cases = list(product(PLATFORMS, PYTHONS))
    with ThreadPoolExecutor(2) as pool:
        missing = [
            name
            for found in pool.map(lambda case: _missing(wanted, *case), cases)
            for name in found
        ]
    for name in missing:
        print(f"no wheel: {name}")
    print(f"{len(wanted)} dependencies, {len(cases)} platforms and Pythons, {len(missing)} missing")
    return 1 if missing else 0


def _missing(wanted: list[Requirement], platform: str, python: str) -> list[str]:
    here = {**PLATFORMS[platform], "python_version": python, "python_full_version": f"{python}.0"}
    needed = [r for r in wanted if r.marker is None or r.marker.evaluate(here)]
    if _there(needed, platform, python):
        return []
    return [
        f"{r.name} on {platform}, Python {python}"
        for r in needed
        if not _there([r], platform, python)
    ]


def _there(wanted: list[Requirement], platform: str, python: str) -> bool:
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--no-deps"]
    command += ["--ignore-installed", "--target", "unused", "--only-binary=:all:"]
    command += [f"--platform={tag}" for tag in TAGS[platform]]
    command += [f"--python-version={python}", "--implementation=cp"]
    command += [f"{r.name}{r.specifier}" for r in wanted]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
