"""A world's light as constants of its shaders."""

from collections.abc import Iterable

import numpy as np

from outrider.core.frames import AnyArray
from outrider.render.gl.cascades import Cascades
from outrider.render.light import LIGHT, Lighting
from outrider.render.wet_ground import SNOW_COLOUR


def constants(light: Lighting, cascades: Cascades) -> str:
    """Return their declarations: light, and how far and how finely each square of a shadow goes."""
    rows = light.lights if len(light.lights) else np.zeros(1, LIGHT)
    arrays = {
        "TOWARDS": rows["towards"],
        "LIGHT_COLOUR": rows["colour"],
        "LIGHT_POSITION": rows["position"],
        "LIGHT_RANGE": rows["range"],
        "SHADOW_REACH": np.minimum(cascades.reach, 1e9),
        "SHADOW_SCALE": np.array(cascades.scale),
    }
    single = {"AMBIENT": light.ambient, "SKY": light.sky, "HORIZON": light.horizon}
    single |= {"GLOW_COLOUR": light.glow, "GLOW_TOWARDS": light.glow_towards}
    single["SNOW_COLOUR"] = np.array(SNOW_COLOUR)
    lines = [f"const vec3 {name} = {_value(value)};" for name, value in single.items()]
    lines += [_array(name, values) for name, values in arrays.items()]
    return "\n".join(lines) + "\n"


def _array(name: str, values: AnyArray) -> str:
    kind = "float" if values.ndim == 1 else "vec3"
    return f"const {kind} {name}[] = {kind}[]({', '.join(_value(value) for value in values)});"


def _value(value: float | Iterable[float]) -> str:
    """Return a number or three as GLSL writes them."""
    if isinstance(value, Iterable):
        return f"vec3({', '.join(_value(part) for part in value)})"
    return f"float({float(value):.9g})"
