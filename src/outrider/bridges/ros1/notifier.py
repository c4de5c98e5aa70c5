"""What a master tells nodes: many at a time, and none that never answers holds the others up."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from outrider.bridges.ros1.xmlrpc import call
from outrider.core.errors import BridgeError

_ID = "/master"
_WORKERS = 32  # threads are made when they are needed
_FAILURES = 3  # in a row, after which a place is left alone
_REST_S = 10.0


class Notifier:
    """Calls methods of nodes in the background; a node that is gone need not be told."""

    def __init__(self) -> None:
        self._workers = ThreadPoolExecutor(_WORKERS, "outrider-master")
        self._lock = threading.Lock()
        self._silent: dict[str, tuple[int, float]] = {}  # place -> failures, and until when

    def __call__(self, uri: str, method: str, *args: object) -> None:
        """Call a method of the node at an address, soon."""
        self._workers.submit(self._send, uri, method, *args)

    def close(self) -> None:
        """Tell no more."""
        self._workers.shutdown(wait=False, cancel_futures=True)

    def _send(self, uri: str, method: str, *args: object) -> None:
        try:
            place = urlsplit(uri).netloc
        except ValueError:
            return
        failures, until_s = self._silent.get(place, (0, 0.0))
        if failures >= _FAILURES and time.monotonic() < until_s:
            return
        try:
            call(uri, method, _ID, *args)
        except BridgeError:
            with self._lock:
                failures = self._silent.get(place, (0, 0.0))[0]
                self._silent[place] = failures + 1, time.monotonic() + _REST_S
        else:
            with self._lock:
                self._silent.pop(place, None)
