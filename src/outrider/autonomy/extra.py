"""Libraries of the extra 'autonomy': imported when used; if missing, the error names the extra."""

from importlib import import_module
from types import ModuleType

from outrider.core.errors import AutonomyError


def needed(module: str) -> ModuleType:
    """Import a library, or say how to install it."""
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise AutonomyError(
            f"this part of the autonomy stack needs {name}: pip install 'outrider[autonomy]'"
        ) from None
