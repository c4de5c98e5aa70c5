"""What Foxglove's library logs about connections: told once, then counted."""

import logging

from outrider.bridges.peer_errors import PeerErrors

_KIND = "connection faults"


class SdkLog(logging.Handler):
    """Stands between the library and stderr: a closed tab is worth one line, not one a message."""

    def __init__(self, peer_errors: PeerErrors) -> None:
        super().__init__(logging.WARNING)
        self._peer_errors = peer_errors
        self._logger = logging.getLogger("foxglove")
        self._propagated = self._logger.propagate

    def open(self) -> None:
        """Take over."""
        self._propagated = self._logger.propagate
        self._logger.addHandler(self)
        self._logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        """Note what was logged."""
        self._peer_errors.note(_KIND, record.getMessage())

    def close(self) -> None:
        """Give the library its own way again."""
        self._logger.removeHandler(self)
        self._logger.propagate = self._propagated
        super().close()
