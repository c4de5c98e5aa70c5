"""Addresses of meshes: found in packages around the model, never outside what is allowed."""

import re
import shlex
from pathlib import Path

import pytest

from outrider.core.errors import FormatError
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.import_file import ImportOptions, import_file
from outrider.formats.urdf.read import read_urdf_text_with_notes

TETRAHEDRON = """v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1
f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"""
OUTSIDE = {
    "urdf": """<robot name="r"><link name="a"><visual><geometry>
      <mesh filename="../my meshes/a.obj"/></geometry></visual></link></robot>""",
    "sdf": """<sdf version="1.7"><model name="m"><link name="a"><visual name="v"><geometry>
      <mesh><uri>../my meshes/a.obj</uri></mesh></geometry></visual></link></model></sdf>""",
    "mjcf": """<mujoco><compiler meshdir="../my meshes"/>
      <asset><mesh name="a" file="a.obj"/></asset>
      <worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>""",
    "xacro": """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
      <xacro:include filename="../my meshes/a.xacro"/></robot>""",
}


@pytest.fixture
def tree(tmp_path):
    """Make two packages side by side, a model folder, and a secret outside."""
    for name in ("bot", "wheels"):
        folder = tmp_path / "src" / f"{name}_description"
        (folder / "meshes").mkdir(parents=True)
        (folder / "package.xml").write_text(f"<package><name>{name}</name></package>")
        (folder / "meshes" / "a.stl").write_text(name)
    (tmp_path / "src" / "bot_description" / "urdf").mkdir()
    (tmp_path / "models" / "cone").mkdir(parents=True)
    (tmp_path / "models" / "cone" / "model.config").write_text("")
    (tmp_path / "models" / "cone" / "c.dae").write_text("cone")
    (tmp_path / "secret.stl").write_text("secret")
    return tmp_path


@pytest.fixture
def paths(tree):
    return AssetPaths(tree / "src" / "bot_description" / "urdf")


def test_the_own_package_and_its_sibling_are_found_by_their_manifest(paths):
    assert paths.find("package://bot/meshes/a.stl").read_text() == "bot"
    assert paths.find("package://wheels/meshes/a.stl").read_text() == "wheels"


def test_three_slashes_after_the_scheme_are_as_good_as_two(tree, paths):
    wanted = tree / "src" / "wheels_description" / "meshes" / "a.stl"
    assert paths.find("package:///wheels/meshes/a.stl") == wanted
    with pytest.raises(FormatError, match="leaves"):
        paths.find("package:///wheels/../../../secret.stl")


@pytest.mark.parametrize("name", ["a.stl", "a.obj", "a.dae", "a.glb", "a.urdf", "a.world", "a.xml"])
def test_a_pointer_of_git_lfs_is_told_as_one(tmp_path, name):
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match="only a pointer of Git LFS is here; 'git lfs pull'"):
        import_file(tmp_path / name)


def test_a_path_may_climb_inside_the_package_that_holds_the_model(paths):
    assert paths.find("../meshes/a.stl").read_text() == "bot"
    assert paths.find("file://../meshes/a.stl").read_text() == "bot"


def test_search_paths_hold_packages_models_and_files(tree):
    paths = AssetPaths(tree / "src" / "bot_description" / "urdf", (tree / "models",))
    assert paths.find("model://cone/c.dae").read_text() == "cone"
    assert paths.find("package://cone/c.dae").read_text() == "cone"
    assert paths.find("cone/c.dae").read_text() == "cone"
    assert paths.find(f"file://{tree}/models/cone/c.dae").read_text() == "cone"


@pytest.mark.parametrize(
    "uri",
    [
        "../../../secret.stl",
        "file://../../../secret.stl",
        "package://bot/../../secret.stl",
        "package://bot/%2e%2e/%2e%2e/secret.stl",
        "/etc/passwd",
        "file:///etc/passwd",
    ],
)
def test_no_address_leaves_the_allowed_folders(paths, uri):
    with pytest.raises(FormatError, match=r"leaves .*; give its folder as a search path"):
        paths.find(uri)


def test_a_link_in_the_file_system_does_not_lead_outside(tree, paths):
    (tree / "src" / "bot_description" / "meshes" / "b.stl").symlink_to(tree / "secret.stl")
    with pytest.raises(FormatError, match="leaves"):
        paths.find("package://bot/meshes/b.stl")


