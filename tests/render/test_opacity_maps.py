"""A picture of a surface's opacity, apart from that of its colours: holes, veils and LiDARs."""

import numpy as np
import pytest
from render_rig import NO_BODIES, VGA, camera, save_image, scene_of, wall

from outrider.formats.mesh.asset import asset_geometry, read_mesh_asset
from outrider.render.light import linear_of
from outrider.render.shot import Shot
from outrider.scene.past_poses import PastPoses
from outrider.sim.simulation import Simulation
from outrider.world.model import Link, Model, World

WALL_LIGHT = 0.75  # of the sky's light, on a white wall
BLUE = (51, 102, 230)
COLUMNS = (90, 205, 320, 435, 550)  # in a picture: the wall, and three columns of a sheet, wall
DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_images><image id="c"><init_from>colour.png</init_from></image>
<image id="o"><init_from>opacity.png</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON><technique sid="c"><lambert>
<diffuse>{diffuse}</diffuse>{transparent}</lambert></technique></profile_COMMON></effect>
</library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">2 -1 -1 2 1 -1 2 1 1 2 -1 1</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
<source id="t"><float_array id="ta" count="8">0 0 1 0 1 1 0 1</float_array>
<technique_common><accessor source="#ta" count="4" stride="2"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="2" material="m"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="TEXCOORD" source="#t" offset="0" set="0"/><p>0 1 2 0 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"><bind_material>
<technique_common><instance_material symbol="m" target="#m"/></technique_common></bind_material>
</instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""
PAINT, PICTURE = "<color>0.2 0.4 0.902 1</color>", "<texture texture='c' texcoord='UV'/>"


def collada(rule, amount=1.0, diffuse=PICTURE):
    picture = f"<transparent opaque='{rule}'><texture texture='o' texcoord='UV'/></transparent>"
    amount = f"<transparency><float>{amount}</float></transparency>"
    text = DAE.format(diffuse=diffuse, transparent=picture + amount)

    def write(folder):
        (folder / "sheet.dae").write_text(text, "utf-8")
        return folder / "sheet.dae"

    return write


def wavefront(*lines):
    def write(folder):
        (folder / "sheet.mtl").write_text("\n".join(["newmtl m", *lines, ""]), "utf-8")
        corners = "v 2 -1 -1\nv 2 1 -1\nv 2 1 1\nv 2 -1 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
        text = f"mtllib sheet.mtl\n{corners}usemtl m\nf 1/1 2/2 3/3 4/4\n"
        (folder / "sheet.obj").write_text(text, "utf-8")
        return folder / "sheet.obj"

    return write


def fbx(prop):
    """The same sheet as text of FBX 7.4, its maps at a material's properties."""
    picture = (
        'Texture: {0}, "Texture::{1}", "" {{ Type: "TextureVideoClip"\n Version: 202\n'
        ' TextureName: "Texture::{1}"\n FileName: "{1}"\n RelativeFilename: "{1}"\n }}\n'
    )
    layers = "".join(
        f'LayerElement: {{ Type: "LayerElement{kind}"\n TypedIndex: 0\n }}\n'
        for kind in ("UV", "Material")
    )
    text = f"""; FBX 7.4.0 project file
FBXHeaderExtension: {{ FBXHeaderVersion: 1003\n FBXVersion: 7400\n }}
GlobalSettings: {{ Version: 1000\n Properties70: {{
P: "UpAxis", "int", "Integer", "",2\n P: "UpAxisSign", "int", "Integer", "",1
P: "FrontAxis", "int", "Integer", "",1\n P: "FrontAxisSign", "int", "Integer", "",-1
P: "CoordAxis", "int", "Integer", "",0\n P: "CoordAxisSign", "int", "Integer", "",1
P: "UnitScaleFactor", "double", "Number", "",100
}} }}
Objects: {{
Geometry: 1, "Geometry::g", "Mesh" {{
Vertices: *12 {{ a: 2,-1,-1,2,1,-1,2,1,1,2,-1,1\n }}
PolygonVertexIndex: *4 {{ a: 0,1,2,-4\n }}
LayerElementUV: 0 {{ Version: 101\n Name: "UV"\n MappingInformationType: "ByPolygonVertex"
ReferenceInformationType: "IndexToDirect"\n UV: *8 {{ a: 0,0,1,0,1,1,0,1\n }}
UVIndex: *4 {{ a: 0,1,2,3\n }} }}
LayerElementMaterial: 0 {{ Version: 101\n Name: ""\n MappingInformationType: "AllSame"
ReferenceInformationType: "IndexToDirect"\n Materials: *1 {{ a: 0\n }} }}
Layer: 0 {{ Version: 100\n {layers} }}
}}
Model: 2, "Model::sheet", "Mesh" {{ Version: 232\n }}
Material: 3, "Material::m", "" {{ Version: 102\n ShadingModel: "lambert"\n }}
{picture.format(4, "colour.png")}{picture.format(5, "opacity.png")}
}}
Connections: {{
C: "OO",1,2\n C: "OO",2,0\n C: "OO",3,2
C: "OP",4,3, "DiffuseColor"\n C: "OP",5,3, "{prop}"
}}
"""

    def write(folder):
        pytest.importorskip("assimp_py")
        (folder / "sheet.fbx").write_text(text, "utf-8")
        return folder / "sheet.fbx"

    return write


def grey(opacity):
    return np.repeat(opacity[..., None], 3, axis=2)


def red_only(opacity):
    return np.dstack([opacity, 255 - opacity, 255 - opacity])


def own(opacity):
    """The opacity of a picture that is otherwise white."""
    return np.dstack([np.full((*opacity.shape, 3), 255), opacity])


def negative(opacity):
    return grey(255 - opacity)


