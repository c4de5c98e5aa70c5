"""Gazebo's force-torque sensors, barometers and altimeters as Outrider's."""

from outrider.core.structure import Data
from outrider.formats.gazebo.cameras import FoundSensor
from outrider.formats.gazebo.noise import deviation, triad
from outrider.formats.xml_source import Element, XmlSource

_DIRECTIONS = ("child_to_parent", "parent_to_child")


def force_torque(source: XmlSource, element: Element) -> FoundSensor:
    """Return a force-torque sensor with its noise."""
    spec = element.find("force_torque")
    settings: Data = {}
    if spec is not None:
        for name in ("force", "torque"):
            if errors := triad(source, spec.find(name)):
                settings[name] = errors
        direction = source.child_text(spec, "measure_direction") or _DIRECTIONS[0]
        if direction in _DIRECTIONS:
            settings["measure_direction"] = direction
        else:
            source.note(spec, f"<measure_direction> '{direction[:40]}' is not known", "guessed")
        frame = source.child_text(spec, "frame")
        if frame == "parent":
            source.note(spec, "it measures in the child's axes, not in its parent's", "guessed")
    return FoundSensor("ideal-force-torque", settings, "wrench")


def air_pressure(source: XmlSource, element: Element) -> FoundSensor:
    """Return a barometer with its noise."""
    noise = element.find("air_pressure/pressure/noise")
    if element.find("air_pressure/reference_altitude") is not None:
        source.note(
            element, "<reference_altitude> was left out: a world's 'origin' says how high it is"
        )
    settings = {} if noise is None else {"pressure": {"noise_sigma": deviation(source, noise)}}
    return FoundSensor("ideal-barometer", settings, "pressure")


def altimeter(source: XmlSource, element: Element) -> FoundSensor:
    """Return a barometer that tells the altitude; a metre near the sea is 12 Pa."""
    noise = element.find("altimeter/vertical_position/noise")
    pascals = 12.013 * deviation(source, noise)
    source.note(element, "an altimeter is a barometer: heights count from the sea", "guessed")
    settings = {"pressure": {"noise_sigma": pascals}} if pascals else {}
    return FoundSensor("ideal-barometer", settings, "altitude")
