"""The ``<gazebo>`` extension tags of a URDF: what they say of links, joints and the whole robot."""

from dataclasses import dataclass, field, replace

from lxml import etree

from outrider.formats.gazebo.surface import ContactSurface
from outrider.formats.xml_source import Element, XmlSource

_NUMBERS = {"mu": "mu", "mu1": "mu", "mu2": "mu2", "kp": "stiffness", "kd": "damping"}
_SPRINGS = {"springStiffness": "stiffness", "springReference": "rest"}
# what Gazebo's solver and its merging of links need, and nothing here does
_NEEDLESS = (
    "canonicalBody",
    "dampingFactor",
    "disableFixedJointLumping",
    "fdir1",
    "implicitSpringDamper",
    "maxContacts",
    "maxVel",
    "max_contacts",
    "minDepth",
    "preserveFixedJoint",
    "provideFeedback",
    "selfCollide",
    "self_collide",
    "stopCfm",
    "stopErp",
    "stopErp",
    "stopCfm",
    "fudgeFactor",
    "cfmDamping",
    "genTexCoord",
    "laserRetro",
    "maxStepSize",
)
MAX_RAW = 1000


@dataclass(slots=True)
class GazeboTags:
    """All extension tags of one file; what has no meaning here is kept as text."""

    surfaces: dict[str, ContactSurface] = field(default_factory=dict)  # by link
    materials: dict[str, str] = field(default_factory=dict)  # by link
    springs: dict[str, dict[str, float]] = field(default_factory=dict)  # by joint
    sensors: list[tuple[str, Element]] = field(default_factory=list)  # link, <sensor>
    plugins: list[Element] = field(default_factory=list)
    static: bool = False
    raw: list[str] = field(default_factory=list)


def read_gazebo_tags(source: XmlSource) -> GazeboTags:
    """Return what a document's ``<gazebo>`` elements say."""
    tags = GazeboTags()
    for element in source.root.findall("gazebo"):
        reference = element.get("reference", "")
        for child in element:
            _read_tag(source, tags, reference, child)
    return tags


def _read_tag(source: XmlSource, tags: GazeboTags, reference: str, child: Element) -> None:
    tag = str(child.tag)
    if tag in _NUMBERS and reference:
        surface = tags.surfaces.get(reference, ContactSurface())
        value = _number(source, child)
        tags.surfaces[reference] = replace(surface, **{_NUMBERS[tag]: value})
    elif tag in _SPRINGS and reference:
        tags.springs.setdefault(reference, {})[_SPRINGS[tag]] = _number(source, child, least=-1e300)
    elif tag == "material":
        tags.materials[reference] = child.get("name") or (child.text or "").strip()
    elif tag == "sensor":
        tags.sensors.append((reference, child))
    elif tag == "plugin":
        tags.plugins.append(child)
    elif tag == "static":
        tags.static = _is_true(child)
    elif tag in ("turnGravityOff", "gravity"):
        if _is_true(child) == (tag == "turnGravityOff"):
            source.note(child, f"'{reference}' has gravity here: switching it off was left out")
    else:
        _keep(source, tags, reference, child)


def _keep(source: XmlSource, tags: GazeboTags, reference: str, child: Element) -> None:
    if child.tag in _NEEDLESS:
        source.note(child, "is for Gazebo's solver and was left out", key=f"needless {child.tag}")
        return
    if len(tags.raw) < MAX_RAW:
        tags.raw.append(etree.tostring(child, encoding="unicode", with_tail=False))
    source.note(
        child, f"<gazebo> extension for '{reference}' was left out", key=f"gazebo {child.tag}"
    )


def _number(source: XmlSource, element: Element, least: float = 0.0) -> float:
    text = element.get("value") or element.text or ""
    (value,) = source.parse(element, str(element.tag), text, 1)
    if value < least:
        what = "friction" if str(element.tag).startswith("mu") else f"<{element.tag}>"
        raise source.fail(element, f"{what} cannot be negative, got {value:g}")
    return value


def _is_true(element: Element) -> bool:
    return (element.get("value") or element.text or "").strip().lower() in ("1", "true")
