"""Foxglove's own library, if it is installed."""

from types import ModuleType

from outrider.core.errors import BridgeError


def sdk() -> ModuleType:
    """Return the module ``foxglove``."""
    try:
        import foxglove
        import foxglove.channels
        import foxglove.messages
        import foxglove.websocket
    except ImportError:
        raise BridgeError(
            "the bridge 'foxglove' needs the package foxglove-sdk: pip install 'outrider[foxglove]'"
        ) from None
    module: ModuleType = foxglove
    return module
