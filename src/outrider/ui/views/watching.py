"""Subscribes to the topics on display, at rates that a viewer can follow."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from outrider.bus.mailbox import Subscription
from outrider.core.errors import OutriderError
from outrider.core.frames import Pose
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import Message
from outrider.sim.mounting import Mounted
from outrider.sim.simulation import Simulation
from outrider.ui.editor_state import EditorState
from outrider.ui.layout import TopicView
from outrider.ui.link.frame import packed
from outrider.ui.routes import drawn_routes
from outrider.ui.views.cards import CARDS
from outrider.ui.views.contacts import Contacts
from outrider.ui.views.drawn import DRAWERS, ViewStyle
from outrider.ui.views.texts import TEXTS, Texts

_TICK_S = 0.04
_EVERY_S = 0.08  # between two messages of one view


@dataclass(eq=False, slots=True)
class WatchedTopic:
    """One watched topic: drawn in the scene, shown as a card, or both."""

    topic: str
    type: str
    drawn: bool = False
    card: bool = False
    manner: ViewStyle = field(default_factory=ViewStyle)
    box: Subscription | None = None
    due_s: float = 0.0
    shown: int = 0  # messages that were made into pictures


class Watching:
    """All views of a run; they are the same for all pages.

    A topic is listened to for one message at a time: sensors whose messages nobody would see are
    not asked to write them, however fast the simulation runs.
    """

    def __init__(self, editor: EditorState) -> None:
        self._desk = editor
        self.views: dict[str, WatchedTopic] = {}
        self._contacts = Contacts(editor)
        self.revision = 0
        self._known = -1  # revision of the bus that was looked at
        self._routed = -1  # revision of the editor whose routes are drawn
        self._routes: set[str] = set()
        self._texts = Texts()
        self.bring_back(editor.layout.views)

    def switch(
        self,
        topic: str,
        *,
        drawn: bool | None = None,
        card: bool | None = None,
        manner: ViewStyle | None = None,
    ) -> None:
        """Turn a view on or off, or change its style."""
        kind = self._desk.session.bus.channel(topic).type
        view = self.views.setdefault(topic, WatchedTopic(topic, kind))
        view.drawn = view.drawn if drawn is None else drawn
        view.card = view.card if card is None else card
        view.manner = manner or view.manner
        if not view.drawn:
            self._desk.draw(topic, None)
        if not (view.drawn or view.card):
            self._forget(topic)
        self.revision += 1

    def kept(self) -> tuple[TopicView, ...]:
        """Return the views that are on, to be saved."""
        return tuple(
            TopicView(view.topic, view.drawn, view.card, view.manner.style, view.manner.colour)
            for view in self.views.values()
        )

    def bring_back(self, views: Iterable[TopicView]) -> None:
        """Restore saved views only; topics that no longer exist are left out."""
        for topic in list(self.views):
            self._forget(topic)
        known = {topic.name for topic in self._desk.session.bus.topics()}
        for view in views:
            if view.topic in known:
                manner = ViewStyle(view.style, view.colour)
                self.switch(view.topic, drawn=view.drawn, card=view.card, manner=manner)
        self._known = -1

    async def serve(self) -> None:
        """Update the views while there are viewers; never returns."""
        while True:
            await self._desk.viewers.came.wait()
            self._find()
            for view in list(self.views.values()):
                try:
                    await self._look(view)
                except OutriderError:
                    pass  # it has ended, or the topic has gone
                except Exception as error:  # a message that makes no sense costs its view only
                    self._desk.journal.write(
                        "error", f"{view.topic}: cannot be shown: {error!r:.200}"
                    )
                    self.switch(view.topic, drawn=False, card=False)
            self._contacts.look()
            await self._draw_routes()
            await asyncio.sleep(_TICK_S)

    def _find(self) -> None:
        """Draw maps, paths and poses from other programs automatically."""
        bus = self._desk.session.bus
        if bus.revision == self._known:
            return
        self._known = bus.revision
        names = {topic.name for topic in bus.topics()}
        for topic in bus.topics():
            if topic.type in _OF_OTHERS and topic.name not in self.views:
                self.switch(topic.name, drawn=True)
        for name in set(self.views) - names:
            self._forget(name)

    def _forget(self, topic: str) -> None:
        view = self.views.pop(topic, None)
        if view is not None and view.box is not None:
            view.box.close()
        self._desk.draw(topic, None)
        self._texts.forget(topic)
        self.revision += 1

    async def _look(self, view: WatchedTopic) -> None:
        now_s = asyncio.get_running_loop().time()
        if view.box is None:
            if now_s >= view.due_s:
                view.box = self._desk.session.bus.subscribe(view.topic, kept="latest")
            return
        item = view.box.poll()
        if item is None:
            return
        view.box.close()
        view.box, view.due_s = None, now_s + _EVERY_S
        await self._show(view, *item)

    async def _show(self, view: WatchedTopic, time_ns: int, message: Message) -> None:
        if view.card and view.type in CARDS:
            data = await asyncio.to_thread(CARDS[view.type], view.topic, message)
            head = {"k": "image", "id": view.topic}
            self._desk.viewers.tell(
                f"card {view.topic}", packed(head, np.frombuffer(data, np.uint8))
            )
        if view.card and view.type in TEXTS:
            text = self._texts.add(view.topic, view.type, message)
            line = packed({"k": "text", "id": view.topic, "text": text})
            self._desk.viewers.tell(f"text {view.topic}", line)
        if view.drawn and view.type in DRAWERS:
            at_ns = stamp_ns(message) if hasattr(message, "header") else time_ns
            simulation = self._desk.session.simulation
            pose = await self._desk.between(lambda: _pose(simulation, view.topic, at_ns))
            draw = DRAWERS[view.type]
            origin = simulation.rig.assembly.world.origin
            manner = replace(view.manner, origin=origin)
            made = await asyncio.to_thread(draw, view.topic, message, pose, manner)
            if view.topic in self.views and view.drawn:
                self._desk.draw(view.topic, made)
        view.shown += 1

    async def _draw_routes(self) -> None:
        """Draw the robots' routes; again after every change."""
        editor = self._desk
        if self._routed == editor.revision:
            return
        self._routed = editor.revision
        try:
            made = await editor.between(lambda: drawn_routes(editor.session))
        except OutriderError:
            return
        for key in self._routes - set(made):
            editor.draw(key, None)
        self._routes = set(made)
        for key, message in made.items():
            editor.draw(key, message)


_OF_OTHERS = (
    "nav_msgs/msg/OccupancyGrid",
    "nav_msgs/msg/Path",
    "geometry_msgs/msg/PoseStamped",
    "visualization_msgs/msg/MarkerArray",
)


def of_topic(simulation: Simulation, topic: str) -> Mounted | None:
    """Return the sensor that publishes on a topic."""
    for mounted in simulation.mounted:
        if topic in mounted.topics.values():
            return mounted
    return None


def _pose(simulation: Simulation, topic: str, time_ns: int) -> Pose:
    """Return the pose of a topic's sensor at a time; other messages are in world coordinates."""
    mounted = of_topic(simulation, topic)
    if mounted is None or mounted.topics.get("pose") == topic:
        return Pose()
    position, rotation = mounted.site.poses(np.array([time_ns], np.int64))
    return Pose(position[0], rotation[0])
