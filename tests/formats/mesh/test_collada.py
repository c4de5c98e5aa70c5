"""Collada by hand: units, axes, nodes, polygons with holes, materials; what is refused."""

import numpy as np
import pytest
from PIL import Image

from outrider.cli.main import main
from outrider.core.errors import FormatError
from outrider.formats.import_file import import_file
from outrider.formats.mesh.asset import read_mesh_asset
from outrider.formats.mesh.collada import document as collada_document

TRIANGLE = """
<geometry id="g" name="Shape"><mesh>
  <source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
    <technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
  <source id="t"><float_array id="ta" count="6">0 0 1 0 0 1</float_array>
    <technique_common><accessor source="#ta" count="3" stride="2"/></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  {primitives}
</mesh></geometry>"""
FACE = """<triangles count="1" material="paint"><input semantic="VERTEX" source="#v" offset="0"/>
  <input semantic="TEXCOORD" source="#t" offset="1" set="0"/><p>0 0 1 1 2 2</p></triangles>"""
INSTANCE = """<instance_geometry url="#g"><bind_material><technique_common>
  <instance_material symbol="paint" target="#m"/></technique_common></bind_material>
  </instance_geometry>"""
EFFECT = """<library_images><image id="i"><init_from>{image}</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON>
  <newparam sid="sur"><surface type="2D"><init_from>i</init_from></surface></newparam>
  <newparam sid="sam"><sampler2D><source>sur</source></sampler2D></newparam>
  <technique sid="c"><lambert><diffuse>{diffuse}</diffuse>{more}</lambert></technique>
</profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>"""
RED = "<color>1 0 0 1</color>"
TEXTURE = '<texture texture="sam" texcoord="UV"/>'


@pytest.fixture
def dae(tmp_path):
    def write(
        nodes=f'<node id="n" name="Node">{INSTANCE}</node>',
        *,
        asset='<unit meter="1"/><up_axis>Z_UP</up_axis>',
        primitives=FACE,
        diffuse=RED,
        more="",
        image="wall.png",
        extra="",
        head="",
    ):
        effect = EFFECT.format(diffuse=diffuse, more=more, image=image)
        geometry = TRIANGLE.format(primitives=primitives)
        path = tmp_path / "thing.dae"
        path.write_text(
            f'{head}<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
            f"<asset>{asset}</asset>{effect}<library_geometries>{geometry}</library_geometries>"
            f'{extra}<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene>'
            '</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>'
        )
        return path

    return write


def corners(part):
    return part.mesh.vertices[part.mesh.faces[0]].tolist()


def test_colour_and_texture_coordinates_belong_to_the_part(dae):
    (part,) = read_mesh_asset(dae()).parts
    assert part.name == "Node"
    assert part.colour == (1.0, 0.0, 0.0, 1.0)
    assert corners(part) == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert part.mesh.uv[part.mesh.faces[0]].tolist() == [[0, 0], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("axis", "expected"),
    [
        ("Z_UP", [[0, 0, 0], [1, 0, 0], [0, 1, 0]]),
        ("Y_UP", [[0, 0, 0], [1, 0, 0], [0, 0, 1]]),
        ("X_UP", [[0, 0, 0], [0, 0, 1], [-1, 0, 0]]),
    ],
)
def test_every_axis_can_point_up(dae, axis, expected):
    path = dae(asset=f'<unit meter="0.5"/><up_axis>{axis}</up_axis>')
    np.testing.assert_allclose(corners(read_mesh_asset(path).parts[0]), np.array(expected) * 0.5)


def test_a_file_without_axis_has_y_up_and_says_so(dae):
    asset = read_mesh_asset(dae(asset=""))
    assert any("Y_UP is used" in note for note in asset.notes)
    assert corners(asset.parts[0]) == [[0, 0, 0], [1, 0, 0], [0, 0, 1]]


def test_scale_is_applied_to_the_axes_of_the_world(dae):
    path = dae(asset="<up_axis>Y_UP</up_axis>")
    part = read_mesh_asset(path, (1.0, 1.0, 3.0)).parts[0]
    assert corners(part) == [[0, 0, 0], [1, 0, 0], [0, 0, 3]]


