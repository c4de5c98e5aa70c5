"""outrider doctor: what is installed, what is missing, and how fast it runs here."""

import platform
import re
import sys
from importlib.util import find_spec

from outrider.cli.options.shared import Json
from outrider.cli.output.table import print_facts, print_json
from outrider.cli.startup.kernels import announce_compiling
from outrider.core.structure import Data

# those that decide the state hash (docs/time.md) first
_PARTS = ("outrider", "numpy", "mujoco", "embreex", "numba", "llvmlite", "moderngl", "rosbags")
_REQUIREMENT = re.compile(r"""([\w.-]+).*;\s*extra\s*==\s*["']([\w-]+)["']""")


def doctor(as_json: Json = False) -> None:
    """Check the installation, including two seconds of simulation."""
    from outrider.core.cache_folder import cache_dir

    announce_compiling()
    report = {
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "versions": {name: _version(name) or "missing" for name in _PARTS},
        "extras": _extras(),
        "rays": _rays(),
        "renderer": _renderer(),
        "cache": str(cache_dir()),
        "self_test": _self_test(),
    }
    (print_json if as_json else print_facts)(report)


def _version(name: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _extras() -> dict[str, str]:
    """Return the packages of each extra, or what is missing and the line that installs it."""
    return {extra: _described(extra, packages) for extra, packages in _packages().items()}


def _packages() -> dict[str, list[str]]:
    """Return the packages of each extra, in the order of pyproject.toml."""
    from importlib import metadata

    out: dict[str, list[str]] = {}
    for requirement in metadata.requires("outrider") or []:
        found = _REQUIREMENT.match(requirement)
        if found and found[2] != "dev":
            out.setdefault(found[2], []).append(found[1])
    return out


def _described(extra: str, packages: list[str]) -> str:
    versions = {name: _version(name) for name in packages}
    missing = [name for name, version in versions.items() if version is None]
    if extra == "ros2" and missing and find_spec("rclpy"):
        return "rclpy of the ROS 2 installed here"
    if missing:
        return f"missing {', '.join(missing)}: pip install 'outrider[{extra}]'"
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def _rays() -> str:
    """Return what casts rays here, for wheels, LiDARs and images."""
    from outrider.scene.tracer import WITHOUT, has_embree

    return "cast by Embree" if has_embree() else WITHOUT


def _renderer() -> dict[str, str]:
    """Return which renderer draws images here, and why not the faster one."""
    from outrider.render.renderer import ORDER, RENDERERS, Renderer
    from outrider.scene.scene import Scene
    from outrider.world.assembly import assemble
    from outrider.world.model import World

    nothing = Scene(assemble(World("nothing")))
    out: dict[str, str] = {}
    for name in ORDER:
        try:
            made: Renderer = RENDERERS.load(name)(nothing)
            made.close()
        except Exception as error:  # drivers fail in many ways: all are reasons
            out[name] = f"not used: {error}"
            continue
        out.setdefault("used", name)
        out[name] = made.description
    if out.get("used") != ORDER[0]:
        out["faster"] = "install a graphics driver with EGL, or Mesa (libegl1, libgl1-mesa-dri)"
    return out


def _self_test() -> Data:
    from outrider.scenarios.load import load
    from outrider.scenarios.run import run_scenario

    scenario = load("smoke", ["duration_s=2.0", "expect=[]"])
    run_scenario(scenario)  # loads and compiles all that is used
    result = run_scenario(scenario)
    return {
        "passed": result["completed"],
        "real_time_factor": round(result["real_time_factor"], 1),
        "start_time_s": round(result["start_time_s"], 2),
        "memory_mb": round(result["memory_mb"]),
    }
