"""The machine of a run, and the versions of the software."""

import os
import platform
import sys
from importlib import metadata
from pathlib import Path

import psutil

from outrider.core.structure import Data

_PARTS = ("numpy", "mujoco", "embreex", "moderngl", "numba", "opencv-python-headless", "gtsam")
_DECIDING = ("outrider", "mujoco", "numpy")  # other versions of these give other figures


def facts() -> Data:
    """Return what is needed to judge and repeat the figures."""
    return {
        "outrider": _version("outrider"),
        "python": sys.version.split()[0],
        "parts": {name: found for name in _PARTS if (found := _version(name))},
        "system": f"{platform.system()} {platform.release()}",
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "memory_gb": round(psutil.virtual_memory().total / 1e9, 1),
    }


def versions(found: Data) -> dict[str, str]:
    """Return the versions that affect the figures."""
    everything = {"outrider": found.get("outrider", "?"), **found.get("parts", {})}
    return {name: str(everything[name]) for name in _DECIDING if name in everything}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
