"""The appearance of SDF visuals and the friction of its collisions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from outrider.core.errors import FormatError
from outrider.formats.gazebo.surface import ContactSurface, named_colour
from outrider.formats.sdf.document import SdfDocument
from outrider.formats.sdf.material_script import looked_up, read_scripts
from outrider.formats.xml_source import Element
from outrider.specs.file_kinds import is_kind
from outrider.world.materials import Material


def read_look(document: SdfDocument, visual: Element) -> Material | None:
    """Return the material of a visual; None leaves a mesh its own look."""
    element = visual.find("material")
    return None if element is None else _look(document, element)


def faded(document: SdfDocument, visual: Element, look: Material) -> Material:
    """Return a look, or what a mesh's own is multiplied by, with the visual's transparency."""
    transparency = document.xml.child_number(visual, "transparency", 0.0)
    r, g, b, a = look.colour
    return replace(look, colour=(r, g, b, a * min(max(1 - transparency, 0.0), 1.0)))


def _look(document: SdfDocument, element: Element) -> Material | None:
    colour = _colour(document, element)
    texture = ""
    told = colour is not None
    script = element.find("script")
    if script is not None:
        scripted, picture = _script(document, script)
        colour, texture = scripted or colour, picture
        told = told or scripted is not None or bool(picture)
    albedo = element.find("pbr/metal/albedo_map")
    if albedo is None:
        albedo = element.find("pbr/specular/albedo_map")
    if albedo is not None and (albedo.text or "").strip():
        texture = _texture(document, albedo, (albedo.text or "").strip()) or texture
        told = True
    if not told:
        return None
    plain = Material()
    return replace(plain, colour=colour or (1.0, 1.0, 1.0, 1.0), texture=texture)


def _colour(document: SdfDocument, element: Element) -> tuple[float, float, float, float] | None:
    for tag in ("diffuse", "ambient"):
        child = element.find(tag)
        words = [] if child is None else (child.text or "").split()
        if child is not None and len(words) in (3, 4):
            values = document.xml.parse(child, tag, child.text or "", len(words))
            r, g, b, a = (min(max(v, 0.0), 1.0) for v in (*values, 1.0)[:4])
            return r, g, b, a
    return None


def _script(
    document: SdfDocument, script: Element
) -> tuple[tuple[float, float, float, float] | None, str]:
    """Return colour and texture of a named material."""
    xml = document.xml
    name = xml.child_text(script, "name")
    own = named_colour(name) if name.startswith("Gazebo/") else None
    if own is not None:
        return own, ""
    places = _script_places(document, script)
    found = looked_up(read_scripts(places), name)
    if found is None:
        xml.note(
            script, f"the material '{name}' was not found; grey is used", "missing", f"look {name}"
        )
        return None, ""
    picture = ""
    if found.texture:
        folders = [place if place.is_dir() else place.parent for place in places]
        picture = _picture(found.texture, folders)
        if not picture:
            searched = ", ".join(str(folder) for folder in folders)
            xml.note(
                script,
                f"the texture '{found.texture}' of '{name}' is in none of {searched}",
                "missing",
                f"texture {name}",
            )
    return found.colour, picture


def _script_places(document: SdfDocument, script: Element) -> list[Path]:
    places = []
    for element in script.findall("uri"):
        uri = (element.text or "").strip()
        try:
            find = (
                document.assets.find if uri.endswith(".material") else document.assets.find_folder
            )
            places.append(find(uri))
        except FormatError as error:
            document.xml.note(element, str(error), "missing", key=f"script {uri}")
    return places


def _picture(name: str, folders: list[Path]) -> str:
    """Return the file of a texture beside the scripts or in the folder of textures."""
    if not is_kind(name, "image") or Path(name).is_absolute() or ".." in Path(name).parts:
        return ""
    for folder in folders:
        for place in (folder, folder.parent / "textures", folder / "textures"):
            if (place / name).is_file():
                return str((place / name).resolve())
    return ""


def _texture(document: SdfDocument, element: Element, uri: str) -> str:
    try:
        return str(document.assets.find(uri))
    except FormatError as error:
        document.xml.note(element, f"the texture was left out: {error}", "missing", f"map {uri}")
        return ""


def read_surface(document: SdfDocument, collision: Element) -> ContactSurface:
    """Return how a collision rubs and gives way."""
    xml = document.xml
    surface = collision.find("surface")
    if surface is None:
        return ContactSurface()

    def figure(path: str) -> float | None:
        # empty <ode/> elements may come before or after the one with figures
        for element in surface.iterfind(path):
            if (element.text or "").strip():
                (value,) = xml.parse(element, str(element.tag), element.text or "", 1)
                if value < 0:
                    raise xml.fail(element, f"cannot be negative, got {value:g}")
                return value
        return None

    mu = figure("friction/ode/mu")
    return ContactSurface(
        mu if mu is not None else figure("friction/bullet/friction"),
        figure("friction/ode/mu2"),
        figure("contact/ode/kp"),
        figure("contact/ode/kd"),
        figure("bounce/restitution_coefficient"),
    )
