"""Files made to break a reader: one sentence, at once."""

import zipfile

import pytest

from outrider.core.errors import ConfigError, FormatError, OutriderError
from outrider.core.files.yaml_file import read_yaml
from outrider.formats.import_file import import_file
from outrider.loader.library import load_world_spec
from outrider.loader.project.archive import open_project
from outrider.loader.world import build_world

_HUGE = "1e308 1e308 1e308"
_URDF = f"""<robot name="r"><link name="a"><collision><geometry><box size="{_HUGE}"/></geometry>
</collision></link></robot>"""
_SDF = f"""<sdf version="1.6"><world name="w"><model name="m"><link name="l"><collision name="c">
<geometry><box><size>{_HUGE}</size></box></geometry></collision></link></model></world></sdf>"""


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("a.gltf", '{"asset":"x"}', "not those of a .gltf file"),
        ("a.gltf", '{"asset":{"version":"2.0"},"scenes":7}', "gltf"),
        ("a.gltf", '{"asset":{"version":"2.0"},"scenes":[{"nodes":["x"]}]}', "gltf"),
        ("box.urdf", _URDF, "larger than 1000 km"),
        ("box.sdf", _SDF, "larger than 1000 km"),
    ],
)
def test_a_file_that_cannot_be_is_refused_with_its_name(tmp_path, name, text, complaint):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(FormatError, match=complaint) as caught:
        import_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("ground: {type: flat, size: [20, 1.0e+9]}", "ground.size.1"),
        ("objects: [{name: b, shape: {type: box, size: [1.0e+99, 1, 1]}}]", "larger than"),
        ("objects: [{name: b, shape: {type: sphere, radius: 1.0e+99}}]", "larger than"),
    ],
)
def test_a_world_of_impossible_size_is_refused(tmp_path, text, key):
    path = tmp_path / "w.yaml"
    path.write_text(text)
    with pytest.raises(OutriderError, match=key):
        build_world(load_world_spec(path))


def test_aliases_that_multiply_are_counted_before_they_are_followed(tmp_path):
    rows = ["a: &b0 {k: 1}"]
    for n in range(1, 12):
        merged = ",".join([f"*b{n - 1}"] * 9)
        rows.append(f"b{n}: &b{n} {{<<: [{merged}]}}")
    path = tmp_path / "bomb.yaml"
    path.write_text("\n".join(rows))
    with pytest.raises(ConfigError, match="aliases"):
        read_yaml(path)


def test_a_zip_with_a_nameless_member_is_refused(tmp_path):
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo(""), "x")
    with pytest.raises(ConfigError, match="without a name"):
        open_project(path, tmp_path / "out")