def test_transforms_are_multiplied_in_the_order_they_are_written(dae):
    inner = f"<node><rotate>0 0 1 90</rotate><scale>2 1 1</scale>{INSTANCE}</node>"
    path = dae(f"<node><translate>10 0 0</translate>{inner}</node>")
    found = corners(read_mesh_asset(path).parts[0])
    np.testing.assert_allclose(found, [[10, 0, 0], [10, 2, 0], [9, 0, 0]], atol=1e-12)


def test_a_mirroring_matrix_keeps_faces_outward(dae):
    path = dae(f"<node><matrix>-1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>{INSTANCE}</node>")
    a, b, c = np.array(corners(read_mesh_asset(path).parts[0]))
    np.testing.assert_allclose(np.cross(b - a, c - a), [0, 0, 1])


def test_library_nodes_are_put_where_they_are_named(dae):
    extra = f'<library_nodes><node id="lib" name="Twig">{INSTANCE}</node></library_nodes>'
    twig = '<instance_node url="#lib"/>'
    path = dae(
        f'<node name="a">{twig}</node><node name="b"><translate>0 0 7</translate>{twig}</node>',
        extra=extra,
    )
    parts = read_mesh_asset(path).parts
    assert [part.name for part in parts] == ["a", "b"]
    assert corners(parts[1]) == [[0, 0, 7], [1, 0, 7], [0, 1, 7]]
    assert len(read_mesh_asset(path, submesh="Twig").parts) == 2


def test_a_skin_is_bound_by_its_matrix(dae):
    extra = (
        '<library_controllers><controller id="c"><skin source="#g"><bind_shape_matrix>'
        "1 0 0 0 0 1 0 0 0 0 1 4 0 0 0 1</bind_shape_matrix></skin></controller>"
        "</library_controllers>"
    )
    path = dae('<node><instance_controller url="#c"/></node>', extra=extra)
    assert corners(read_mesh_asset(path).parts[0])[0] == [0, 0, 4]


def area_of(path):
    mesh = read_mesh_asset(path).parts[0].mesh
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    crossed = np.cross(b - a, c - a) / 2
    return np.linalg.norm(crossed, axis=1).sum(), crossed.sum(axis=0)


SQUARES = """<source id="p"><float_array id="pa">0 0 0 4 0 0 4 4 0 0 4 0
  1 1 0 1 2 0 2 2 0 2 1 0  2.5 2.5 0 2.5 3 0 3 3 0 3 2.5 0</float_array></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>"""


def squares(dae, primitives):
    path = dae()
    text = path.read_text()
    start, stop = text.index('<source id="p">'), text.index("</mesh>")
    path.write_text(text[:start] + SQUARES + primitives + text[stop:])
    return path


VERTEX = '<input semantic="VERTEX" source="#v" offset="0"/>'


def test_polygons_with_holes_are_cut_without_covering_the_holes(dae):
    path = squares(
        dae,
        f"<polygons>{VERTEX}<ph><p>0 1 2 3</p><h>4 5 6 7</h><h>8 9 10 11</h></ph></polygons>",
    )
    total, normal = area_of(path)
    assert total == pytest.approx(16 - 1 - 0.25)
    np.testing.assert_allclose(normal, [0, 0, 14.75])


def test_holes_may_turn_either_way(dae):
    path = squares(dae, f"<polygons>{VERTEX}<ph><p>3 2 1 0</p><h>4 5 6 7</h></ph></polygons>")
    total, normal = area_of(path)
    assert total == pytest.approx(15.0)
    np.testing.assert_allclose(normal, [0, 0, -15.0])


SEVERAL = (
    f"<triangles>{VERTEX}<p>0 1 2</p></triangles><lines>{VERTEX}<p>0 1</p></lines>"
    f"<polylist>{VERTEX}<vcount>3</vcount><p>0 2 3</p></polylist>"
)


def test_polylists_strips_and_fans_cover_the_same_square(dae):
    for primitives in (
        f"<polylist>{VERTEX}<vcount>4 2</vcount><p>0 1 2 3 0 1</p></polylist>",
        f"<tristrips>{VERTEX}<p>0 1 3 2</p></tristrips>",
        f"<trifans>{VERTEX}<p>0 1 2 3</p></trifans>",
        f"<polygons>{VERTEX}<p>0 1 2 3</p></polygons>",
        SEVERAL,
    ):
        path = squares(dae, primitives)
        asset = read_mesh_asset(path)
        a, b, c = np.moveaxis(
            np.concatenate([p.mesh.vertices[p.mesh.faces] for p in asset.parts]), 1, 0
        )
        np.testing.assert_allclose(np.cross(b - a, c - a).sum(axis=0) / 2, [0, 0, 16.0])


