"""Geoms of a compiled MuJoCo model as visuals and colliders."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.formats.notes import Notes
from outrider.world import shapes
from outrider.world.materials import Material
from outrider.world.model import Geometry, Inertial, Link
from outrider.world.tessellate import tessellate

if TYPE_CHECKING:
    import mujoco

_BALL = 2  # of mjtGeom
_ENDLESS = 2000.0
_UNPAINTED = np.array([0.5, 0.5, 0.5, 1.0], np.float32)  # any other colour outdoes the material's
_COLOUR_ROLE = 1  # of mjtTextureRole
_ON_BALL_JOINT = 1  # of mjtJoint
_HIDDEN_GROUP = 3  # from here on MuJoCo's viewer shows nothing unless asked


class MjcfGeometry:
    """Makes shapes out of geoms; meshes and height fields are shared."""

    def __init__(self, compiled: "mujoco.MjModel", notes: Notes, source: str) -> None:
        self.m = compiled
        self.notes = notes
        self.source = source
        self._meshes: dict[int, shapes.Mesh] = {}
        self._fields: dict[int, shapes.HeightField] = {}

    def link(self, body: int, name: str, inertial: Inertial | None) -> Link:
        """Return a body's link: geoms that touch nothing are seen, those of hidden groups felt."""
        return self._link([i for i in self._geoms(body) if not self._slides(i)], name, inertial)

    def sliding_balls(self, body: int, name: str) -> list[tuple[Pose, Link]]:
        """Return a link, and where it is, for every ball of a body that slides: its castors."""
        balls = [i for i in self._geoms(body) if self._slides(i)]
        return [(self._pose(i), self._ball(i, f"{name}_castor_{i}")) for i in balls]

    def _ball(self, i: int, name: str) -> Link:
        """Return a ball in the middle of its own link."""
        link = self._link([i], name, None)
        seen, felt = ([replace(g, pose=Pose()) for g in p] for p in (link.visuals, link.colliders))
        return Link(name, None, tuple(seen), tuple(felt))

    def _geoms(self, body: int) -> range:
        first = int(self.m.body_geomadr[body])
        return range(first, first + int(self.m.body_geomnum[body])) if first >= 0 else range(0)

    def _slides(self, i: int) -> bool:
        """Return whether a geom is a ball on a moving body that rolls or has no friction."""
        m = self.m
        is_ball = int(m.geom_type[i]) == _BALL and bool(m.geom_contype[i] or m.geom_conaffinity[i])
        smooth = int(m.geom_condim[i]) == 1 or self._rolls(i)
        return is_ball and smooth and int(m.geom_bodyid[i]) != 0

    def _rolls(self, i: int) -> bool:
        """Return whether a geom turns about its own middle in all directions."""
        m = self.m
        first = int(m.body_jntadr[m.geom_bodyid[i]])
        if first < 0 or int(m.jnt_type[first]) != _ON_BALL_JOINT:
            return False
        return bool(np.allclose(m.jnt_pos[first], m.geom_pos[i], atol=1e-6))

    def _link(self, geoms: Sequence[int], name: str, inertial: Inertial | None) -> Link:
        m = self.m
        visuals: list[Geometry] = []
        colliders: list[Geometry] = []
        for i in geoms:
            shape = self._shape(i)
            if shape is None:
                continue
            geometry = Geometry(shape, self._pose(i), self._material(i), self._name(i))
            touches = bool(m.geom_contype[i] or m.geom_conaffinity[i])
            if touches:
                colliders.append(geometry)
            if not touches or m.geom_group[i] < _HIDDEN_GROUP:
                visuals.append(geometry)
        return Link(name, inertial, tuple(visuals), tuple(colliders))

    def _shape(self, i: int) -> shapes.Shape | None:
        kind = int(self.m.geom_type[i])
        x, y, z = (float(v) for v in self.m.geom_size[i])
        match kind:
            case 0:
                return shapes.Plane(2 * max(x, y) or _ENDLESS)
            case 1:
                return self._field(int(self.m.geom_dataid[i]))
            case 2:
                return shapes.Sphere(x)
            case 3:
                return shapes.Capsule(x, 2 * y)
            case 4:
                ball = tessellate(shapes.Sphere(1.0))
                return shapes.Mesh(ball.vertices * np.array([x, y, z]), ball.faces, "ellipsoid")
            case 5:
                return shapes.Cylinder(x, 2 * y)
            case 6:
                return shapes.Box((2 * x, 2 * y, 2 * z))
            case 7:
                return self._mesh(int(self.m.geom_dataid[i]))
        self.notes.add("ignored", f"{self.source}: geoms of kind {kind} were left out")
        return None

    def _pose(self, i: int) -> Pose:
        m = self.m
        w, x, y, z = (float(v) for v in m.geom_quat[i])
        return Pose(np.array(m.geom_pos[i]), np.array([x, y, z, w]))

    def _mesh(self, number: int) -> shapes.Mesh:
        if number not in self._meshes:
            m = self.m
            start, count = int(m.mesh_vertadr[number]), int(m.mesh_vertnum[number])
            first, faces = int(m.mesh_faceadr[number]), int(m.mesh_facenum[number])
            vertices = np.array(m.mesh_vert[start : start + count], np.float64)
            self._meshes[number] = shapes.Mesh(
                vertices, np.array(m.mesh_face[first : first + faces], np.int32), "mjcf"
            )
        return self._meshes[number]

    def _field(self, number: int) -> shapes.HeightField:
        """Return heights; MuJoCo keeps them between 0 and 1, in rows along x."""
        if number not in self._fields:
            m = self.m
            rows, columns = int(m.hfield_nrow[number]), int(m.hfield_ncol[number])
            start = int(m.hfield_adr[number])
            x, y, top, _ = (float(v) for v in m.hfield_size[number])
            heights = np.array(m.hfield_data[start : start + rows * columns], np.float64)
            grid = heights.reshape(rows, columns).T * top
            self._fields[number] = shapes.HeightField(grid, (2 * x, 2 * y))
        return self._fields[number]

    def _material(self, i: int) -> Material:
        m = self.m
        number = int(m.geom_matid[i])
        own = number < 0 or not np.array_equal(m.geom_rgba[i], _UNPAINTED)
        told = np.array(m.geom_rgba[i] if own else m.mat_rgba[number], np.float64)
        told[:3] *= self._texture_colour(number)
        r, g, b, a = (min(max(float(v), 0.0), 1.0) for v in told)
        rubs = m.geom_condim[i] > 1 and not self._slides(i)
        friction = min(float(m.geom_friction[i, 0]), 10.0) if rubs else 0.0
        return replace(Material(), friction=friction, colour=(r, g, b, a))

    def _texture_colour(self, material: int) -> Array:
        """Return the mean colour of a material's texture, white where it has none."""
        m = self.m
        texture = int(m.mat_texid[material, _COLOUR_ROLE]) if material >= 0 else -1
        if texture < 0:
            return np.ones(3)
        self.notes.add(
            "ignored", f"{self.source}: textures were left out; their mean colours are used"
        )
        start, channels = int(m.tex_adr[texture]), int(m.tex_nchannel[texture])
        count = int(m.tex_width[texture]) * int(m.tex_height[texture])
        texels = np.asarray(m.tex_data[start : start + count * channels]).reshape(count, channels)
        mean: Array = texels[:, : min(channels, 3)].mean(0) / 255.0  # one channel is grey
        return mean

    def _name(self, i: int) -> str:
        start = int(self.m.name_geomadr[i])
        names: bytes = bytes(self.m.names)
        return names[start : names.index(b"\0", start)].decode(errors="replace")
