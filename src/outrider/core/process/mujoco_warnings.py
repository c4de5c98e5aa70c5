"""MuJoCo's warnings: by default it writes them to MUJOCO_LOG.TXT in the user's folder."""

import logging
from functools import cache

_LOG = logging.getLogger("outrider")


@cache
def log_mujoco_warnings() -> None:
    """Have warnings of MuJoCo in our log, from now on; called by everyone who uses it."""
    import mujoco

    mujoco.set_mju_user_warning(lambda text: _LOG.warning("MuJoCo: %s", text))
