"""Materials and images of glTF files."""

import math

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.core.structure import Data
from outrider.formats.mesh.gltf.document import GltfDocument
from outrider.formats.mesh.raw import RawMaterial
from outrider.formats.mesh.srgb import srgb_from_linear
from outrider.formats.mesh.textures import keep_picture

_GLASS = 0.9  # of the light goes through what transmits all: a tenth is left to be seen
_SUFFIXES = {b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg", b"RIFF": ".webp", b"BM": ".bmp"}


def gltf_look(document: GltfDocument, number: int, notes: list[str]) -> RawMaterial:
    """Return one material; a texture that cannot be had is noted."""
    material = document.item("materials", number)
    surface = _surface(material)
    factor = surface.get("baseColorFactor", surface.get("diffuseFactor", [1.0, 1.0, 1.0, 1.0]))
    r, g, b, a = document.numbers(factor, 4, "baseColorFactor")
    texture = _texture_of(surface)
    opacity, cut = _opacity(document, material, a, texture is not None)
    colour = (srgb_from_linear(r), srgb_from_linear(g), srgb_from_linear(b), opacity)
    address = ""
    if texture is not None:
        try:
            address = _address(document, texture)
        except FormatError as error:
            notes.append(f"{error}; the texture was left out")
    return RawMaterial(colour, address, bool(material.get("doubleSided")), (r, g, b), cut)


def _opacity(
    document: GltfDocument, material: Data, factor: float, textured: bool
) -> tuple[float, float | None]:
    """Return a surface's opacity, and that of a texel from which on it is there."""
    factor, mode = min(1.0, max(0.0, factor)), material.get("alphaMode", "OPAQUE")
    glass = _extension(material, "KHR_materials_transmission").get("transmissionFactor", 0.0)
    (passed,) = document.numbers([glass], 1, "transmissionFactor")
    shown = 1.0 - _GLASS * min(1.0, max(0.0, passed))
    if mode == "BLEND":
        return factor * shown, None
    if mode != "MASK":
        return shown, 0.0
    (cutoff,) = document.numbers([material.get("alphaCutoff", 0.5)], 1, "alphaCutoff")
    if factor < cutoff:
        return 0.0, None
    return shown, cutoff / factor if textured and factor > 0 else 0.0


def texture_set(document: GltfDocument, number: int | None) -> int:
    """Return which set of texture coordinates a material uses."""
    if number is None:
        return 0
    texture = _texture_of(_surface(document.item("materials", number))) or {}
    moved = _extension(texture, "KHR_texture_transform")
    return document.whole(moved.get("texCoord", texture.get("texCoord", 0)), "texCoord")


def transformed_uv(document: GltfDocument, number: int | None, uv: Array) -> Array:
    """Return texture coordinates with the image's bottom at v = 0, moved as the material says."""
    if number is not None:
        texture = _texture_of(_surface(document.item("materials", number))) or {}
        moved = _extension(texture, "KHR_texture_transform")
        if moved:
            uv = _moved(document, moved, uv)
    return np.column_stack([uv[:, 0], 1.0 - uv[:, 1]])


def _moved(document: GltfDocument, moved: Data, uv: Array) -> Array:
    scale = document.numbers(moved.get("scale", [1.0, 1.0]), 2, "scale")
    offset = document.numbers(moved.get("offset", [0.0, 0.0]), 2, "offset")
    (angle,) = document.numbers([moved.get("rotation", 0.0)], 1, "rotation")
    cos, sin = math.cos(angle), math.sin(angle)
    rotated: Array = (uv * scale) @ np.array([[cos, -sin], [sin, cos]]) + offset
    return rotated


def _surface(material: Data) -> Data:
    """Return the object that holds a material's colour."""
    older = _extension(material, "KHR_materials_pbrSpecularGlossiness")
    plain = material.get("pbrMetallicRoughness")
    return plain if isinstance(plain, dict) else older


def _extension(owner: Data, name: str) -> Data:
    extensions = owner.get("extensions")
    found = extensions.get(name) if isinstance(extensions, dict) else None
    return found if isinstance(found, dict) else {}


def _texture_of(surface: Data) -> Data | None:
    found = surface.get("baseColorTexture", surface.get("diffuseTexture"))
    return found if isinstance(found, dict) else None


def _address(document: GltfDocument, texture: Data) -> str:
    """Return where a texture's image lies; one inside the file is written to the cache."""
    entry = document.item("textures", texture.get("index"))
    source = entry.get("source", _extension(entry, "EXT_texture_webp").get("source"))
    if source is None:
        raise document.fail("a texture is in a format that is not read (KTX2, Basis)")
    image = document.item("images", source)
    uri = image.get("uri")
    if isinstance(uri, str) and not uri.startswith("data:"):
        return uri
    if isinstance(uri, str):
        return _kept(document, document.file_bytes(uri))
    return _kept(document, bytes(document.view(image.get("bufferView"))))


def _kept(document: GltfDocument, data: bytes) -> str:
    suffix = next((s for magic, s in _SUFFIXES.items() if data.startswith(magic)), None)
    if suffix is None:
        raise document.fail("an image inside it is neither PNG nor JPEG")
    try:
        return keep_picture(data, suffix)
    except OSError as error:
        raise document.fail(f"an image inside it cannot be kept: {error.strerror}") from None
