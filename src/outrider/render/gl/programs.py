"""Shaders, assembled from their files for what an image needs."""

from __future__ import annotations

import math
from importlib import resources

import numpy as np

from outrider.core.errors import RenderError
from outrider.core.untyped import GlObject
from outrider.render.gl.cascades import Cascades
from outrider.render.gl.constants import constants
from outrider.render.gl.context import GlContext
from outrider.render.hash_noise import CUBIC, LINEAR
from outrider.render.lamps import casts_from_lamp
from outrider.render.light import (
    CUT,
    DETAIL_MEAN,
    DETAIL_MIX,
    DETAIL_TURN,
    DISC_COSINE,
    SPOT_COSINES,
    UNDER,
    Lighting,
)
from outrider.render.relief import ALL_OF_IT, LEVEL, NOTHING_OF_IT
from outrider.render.wet_ground import WATER
from outrider.scene.roughness import CELLS, SIDE

MOST_LIGHTS = 8
MOST_SHADOWS = 4
FIRST_LAMP_MAP = 2 + MOST_SHADOWS  # texture unit
RELIEF_UNIT = FIRST_LAMP_MAP + MOST_LIGHTS
_CONSTANTS = {
    "CUT": CUT,
    "DETAIL_MEAN": DETAIL_MEAN,
    "TURN_X": DETAIL_TURN[0],
    "TURN_Y": DETAIL_TURN[1],
    "MIX": DETAIL_MIX,
    "MIX_REST": (1 - 2 * DETAIL_MIX) * math.sqrt(DETAIL_MEAN),
    "UNDER": UNDER,
    "SPOT_OUTER": SPOT_COSINES[0],
    "SPOT_INNER": SPOT_COSINES[1],
    "RELIEF_SIDE": SIDE,
    "RELIEF_LEVEL": LEVEL / 255,
    "RELIEF_FROM": NOTHING_OF_IT / (NOTHING_OF_IT - ALL_OF_IT),
    "RELIEF_FALL": CELLS / (NOTHING_OF_IT - ALL_OF_IT),
    "NOISE_LINEAR": float(LINEAR),
    "NOISE_CUBIC": float(CUBIC),
}
_VERTEX = {  # of those that have none of their own
    "measure": "scene",
    "holes": "scene",
    "nothing": "sky",
    "copy": "finish",
}
_PARTS = {
    "scene": (
        "shot",
        "texture",
        "varyings",
        "lamps",
        "light",
        "relief",
        "water",
        "film",
        "scene.frag",
    ),
    "measure": ("shot", "texture", "measured", "measure.frag"),
    "holes": ("shot", "texture", "shadow.frag"),
    "sky": ("shot", "glow", "film", "sky.frag"),
    "nothing": ("shot", "measured", "nothing.frag"),
    "shadow": ("texture", "shadow.frag"),
    "copy": ("copy.frag",),
    "finish": ("shot", "film", "finish.frag"),
}


