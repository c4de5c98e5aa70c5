"""How simulation_interfaces services report errors."""

from outrider.core.errors import OutriderError

UNSUPPORTED, OK, NOT_FOUND, FAILED = 0, 1, 2, 4


class RefusedError(OutriderError):
    """A refusal with its own result code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def reason(error: Exception) -> str:
    """Return one sentence about an exception from a service."""
    return str(error) if isinstance(error, OutriderError) else f"{type(error).__name__}: {error}"
