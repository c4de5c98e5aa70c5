"""The pictures of an SDF height map, mixed by height as its blends say."""

from __future__ import annotations

from dataclasses import replace

from outrider.core.errors import FormatError
from outrider.formats.height_blend import PaintLayer, painted
from outrider.formats.sdf.document import SdfDocument
from outrider.formats.textures import texture_info
from outrider.formats.xml_source import Element
from outrider.world.materials import Material
from outrider.world.shapes import HeightField


def ground_look(
    document: SdfDocument, element: Element, field: HeightField, material: Material
) -> Material:
    """Return a material with a height map's pictures; those that are not there are noted."""
    layers = _layers(document, element)
    if not layers:
        return material
    if len(layers) == 1:
        return replace(material, texture=layers[0].texture, texture_size=layers[0].size)
    document.xml.note(element, f"{len(layers)} textures are blended by height", "applied")
    return replace(material, texture=painted(field, layers), texture_size=0.0)


def _layers(document: SdfDocument, element: Element) -> list[PaintLayer]:
    """Return the pictures from below: each blend tells where the next one begins."""
    xml, found = document.xml, []
    blends = element.findall("blend")
    for number, texture in enumerate(element.findall("texture")):
        picture, size = _picture(document, texture), xml.child_number(texture, "size", 10.0)
        start = fade = 0.0
        if 0 < number <= len(blends):
            start = xml.child_number(blends[number - 1], "min_height", 0.0)
            fade = max(xml.child_number(blends[number - 1], "fade_dist", 0.0), 0.0)
        if picture and size > 0:
            found.append(PaintLayer(picture, size, start, fade))
    return found


def _picture(document: SdfDocument, texture: Element) -> str:
    uri = document.xml.child_text(texture, "diffuse")
    if not uri:
        return ""
    try:
        path = str(document.assets.find(uri))
        texture_info(path)
        return path
    except FormatError as error:
        document.xml.note(texture, f"the texture was left out: {error}", "missing", f"map {uri}")
        return ""
