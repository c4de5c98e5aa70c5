"""The newest message of a topic, kept by a thread with a connection of its own."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from outrider.bridges.local.client import Sample, connect
from outrider.core.errors import BridgeError
from outrider.core.structure import Data

Callback: TypeAlias = Callable[[Data], object]

_FIRST_S = 5.0  # that the first message may take


class LatestMessage:
    """Listens to one topic until the simulation ends."""

    def __init__(self, pid: int, topic: str) -> None:
        self.topic = topic
        self._client = connect(pid)
        self._samples = self._client.messages(topic)
        self._came = threading.Event()
        self._newest: Sample | None = None
        self._callbacks: list[Callback] = []
        self.error: BaseException | None = None  # that a callback raised
        threading.Thread(target=self._listen, name=f"feed {topic}", daemon=True).start()

    def latest(self) -> Data:
        """Return the newest message; wait for the first one."""
        if not self._came.wait(_FIRST_S):
            raise BridgeError(f"no message on {self.topic} within {_FIRST_S:g} s")
        assert self._newest is not None
        return self._newest.message

    def each(self, callback: Callback) -> None:
        """Call a function with every message from now on."""
        self._callbacks.append(callback)

    def _listen(self) -> None:
        with suppress(BridgeError):
            for sample in self._samples:
                self._newest = sample
                self._came.set()
                self._call(sample.message)

    def _call(self, message: Data) -> None:
        for callback in list(self._callbacks):
            try:
                callback(message)
            except Exception as error:  # the user's own: told where the program is told
                self.error = error
                self._callbacks.remove(callback)
