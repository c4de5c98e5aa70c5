"""What pages need of a run, which may still be under construction when they are opened."""

import asyncio
from concurrent.futures import Future
from dataclasses import dataclass

from outrider.ui.desk import Desk
from outrider.ui.driving import Driving
from outrider.ui.views.watching import Watching


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """The desk of a run, with manual driving and the views of all pages."""

    desk: Desk
    driving: Driving
    watching: Watching

    @classmethod
    def of(cls, desk: Desk) -> "Room":
        """Return the room around a desk."""
        return cls(desk, Driving(desk.run), Watching(desk))


class Arrival:
    """A room that comes once, from any thread; requests wait for it."""

    def __init__(self) -> None:
        self._room: Future[Room] = Future()

    @property
    def here(self) -> bool:
        """Whether it has come."""
        return self._room.done()

    def bring(self, room: Room) -> None:
        """Let all that wait go on."""
        self._room.set_result(room)

    async def room(self) -> Room:
        """Return the room, as soon as it is there."""
        # shielded: a request that is given up must not cancel it for all others
        return await asyncio.shield(asyncio.wrap_future(self._room))

    async def serve(self) -> None:
        """Keep its scene and its views up to date; never returns."""
        room = await self.room()
        await asyncio.gather(room.desk.prepare(), room.desk.show(), room.watching.serve())
