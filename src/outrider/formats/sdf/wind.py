"""Wind of SDF as our weather."""

from __future__ import annotations

import math

from outrider.formats.sdf.document import SdfDocument
from outrider.formats.xml_source import Element
from outrider.weather.spec import WeatherSpec

_FASTEST = 100.0  # m/s


def read_wind(document: SdfDocument, world: Element, heading_rad: float) -> WeatherSpec | None:
    """Return the weather of a world with wind that is turned by its heading; None without wind."""
    element = world.find("wind/linear_velocity")
    if element is None:
        return None
    try:
        x, y, z = (float(word) for word in (element.text or "").split())
    except ValueError:
        raise document.xml.fail(element, "expected three numbers") from None
    speed, to = math.hypot(x, y), math.atan2(y, x) + heading_rad
    if not speed:
        return None
    if z:
        document.xml.note(element, "wind is horizontal here: its vertical component was left out")
    if not (math.isfinite(speed) and speed <= _FASTEST):
        raise document.xml.fail(element, f"wind of {speed:g} m/s: expected at most {_FASTEST:g}")
    document.xml.note(
        element, "wind became the world's weather: drag by the areas of bodies", "guessed"
    )
    return WeatherSpec(wind_m_s=speed, wind_from_deg=(270.0 - math.degrees(to)) % 360.0)
