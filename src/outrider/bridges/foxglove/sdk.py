"""Foxglove's own library, if it is installed."""

from typing import Any

from outrider.core.errors import BridgeError


def sdk() -> Any:
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
    return foxglove
