"""Gymnasium, of the extra 'learning'; if it is missing, the error names the extra."""

from outrider.core.errors import LearningError

try:
    import gymnasium
except ImportError:
    raise LearningError(
        "the environments for learning need gymnasium: pip install 'outrider[learning]'"
    ) from None

__all__ = ["gymnasium"]