WAYS = {
    "map_d over a picture": (wavefront("map_Kd colour.png", "map_d opacity.png"), grey),
    "map_d over a colour": (wavefront("Kd 0.2 0.4 0.902", "map_d opacity.png"), grey),
    "map_d, its own opacity": (wavefront("Kd 0.2 0.4 0.902", "map_d opacity.png"), own),
    "map_d, a channel": (wavefront("map_Kd colour.png", "map_d -imfchan r opacity.png"), red_only),
    "map_Tr": (wavefront("map_Kd colour.png", "map_Tr opacity.png"), negative),
    "FBX, TransparentColor": (fbx("TransparentColor"), grey),
    "FBX, TransparencyFactor": (fbx("TransparencyFactor"), own),
    "Collada, A_ONE": (collada("A_ONE"), own),
    "Collada, A_ONE, grey": (collada("A_ONE", diffuse=PAINT), grey),
    "Collada, RGB_ONE": (collada("RGB_ONE"), grey),
    "Collada, RGB_ZERO": (collada("RGB_ZERO", diffuse=PAINT), negative),
}


@pytest.fixture(params=list(WAYS))
def sheet(request, tmp_path):
    """Return what makes a blue sheet two metres before the origin, of an opacity map."""
    write, coded = WAYS[request.param]
    save_image(tmp_path / "colour.png", np.full((4, 4, 3), BLUE, np.uint8))

    def made(opacity):
        save_image(tmp_path / "opacity.png", coded(opacity))
        shapes = asset_geometry(read_mesh_asset(write(tmp_path)))
        return Model("sheet", (Link("link", None, shapes),), mobility="static")

    return made


def striped():
    """The middle one of three columns is a hole."""
    opacity = np.full((48, 48), 255, np.uint8)
    opacity[:, 16:32] = 0
    return opacity


def light_at_columns(studio, model):
    scene = scene_of(wall(5.0, colour=(1, 1, 1, 1)), model, lights=(), ambient=(1.0, 1.0, 1.0))
    row = studio.one(scene, Shot(camera(), VGA)).colour[200]
    return np.array([linear_of(row[x] / 255.0) for x in COLUMNS])


def test_a_map_cuts_holes_into_a_surface(studio, sheet):
    seen = light_at_columns(studio, sheet(striped()))
    blue = WALL_LIGHT * linear_of(np.array(BLUE) / 255.0)
    white = [WALL_LIGHT] * 3
    assert seen == pytest.approx(np.array([white, blue, white, blue, white]), abs=0.01)


def test_a_map_of_greys_is_blended(studio, sheet):
    seen = light_at_columns(studio, sheet(np.full((8, 8), 77, np.uint8)))
    share = 77 / 255
    blue = WALL_LIGHT * linear_of(np.array(BLUE) / 255.0)
    mixed = share * blue + (1 - share) * WALL_LIGHT
    assert seen[1:4] == pytest.approx(np.array([mixed] * 3), abs=0.01)


def test_beams_pass_the_holes_of_a_map(sheet):
    world = World("w", (wall(5.0), sheet(striped())))
    scene = Simulation(world).rig.scene
    ways = np.array([[2.0, y, 0.1] for y in (0.66, 0.0, -0.66)])
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    rays = np.zeros((3, 3), np.float32), ways.astype(np.float32), np.full(3, 50, np.float32)
    sight = scene.look(*rays, np.zeros(3, np.int64), PastPoses.of(NO_BODIES, 0), by_light=True)
    assert sight.distance * ways[:, 0] == pytest.approx([2.0, 5.0, 2.0], abs=1e-3)


def test_a_share_of_all_is_multiplied_with_the_map(studio, tmp_path):
    save_image(tmp_path / "opacity.png", grey(np.full((8, 8), 153, np.uint8)))
    for write in (
        wavefront("Kd 0 0 0", "d 0.5", "map_d opacity.png"),
        collada("RGB_ONE", 0.5, "<color>0 0 0 1</color>"),
    ):
        shapes = asset_geometry(read_mesh_asset(write(tmp_path)))
        model = Model("sheet", (Link("link", None, shapes),), mobility="static")
        seen = light_at_columns(studio, model)[1:4]
        assert seen == pytest.approx(np.full((3, 3), WALL_LIGHT * 0.7), abs=0.01)


@pytest.mark.parametrize("rule", ["A_ONE", "RGB_ZERO"])
def test_colours_named_as_their_own_map_stay_as_they_are(tmp_path, rule):
    save_image(tmp_path / "colour.png", np.full((4, 4, 3), BLUE, np.uint8))
    both = wavefront("map_Kd colour.png", "map_d colour.png")(tmp_path)
    again = collada(rule)(tmp_path)
    again.write_text(again.read_text().replace("texture='o'", "texture='c'"), "utf-8")
    for path in (both, again):
        (part,) = read_mesh_asset(path).parts
        assert part.texture == str((tmp_path / "colour.png").resolve())
        assert part.opacity == 1.0


@pytest.mark.parametrize("write", [wavefront("Kd 1 0 0", "map_d opacity.png"), collada("A_ONE")])
def test_a_map_that_is_missing_or_broken_is_noted(tmp_path, write):
    save_image(tmp_path / "colour.png", np.full((4, 4, 3), BLUE, np.uint8))
    asset = read_mesh_asset(write(tmp_path))
    assert any("there is no opacity map 'opacity.png'; it is left out" in n for n in asset.notes)
    (tmp_path / "opacity.png").write_bytes(b"none")
    path = write(tmp_path)
    path.write_text(path.read_text() + "\n", "utf-8")  # a mesh is read again when it has changed
    asset = read_mesh_asset(path)
    assert any("the opacity map was left out" in note for note in asset.notes)
    assert asset.parts[0].opacity == 1.0
