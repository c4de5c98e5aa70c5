"""When this process started, to measure the start-up time that users see."""

import os
import time
from pathlib import Path


def process_start_s() -> float:
    """Return the time since the epoch at which this process began."""
    return time.time() - _age_s()


def _age_s() -> float:
    try:
        # psutil's create_time is whole seconds off on Linux: it goes by the rounded boot time
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        import psutil

        return time.time() - psutil.Process().create_time()
