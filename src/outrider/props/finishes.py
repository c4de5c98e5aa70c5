"""Materials of props: friction and reflectivity by kind, and a texture."""

from dataclasses import replace

from outrider.world.materials import Material

_KINDS = {
    "wood": Material("wood", friction=0.5, rolling_resistance=0.012, reflectivity=0.5),
    "steel": Material("steel", friction=0.4, reflectivity=0.5),
    "brick": Material("brick", friction=0.7, rolling_resistance=0.015, reflectivity=0.35),
    "concrete": Material("concrete", friction=0.8, rolling_resistance=0.012, reflectivity=0.4),
    "asphalt": Material("asphalt", lateral_ratio=0.81, rolling_resistance=0.015, reflectivity=0.17),
    "plaster": Material("plaster", friction=0.6, reflectivity=0.7),
    "plastic": Material("plastic", friction=0.4, reflectivity=0.5),
    "glass": Material("glass", friction=0.4, reflectivity=0.1),
    "leaves": Material("leaves", friction=0.3, reflectivity=0.45, soft=True),
}
WHITE = (1.0, 1.0, 1.0)


def finish(
    kind: str,
    texture: str = "",
    colour: tuple[float, float, float] = WHITE,
    friction: float | None = None,
) -> Material:
    """Return a surface of a kind, with an image or of one colour."""
    surface = replace(_KINDS[kind], texture=texture, colour=(*colour, 1.0))
    return surface if friction is None else replace(surface, friction=friction)