@pytest.mark.parametrize(
    "uri", ["../../../secret.stl", "package://bot/../../secret.stl", "b.stl", "package://bot/b.stl"]
)
def test_the_folder_that_a_refusal_names_allows_the_file(tree, paths, uri):
    for folder in (paths.base, paths.base.parent):
        (folder / "b.stl").symlink_to(tree / "secret.stl")
    with pytest.raises(FormatError, match=f"--path {re.escape(str(tree))}\\)$"):
        paths.find(uri)
    assert AssetPaths(paths.base, (tree,)).find(uri).read_text() == "secret"


@pytest.mark.parametrize("kind", ["urdf", "sdf", "mjcf", "xacro"])
def test_a_refused_file_is_read_with_the_option_that_its_note_names(tmp_path, kind):
    """The usual layout without a manifest: folders for descriptions and meshes side by side."""
    for folder in ("my meshes", "urdf"):
        (tmp_path / folder).mkdir()
    (tmp_path / "my meshes" / "a.obj").write_text(TETRAHEDRON)
    parts = "<robot name='r'><link name='part'/></robot>"
    (tmp_path / "my meshes" / "a.xacro").write_text(parts)
    file = tmp_path / "urdf" / f"r.{kind}"
    file.write_text(OUTSIDE[kind])
    try:
        (told,) = import_file(file).report.of("missing")
    except FormatError as error:
        told = str(error)
        assert kind in ("mjcf", "xacro")
    words = shlex.split(told[told.index("--path") :].removesuffix(")"))
    assert words == ["--path", str(tmp_path / "my meshes")]
    found = import_file(file, ImportOptions(search=(Path(words[1]),)))
    assert not found.report.of("missing")
    links = [link for model in found.models for link in model.links]
    assert any(link.visuals or link.name == "part" for link in links)


@pytest.mark.parametrize("uri", ["http://host/a.stl", "https://host/a.stl"])
def test_the_network_is_not_asked(paths, uri):
    with pytest.raises(FormatError, match="is not fetched"):
        paths.find(uri)


def test_names_that_no_file_can_have_are_refused(tree, paths):
    (tree / "src" / "bot_description" / "urdf" / "loop").symlink_to("loop")
    for uri in ("x" * 5000, "loop", "package://bot/" + "x" * 5000, "a%00b", "file://a%00b"):
        with pytest.raises(FormatError):
            paths.find(uri)


def test_a_missing_file_names_the_places_searched(tree, paths):
    with pytest.raises(
        FormatError, match=r"no file 'package://bot/x.stl'; .*bot_description/x\.stl"
    ):
        paths.find("package://bot/x.stl")
    with pytest.raises(FormatError, match=r"no file 'package://other/x.stl'; .*package\.xml"):
        paths.find("package://other/x.stl")
    with pytest.raises(FormatError, match=r"no file 'x.stl'; searched .*urdf/x\.stl"):
        paths.find("x.stl")


def test_a_urdf_with_a_missing_mesh_names_file_line_mesh_and_places(tmp_path):
    text = (
        '<robot name="r">\n<link name="a"><visual><geometry>\n<mesh filename="gone.stl"/>'
        "</geometry></visual></link></robot>"
    )
    with pytest.raises(
        FormatError,
        match=r"bot\.urdf:3: <mesh> of <link name='a'>: there is no file 'gone.stl'; searched /",
    ):
        read_urdf_text_with_notes(text, tmp_path, "bot.urdf")


@pytest.mark.parametrize("shelf", ["uploads", "projects"])
def test_what_came_from_elsewhere_does_not_look_above_its_own_folder(tmp_path, monkeypatch, shelf):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "home" / "cache"))
    own = tmp_path / "home" / "cache" / shelf / "0123"
    (own / "meshes").mkdir(parents=True)
    (own / "meshes" / "a.stl").write_text("own")
    (tmp_path / "home" / "secret.stl").write_text("secret")
    other = own.parent / "4567"
    other.mkdir()
    (other / "package.xml").write_text("<package><name>other</name></package>")
    (other / "a.stl").write_text("another's")
    paths = AssetPaths(own / "meshes")
    assert paths.find("a.stl").read_text() == "own"
    for uri in ("package://home/secret.stl", "package://other/a.stl", "../../../../secret.stl"):
        with pytest.raises(FormatError):
            paths.find(uri)
    with pytest.raises(FormatError, match="no package 'home'"):
        paths.package("home")


def test_a_model_in_the_folder_models_beside_the_worlds_is_found(tree):
    worlds = AssetPaths(tree / "worlds")
    assert worlds.find("model://cone/c.dae").read_text() == "cone"
    with pytest.raises(FormatError, match="'models'"):
        worlds.find("model://ball/c.dae")
