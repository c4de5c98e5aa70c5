"""Connected viewers and what each has yet to receive: the newest of each kind, never a queue."""

import asyncio
from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Viewer:
    """One browser. A slow one gets fewer messages; nothing waits for it."""

    may_drive: bool = True
    _waiting: dict[str, bytes] = field(default_factory=dict)  # by kind, in the order they came
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def offer(self, kind: str, message: bytes) -> None:
        """Queue a message; an unsent one of the same kind is replaced."""
        self._waiting[kind] = message
        self._wake.set()

    async def next(self) -> bytes:
        """Wait for a message; return that of the oldest kind."""
        while not self._waiting:
            self._wake.clear()
            await self._wake.wait()
        return self._waiting.pop(next(iter(self._waiting)))


class Viewers:
    """All connected browsers; used only in the server's thread."""

    def __init__(self) -> None:
        self._all: set[Viewer] = set()
        self.came = asyncio.Event()

    def __len__(self) -> int:
        return len(self._all)

    def join(self, viewer: Viewer) -> None:
        """Add a viewer."""
        self._all.add(viewer)
        self.came.set()

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self._all.discard(viewer)
        if not self._all:
            self.came.clear()

    def tell(self, kind: str, message: bytes) -> None:
        """Queue a message for every viewer."""
        for viewer in self._all:
            viewer.offer(kind, message)
