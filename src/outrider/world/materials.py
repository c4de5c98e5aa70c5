"""Materials of surfaces: how they carry a wheel, reflect light and are coloured."""

from dataclasses import dataclass

from outrider.core.structure import number, rgba

OPAQUE = 0.999  # opacity from which on nothing is seen through
HALF = 0.5  # opacity below which depth, labels and LiDARs go through


@dataclass(frozen=True, slots=True)
class Roughness:
    """Ground below the mesh's resolution, as a spectrum ``density * (n / 0.1) ** -slope``.

    ``density`` is the one-sided displacement spectrum in m^3 at 0.1 cycles per metre; wave numbers
    n run from 0.5 to 25 cycles per metre. Tyres feel it, LiDARs and depth cameras measure it, and
    cameras see its shading.
    """

    density: float = number(0.0, least=0.0, most=1.0)  # m^3 at 0.1 cycles per metre
    slope: float = number(2.0, above=0.0, most=6.0)  # exponent


@dataclass(frozen=True, slots=True)
class Material:
    """One surface: friction is for tyres and other contacts alike."""

    name: str = "default"
    friction: float = number(0.8, least=0.0, most=10.0)  # coefficient, sliding, along a wheel
    lateral_ratio: float = number(1.0, above=0.0, most=10.0)  # friction across a wheel over along
    static_ratio: float = number(1.1, least=1.0, most=3.0)  # static over sliding friction
    restitution: float = number(0.0, least=0.0, most=1.0)  # of speed after a bounce
    rolling_resistance: float = number(0.01, least=0.0, most=1.0)  # force over load
    stiffness: float = number(1e6, above=0.0)  # N/m, under one tyre
    damping: float = number(2e3, least=0.0)  # N s/m, under one tyre
    shear_ratio: float = number(0.8, above=0.0, most=2.0)  # shear over normal stiffness
    roughness: Roughness = Roughness()
    reflectivity: float = number(0.4, least=0.0, most=1.0)  # diffuse, near 900 nm
    # whether near infrared light passes; null: where the opacity is below 0.5
    transmits_infrared: bool | None = None
    refractive_index: float = number(1.5, least=1.0, most=4.0)  # for infrared
    # per metre behind the surface; above 0 it fills what is behind it, as water does
    infrared_absorption: float = number(0.0, least=0.0, most=1e6)
    facet_slope: float = number(0.01, above=0.0, most=1.0)  # RMS slope of a transparent surface
    hidden_from_sensors: bool = False
    soft: bool = False  # visible but not solid: leaves, blades of grass
    # red, green, blue, opacity; an opacity of 1 may be left out
    colour: tuple[float, float, float, float] = rgba((0.6, 0.6, 0.6, 1.0))
    texture: str = ""
    # m that one copy of the texture covers where a shape has no uv; 0: all of the shape
    texture_size: float = number(1.0, least=0.0)
    detail: str = ""  # a tileable image blended over the texture; mid-grey has no effect
    detail_repeat: tuple[float, float] = (1.0, 1.0)  # repeats per unit of texture coordinate


def is_unseen(material: Material) -> bool:
    """Return whether no sensor finds a surface: it hides, or nothing of it is there to be seen."""
    clear = material.colour[3] <= 0.0 and material.transmits_infrared is None
    return material.hidden_from_sensors or clear


def passes_infrared(material: Material, opacity: float) -> bool:
    """Return whether the light of LiDARs goes through a surface as opaque as it is seen."""
    if material.transmits_infrared is None:
        return opacity < HALF
    return material.transmits_infrared
