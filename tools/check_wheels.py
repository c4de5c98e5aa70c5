"""Asks the package index whether everything Outrider needs has a wheel for every platform we name.

    python tools/check_wheels.py

What has none would be built from source, which fails on machines without a compiler. What
`make run` installs is asked for: the core dependencies and the editor's (extra "ui") in
pyproject.toml, and what those depend on in turn (as installed here); their markers
(``; platform_machine == 'x86_64'``) are followed. An index that does not answer is told and is no
failure.
"""

import subprocess
import sys
import tomllib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PYTHONS = ("3.11", "3.12", "3.13")
_GLIBC = (17, 24, 26, 27, 28, 31, 34)
_MACOS = (*(f"10_{n}" for n in range(9, 16)), *(f"{n}_0" for n in range(11, 16)))
PLATFORMS: dict[str, tuple[dict[str, str], list[str]]] = {  # markers, tags of wheels
    "Linux x86-64": (
        {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64"},
        [f"manylinux_2_{n}_x86_64" for n in _GLIBC],
    ),
    "Linux ARM": (
        {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "aarch64"},
        [f"manylinux_2_{n}_aarch64" for n in _GLIBC],
    ),
    "Windows": (
        {"sys_platform": "win32", "platform_system": "Windows", "platform_machine": "AMD64"},
        ["win_amd64"],
    ),
    "macOS ARM": (
        {"sys_platform": "darwin", "platform_system": "Darwin", "platform_machine": "arm64"},
        [f"macosx_{n}_{kind}" for n in _MACOS for kind in ("arm64", "universal2")],
    ),
}
_NO_ANSWER = ("Retrying", "Could not fetch URL", "onnection")


class SilentIndexError(Exception):
    """The package index does not answer."""


def main() -> int:
    """Print what is missing; the exit code tells whether anything is."""
    wanted = installed_by_make_run()
    cases = list(product(PLATFORMS, PYTHONS))
    try:
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda case: missing(wanted, *case), cases))
    except SilentIndexError as error:
        print(f"wheels were not checked, as the package index does not answer: {error}")
        return 0
    names = [name for part in found for name in part]
    for name in names:
        print(f"no wheel: {name}")
    print(f"{len(wanted)} dependencies, {len(cases)} platforms and Pythons, {len(names)} missing")
    return 1 if names else 0


def installed_by_make_run() -> list[Requirement]:
    """Return the core dependencies and those of the editor, from pyproject.toml."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["ui"]]
    return [Requirement(line) for line in lines]


def missing(wanted: list[Requirement], platform: str, python: str) -> list[str]:
    """Return which of these, and of what they need, has no wheel for a platform and a Python."""
    here = {**PLATFORMS[platform][0], "python_version": python}
    here |= {"python_full_version": f"{python}.0", "implementation_name": "cpython"}
    needed: dict[str, str] = {}
    _collect([one for one in wanted if _applies(one, here)], here, needed)
    if _there(list(needed.values()), platform, python):
        return []
    alone = [text for text in needed.values() if not _there([text], platform, python)]
    return [f"{text} on {platform}, Python {python}" for text in alone]


def _collect(wanted: list[Requirement], here: dict[str, str], needed: dict[str, str]) -> None:
    """Add what is needed on a machine, and what that needs, by name."""
    for one in wanted:
        name = canonicalize_name(one.name)
        if name in needed:
            continue
        needed[name] = f"{name}{one.specifier}"
        own = [Requirement(text) for text in _requires(name)]
        _collect([r for r in own if _applies(r, here, one.extras)], here, needed)


def _requires(name: str) -> list[str]:
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:  # only needed elsewhere
        return []


def _applies(one: Requirement, here: dict[str, str], extras: Iterable[str] = ()) -> bool:
    marker = one.marker
    return marker is None or any(marker.evaluate({**here, "extra": e}) for e in ("", *extras))


def _there(wanted: list[str], platform: str, python: str) -> bool:
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--no-deps"]
    command += ["--ignore-installed", "--target", "unused", "--only-binary=:all:", "--retries=1"]
    command += [f"--platform={tag}" for tag in PLATFORMS[platform][1]]
    command += [f"--python-version={python}", "--implementation=cp", "--disable-pip-version-check"]
    done = subprocess.run([*command, *wanted], capture_output=True, text=True, check=False)
    silent = [line for line in done.stderr.splitlines() if any(w in line for w in _NO_ANSWER)]
    if done.returncode and silent:
        raise SilentIndexError(silent[0])
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