class ShaderPrograms:
    """Compiles a program when it is first needed, and keeps it."""

    def __init__(self, context: GlContext, light: Lighting, cascades: Cascades) -> None:
        self._gl = context.gl
        self._made: dict[tuple[str, frozenset[str]], GlObject] = {}
        self._defines = dict(_CONSTANTS)
        if context.driver.on_processor:
            self._defines["DIRECTED"] = 1  # where no graphics processor does it
        self._shadows = [i for i, row in enumerate(light.lights) if casts(row)]
        self._lights = light.lights
        self._constants = constants(light, cascades)
        if len(light.lights) > MOST_LIGHTS or len(self._shadows) > MOST_SHADOWS:
            raise RenderError(
                f"the OpenGL renderer draws {MOST_LIGHTS} lights, {MOST_SHADOWS} of them with "
                f"shadows; this world has {len(light.lights)} and {len(self._shadows)}"
            )
        if self._shadows:
            self._defines |= {"SHADOWS": len(self._shadows), "LEVELS": len(cascades.halves)}
            self._defines["ATLAS_RATIO"] = cascades.atlas[0] / cascades.atlas[1]
        if light.haze > 0:
            self._defines["HAZE"] = light.haze
        wet = light.wet > 0 or light.snow > 0
        if wet:
            self._defines |= {"WET": float(light.wet), "SNOW": float(light.snow), **WATER}
        if light.glow.max() > 0:
            self._defines["GLOW"] = 1
        if light.haze > 0 or wet or (light.lights["kind"] != 0).any():
            self._defines["POSITIONS"] = 1
        self._carried = [i for i, row in enumerate(light.lights) if row["body"] >= 0]
        if self._carried:
            self._defines["CARRIED"] = len(self._carried)

    def release(self) -> None:
        """Let go of all programs: another light needs others."""
        for program in self._made.values():
            program.release()
        self._made.clear()

    def get(self, name: str, *flags: str) -> GlObject:
        """Return the program of a name with some parts switched on."""
        key = name, frozenset(flags)
        if key not in self._made:
            self._made[key] = self._compile(name, flags)
        return self._made[key]

    def _compile(self, name: str, flags: tuple[str, ...]) -> GlObject:
        defines = self._defines | dict.fromkeys(flags, 1)
        head = "#version 430\n" + "".join(f"#define {k} {v}\n" for k, v in defines.items())
        vertex = _VERTEX.get(name, name)
        before = "" if vertex == "shadow" else _text("shot") + _text("film.vert")
        names = [*(f"shadow_atlas_{n}" for n in self._atlases()), *self._lamp_maps()]
        maps = "".join(f"uniform sampler2DShadow {name};\n" for name in names)
        fragment = self._constants + maps + "".join(_text(part) for part in _PARTS[name])
        fragment = fragment.replace("ADD_LIGHTS", self._sum()).replace("ADD_DISCS", self._discs())
        program = self._gl.program(
            vertex_shader=head + before + _text(f"{vertex}.vert"), fragment_shader=head + fragment
        )
        self._wire(program)
        return program

    def _atlases(self) -> range:
        return range(len(self._shadows))

    def _wire(self, program: GlObject) -> None:
        """Say where each program finds its textures and the shot."""
        units = {
            "picture": 0,
            "straight": 0,
            "source": 0,
            "source_uv": 1,
            "detail": 1,
            "opacity": 0,
        }
        units["relief"] = RELIEF_UNIT
        units |= {f"shadow_atlas_{n}": 2 + n for n in self._atlases()}
        units |= {name: FIRST_LAMP_MAP + n for n, name in enumerate(self._lamp_maps())}
        for name, unit in units.items():
            if name in program:
                program[name].value = unit
        if "Shot" in program:
            program["Shot"].binding = 0
        if "Lamps" in program:
            program["Lamps"].binding = 1

    def _sum(self) -> str:
        """Return a line for each light: what kind it is need not be asked in every pixel."""
        lines = []
        for i, row in enumerate(self._lights):
            if row["kind"] == 0:
                n = self._shadows.index(i) if i in self._shadows else None
                seen = "" if n is None else f"lit({n}, shadow_atlas_{n}) * "
                lines.append(f"sum += {seen}from_sun({i}, normal);")
            else:
                lines.append(self._lamp_line(i, row))
        return "\n    ".join(lines)

    def _lamp_line(self, i: int, row: np.void) -> str:
        spot = "true" if row["kind"] == 2 else "false"
        place, towards, seen = f"LIGHT_POSITION[{i}]", f"TOWARDS[{i}]", ""
        if i in self._carried:
            k = self._carried.index(i)
            place, towards = f"lamp_position[{k}].xyz", f"lamp_towards[{k}].xyz"
            if casts_from_lamp(row):
                seen = f"unshaded({k}, lamp_map_{k}, v_position) * "
        return f"sum += {seen}from_lamp({i}, {spot}, {place}, {towards}, v_position, normal);"

    def _lamp_maps(self) -> list[str]:
        """Return the names of the shadow maps of lamps."""
        cast = [k for k, i in enumerate(self._carried) if casts_from_lamp(self._lights[i])]
        return [f"lamp_map_{k}" for k in cast]

    def _discs(self) -> str:
        lines = [
            f"if (dot(ray, TOWARDS[{i}]) > {DISC_COSINE:.9f}) light = vec3(1.0);"
            for i, row in enumerate(self._lights)
            if row["kind"] == 0 and row["disc"]
        ]
        return "\n    ".join(lines)


def casts(light: np.void) -> bool:
    """Say whether a light throws shadows."""
    return bool(light["kind"] == 0 and light["shadows"])


def _text(name: str) -> str:
    folder = resources.files("outrider.render.gl") / "shaders"
    return (folder / f"{name}.glsl").read_text(encoding="utf-8")
