"""The colours, textures and opacities of Collada's materials."""

from __future__ import annotations

import numpy as np

from outrider.core.errors import FormatError
from outrider.formats.mesh.collada.document import ColladaDocument
from outrider.formats.mesh.opacity import OpacityMap, collada_map, collada_opacity
from outrider.formats.mesh.raw import GREY, RGBA, WHITE, RawMaterial
from outrider.formats.xml_source import Element

_SHADERS = ("phong", "lambert", "blinn", "constant")


class MaterialReader:
    """Reads the materials of one document; a broken one is noted and grey."""

    def __init__(self, document: ColladaDocument) -> None:
        self.document = document
        tool = document.root.findtext("asset/contributor/authoring_tool") or ""
        self.sketchup = "sketchup" in tool.lower()  # its faces look either way

    def look(self, material: Element) -> RawMaterial:
        """Return how a material looks."""
        try:
            return self._look(material)
        except FormatError as error:
            self.document.log.add("guessed", f"{error}; grey is used")
            return RawMaterial()

    def _look(self, material: Element) -> RawMaterial:
        reference = material.find("instance_effect")
        if reference is None:
            raise self.document.fail(material, "it has no <instance_effect>")
        effect = self.document.named("effect", reference, "url")
        profile = effect.find("profile_COMMON")
        shader = None
        if profile is not None:
            shader = next((e for e in profile.iterfind("technique/*") if e.tag in _SHADERS), None)
        if profile is None or shader is None:
            raise self.document.fail(effect, "it has no common shading")
        diffuse = shader.find("emission" if shader.tag == "constant" else "diffuse")
        texture = self._texture(profile, diffuse)
        r, g, b, _ = WHITE if texture else self._colour(diffuse, GREY)
        a, opacity = self._opacity(profile, shader, texture)
        sides = self._double_sided(effect)
        return RawMaterial((r, g, b, a), texture, sides, opacity=opacity)

    def _double_sided(self, effect: Element) -> bool:
        said = any((e.text or "").strip() == "1" for e in effect.iterfind(".//double_sided"))
        return said or self.sketchup

    def _colour(self, owner: Element | None, default: RGBA) -> RGBA:
        element = None if owner is None else owner.find("color")
        if element is None:
            return default
        values = self.document.floats(element)
        if len(values) == 3:
            values = np.append(values, 1.0)
        if len(values) != 4 or not np.isfinite(values).all():
            raise self.document.fail(element, "expected a colour of four numbers")
        r, g, b, a = np.clip(values, 0.0, 1.0).tolist()
        return r, g, b, a

    def _opacity(
        self, profile: Element, shader: Element, diffuse: str
    ) -> tuple[float, OpacityMap | None]:
        """Return the opacity of all of a surface, and the picture of its own that it may have."""
        transparent, amount = shader.find("transparent"), 1.0
        number = shader.find("transparency/float")
        if number is not None:
            amount = float(self.document.vector(number, 1)[0])
        rule = "A_ONE" if transparent is None else transparent.get("opaque", "A_ONE")
        picture = self._texture(profile, transparent)
        if picture and picture != diffuse:
            return collada_map(rule, picture, amount)
        # the colours' own picture: whatever the rule, its opacity is meant, not its brightness
        return collada_opacity(rule, self._colour(transparent, WHITE), amount), None

    def _texture(self, profile: Element, owner: Element | None) -> str:
        """Return the address of the image behind a texture, its sampler and its surface."""
        element = None if owner is None else owner.find("texture")
        if owner is None or element is None:
            return ""
        name = element.get("texture", "")
        parameters = {p.get("sid"): p for p in profile.iter("newparam")}
        for _ in range(3):  # texture -> sampler -> surface -> image
            parameter = parameters.get(name)
            if parameter is None:
                break
            following = [
                parameter.findtext("sampler2D/source"),
                _url(parameter.find("sampler2D/instance_image")),
                parameter.findtext("surface/init_from"),
            ]
            name = next((text.strip() for text in following if text and text.strip()), "")
        image = self.document.find("image", name)
        if image is None:
            instead = "grey is used" if owner.tag != "transparent" else "it is left out"
            self.document.note(element, f"there is no image '{name[:80]}'; {instead}")
            return ""
        start = image.find("init_from")
        address = "" if start is None else (start.findtext("ref") or start.text or "")
        return address.strip()


def _url(element: Element | None) -> str | None:
    return None if element is None else element.get("url")
