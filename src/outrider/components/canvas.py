"""What components draw for viewers: RViz's markers, in the frame of the world."""

from collections.abc import Sequence
from typing import TypeAlias

from outrider.components.numbers import Vector, finite, vector
from outrider.messages.topics import WORLD_FRAME
from outrider.messages.types import ColorRGBA, Message, Point, header, message_class

TOPIC, TYPE = "/components/markers", "visualization_msgs/msg/MarkerArray"
Colour: TypeAlias = tuple[float, float, float]
_GREEN: Colour = (0.1, 0.8, 0.2)
_ARROW, _SPHERE, _LINE, _TEXT = 0, 2, 4, 9  # visualization_msgs/Marker
_ADD, _DELETE_ALL = 0, 3


class Canvas:
    """Collects what is drawn; ``message`` is all of it."""

    def __init__(self, time_ns: int) -> None:
        self._time_ns = time_ns
        self._markers: list[Message] = [self._marker(_ARROW, action=_DELETE_ALL)]
        self.owner = ""

    def line(self, points: Sequence[Vector], colour: Colour = _GREEN, width: float = 0.03) -> None:
        """Draw a line through points of the world."""
        self._add(_LINE, colour, (width, 0.0, 0.0), points=points)

    def arrow(
        self, start: Vector, end: Vector, colour: Colour = _GREEN, width: float = 0.05
    ) -> None:
        """Draw an arrow between two points of the world."""
        self._add(_ARROW, colour, (width, 2 * width, 3 * width), points=(start, end))

    def sphere(self, centre: Vector, radius: float = 0.1, colour: Colour = _GREEN) -> None:
        """Draw a ball."""
        self._add(_SPHERE, colour, (2 * radius,) * 3, position=centre)

    def text(
        self, position: Vector, text: str, colour: Colour = _GREEN, height: float = 0.2
    ) -> None:
        """Write a text that faces the viewer."""
        self._add(_TEXT, colour, (0.0, 0.0, height), position=position, text=str(text))

    def message(self) -> Message:
        """Return all that was drawn."""
        return message_class(TYPE)(self._markers)

    def _add(
        self,
        kind: int,
        colour: Colour,
        size: tuple[float, float, float],
        *,
        points: Sequence[Vector] = (),
        position: Vector = (0.0, 0.0, 0.0),
        text: str = "",
    ) -> None:
        marker = self._marker(kind)
        marker.pose.position = _point(position)
        marker.points = [_point(point) for point in points]
        sizes = [finite(length, "draw: size") for length in size]
        marker.scale.x, marker.scale.y, marker.scale.z = sizes
        red, green, blue = vector(colour, "draw: colour").tolist()
        marker.color = ColorRGBA(red, green, blue, 1.0)
        marker.text = text
        self._markers.append(marker)

    def _marker(self, kind: int, action: int = _ADD) -> Message:
        from outrider.messages.convert import from_dict

        made: Message = from_dict("visualization_msgs/msg/Marker", {})
        made.header = header(self._time_ns, WORLD_FRAME)
        made.type, made.action = kind, action
        made.pose.orientation.w = 1.0
        if action == _ADD:
            made.ns, made.id = self.owner, len(self._markers)
        return made


def _point(values: Vector) -> Message:
    return Point(*vector(values, "draw: point").tolist())