def test_a_texture_is_found_through_sampler_surface_and_image(dae, tmp_path):
    Image.new("RGB", (2, 2)).save(tmp_path / "wall.png")
    (part,) = read_mesh_asset(dae(diffuse=TEXTURE)).parts
    assert part.texture == str(tmp_path / "wall.png")
    assert part.colour == (1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize("diffuse", [TEXTURE, '<texture texture="gone"/>', "<color>1 2</color>"])
def test_broken_looks_are_noted_and_grey(dae, diffuse):
    asset = read_mesh_asset(dae(diffuse=diffuse))
    assert asset.parts[0].colour == (0.6, 0.6, 0.6, 1.0)
    assert any("grey is used" in note for note in asset.notes)


def test_sketchup_s_transparency_is_opaque_and_its_faces_two_sided(dae):
    more = "<transparent><color>1 1 1 1</color></transparent><transparency><float>0.05</float>"
    tool = "<contributor><authoring_tool>Google SketchUp 7.0</authoring_tool></contributor>"
    part = read_mesh_asset(dae(more=f"{more}</transparency>", asset=tool)).parts[0]
    assert part.opacity == 1.0
    assert part.double_sided


def test_cameras_lamps_and_other_files_are_left_out(dae):
    nodes = (
        f'<node><instance_camera url="#c"/></node><node><instance_light url="#l"/></node>'
        f'<node><instance_node url="other.dae#x"/></node><node>{INSTANCE}</node>'
    )
    asset = read_mesh_asset(dae(nodes))
    assert len(asset.parts) == 1
    assert any("'other.dae#x' is in another file" in note for note in asset.notes)


BOMB = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"head": BOMB}, "DOCTYPE"),
        ({"head": "<x/>"}, "not well-formed XML"),
        ({"asset": '<unit meter="0"/>'}, "a unit of 0 m is not possible"),
        ({"asset": '<unit meter="wide"/>'}, "expected a finite number"),
        ({"asset": "<up_axis>W_UP</up_axis>"}, "expected X_UP, Y_UP or Z_UP, got 'W_UP'"),
        ({"nodes": "<node/>"}, "no triangles"),
        ({"nodes": '<node><instance_geometry url="#x"/></node>'}, "no <geometry> with the id '#x'"),
        ({"nodes": f"<node><matrix>1 2 3</matrix>{INSTANCE}</node>"}, "expected 16 finite numbers"),
        ({"nodes": f"<node><scale>nan 1 1</scale>{INSTANCE}</node>"}, "expected 3 finite numbers"),
        ({"nodes": '<node id="a"><instance_node url="#a"/></node>'}, "contain themselves"),
        ({"primitives": FACE.replace("2 2<", "9 2<")}, "names vertex 9, there are 4"),
        ({"primitives": FACE.replace("2 2<", "-1 2<")}, "names vertex -1, there are 4"),
        ({"primitives": FACE.replace("2 2<", "2 x<")}, "is not a number"),
        ({"primitives": FACE.replace("2 2<", "2<")}, "not a multiple of 2"),
        ({"primitives": FACE.replace('"#v"', '"#v" x=""').replace("VERTEX", "X")}, "input VERTEX"),
    ],
)
def test_bad_files_are_refused_with_their_name(dae, changes, sentence):
    with pytest.raises(FormatError, match=rf"thing\.dae.*{sentence}"):
        read_mesh_asset(dae(**changes))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('count="4" stride="3"', 'count="999999999" stride="3"', "declares 999999999 rows"),
        ('count="4" stride="3"', 'count="4" stride="2"', "stride 2 is less than 3"),
        ("0 0 0 1 0 0", "0 0 inf 1 0 0", "not finite"),
        ("0 0 0 1 0 0", "0 0 1e30 1 0 0", "more than 1e.12 units away"),
    ],
)
def test_bad_lists_are_refused_with_their_name(dae, old, new, sentence):
    path = dae()
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(FormatError, match=rf"thing\.dae.*{sentence}"):
        read_mesh_asset(path)


