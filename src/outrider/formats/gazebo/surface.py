"""Friction, contact and colours as Gazebo writes them, as our materials."""

from dataclasses import dataclass, replace

from outrider.formats.notes import Notes
from outrider.world.materials import Material

PHYSICAL = 2.0  # no dry surface has more; larger figures mean "the other one decides"
USUAL = 1.0  # Gazebo's own default
_MOST_RATIO = 10.0

# What Gazebo's own material script makes of its names: the diffuse colours, and for textures a
# colour that is like them.
COLOURS: dict[str, tuple[float, float, float, float]] = {
    "black": (0.0, 0.0, 0.0, 1.0),
    "blue": (0.0, 0.0, 1.0, 1.0),
    "bluelaser": (0.0, 0.0, 1.0, 0.4),
    "darkgray": (0.175, 0.175, 0.175, 1.0),
    "darkgrey": (0.175, 0.175, 0.175, 1.0),
    "darkmagentatransparent": (0.5, 0.0, 0.5, 0.6),
    "darkyellow": (0.7, 0.7, 0.0, 1.0),
    "flatblack": (0.1, 0.1, 0.1, 1.0),
    "gold": (0.8, 0.65, 0.2, 1.0),
    "gray": (0.7, 0.7, 0.7, 1.0),
    "grey": (0.7, 0.7, 0.7, 1.0),
    "green": (0.0, 1.0, 0.0, 1.0),
    "indigo": (0.33, 0.0, 0.5, 1.0),
    "lightwood": (0.75, 0.6, 0.4, 1.0),
    "orange": (1.0, 0.51, 0.05, 1.0),
    "purple": (1.0, 0.0, 1.0, 1.0),
    "red": (1.0, 0.0, 0.0, 1.0),
    "redbright": (0.87, 0.26, 0.07, 1.0),
    "residential": (0.6, 0.55, 0.5, 1.0),
    "road": (0.3, 0.3, 0.3, 1.0),
    "skyblue": (0.13, 0.44, 0.7, 1.0),
    "turquoise": (0.0, 1.0, 1.0, 1.0),
    "white": (1.0, 1.0, 1.0, 1.0),
    "whiteglow": (1.0, 1.0, 1.0, 1.0),
    "wood": (0.55, 0.4, 0.25, 1.0),
    "woodpallet": (0.6, 0.45, 0.3, 1.0),
    "yellow": (1.0, 1.0, 0.0, 1.0),
    "zincyellow": (0.97, 0.95, 0.2, 1.0),
}


def named_colour(name: str) -> tuple[float, float, float, float] | None:
    """Return the colour of a name like ``Gazebo/Grey``."""
    family, _, colour = name.strip().rpartition("/")
    return COLOURS.get(colour.lower()) if family in ("Gazebo", "") else None


@dataclass(frozen=True, slots=True)
class ContactSurface:
    """What a collision says of its contact; None where it says nothing."""

    mu: float | None = None
    mu2: float | None = None
    stiffness: float | None = None
    damping: float | None = None
    restitution: float | None = None

    def on(self, material: Material, where: str, notes: Notes) -> Material:
        """Return a material with this surface's figures."""
        if self.mu is not None:
            material = self._rub(material, where, notes)
        if self.stiffness is not None and self.stiffness > 0:
            material = replace(material, stiffness=self.stiffness)
        if self.damping is not None and self.damping >= 0:
            material = replace(material, damping=self.damping)
        if self.restitution is not None and 0 <= self.restitution <= 1:
            material = replace(material, restitution=self.restitution)
        return material

    def _rub(self, material: Material, where: str, notes: Notes) -> Material:
        mu = self.mu or 0.0
        if mu > PHYSICAL:
            notes.add(
                "guessed",
                f"{where}: a friction of {mu:g} means in Gazebo that the other surface decides; "
                f"{USUAL:g} is used",
                key=f"friction {mu:g}",
            )
            return replace(material, friction=USUAL)
        ratio = (mu if self.mu2 is None else self.mu2) / mu if mu > 0 else 1.0
        if not 0 < ratio <= _MOST_RATIO:
            ratio = 1.0
        return replace(material, friction=mu, lateral_ratio=ratio)