def test_nodes_that_repeat_each_other_a_billion_times_are_refused(dae):
    levels = [
        f'<node id="l{k}">' + f'<instance_node url="#l{k + 1}"/>' * 10 + "</node>" for k in range(9)
    ]
    extra = f'<library_nodes>{"".join(levels)}<node id="l9">{INSTANCE}</node></library_nodes>'
    path = dae('<node><instance_node url="#l0"/></node>', extra=extra)
    with pytest.raises(FormatError, match="repeat to more than 50000000 triangles"):
        read_mesh_asset(path)


def test_long_files_are_read_without_entities_too(dae, monkeypatch):
    monkeypatch.setattr(collada_document, "_LONG", 100)
    assert len(read_mesh_asset(dae()).parts) == 1
    with pytest.raises(FormatError, match="DOCTYPE"):
        read_mesh_asset(dae(head=BOMB))


def test_a_chain_of_thousands_of_nodes_is_refused(dae):
    chain = "".join(f'<node id="l{k}"><instance_node url="#l{k + 1}"/></node>' for k in range(5000))
    extra = f'<library_nodes>{chain}<node id="l5000">{INSTANCE}</node></library_nodes>'
    with pytest.raises(FormatError, match="far too many"):
        read_mesh_asset(dae('<node><instance_node url="#l0"/></node>', extra=extra))


@pytest.mark.parametrize("axis", ["X_UP", "Y_UP", "Z_UP", ""])
@pytest.mark.parametrize("kind", ["urdf", "sdf"])
def test_models_pass_over_the_axis_that_is_up_as_in_ros_and_gazebo(dae, tmp_path, axis, kind):
    told = f"<up_axis>{axis}</up_axis>" if axis else ""
    mesh = dae(asset=f'<unit meter="0.5"/>{told}')
    shape = _shape(mesh, kind)
    parts = f"<visual name='v'>{shape}</visual><collision name='c'>{shape}</collision>"
    link = f"<link name='a'>{parts}</link>"
    path = tmp_path / f"thing.{kind}"
    path.write_text(
        f"<robot name='m'>{link}</robot>"
        if kind == "urdf"
        else f"<sdf version='1.7'><model name='m'>{link}</model></sdf>"
    )
    found = import_file(path)
    (seen,), (felt,) = found.models[0].links[0].visuals, found.models[0].links[0].colliders
    for shape in (seen.shape, felt.shape):
        assert shape.vertices[shape.faces[0]].tolist() == [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0]]
    told = [note for note in found.report.of("applied") if "is up is passed over" in note]
    assert len(told) == (axis != "Z_UP")


@pytest.mark.parametrize("kind", ["urdf", "sdf"])
def test_a_written_import_keeps_meshes_turned_as_their_file_says(dae, tmp_path, monkeypatch, kind):
    mesh = dae(asset="<up_axis>Y_UP</up_axis>")
    urdf = f"<robot name='m'><link name='a'><visual>{_shape(mesh, 'urdf')}</visual></link></robot>"
    visual = f"<visual name='v'>{_shape(mesh, 'sdf')}</visual>"
    sdf = f"<sdf version='1.7'><model name='m'><link name='a'>{visual}</link></model></sdf>"
    path = tmp_path / f"thing.{kind}"
    path.write_text(urdf if kind == "urdf" else sdf)
    (note,) = import_file(path).report.of("applied")
    assert "'outrider import FILE --to FOLDER --collada-up file'" in note
    to = tmp_path / "to"
    told = ["outrider", "import", str(path), "--to", str(to), "--collada-up", "file"]
    monkeypatch.setattr("sys.argv", told)
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    (seen,) = import_file(to / "m.sdf").models[0].links[0].visuals
    corners = seen.shape.vertices[seen.shape.faces[0]]
    assert corners == pytest.approx(np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1]]))


def _shape(mesh, kind):
    urdf, sdf = f"<mesh filename='{mesh.name}'/>", f"<mesh><uri>{mesh.name}</uri></mesh>"
    return f"<geometry>{urdf if kind == 'urdf' else sdf}</geometry>"
