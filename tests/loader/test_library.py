"""The library: names, includes, materials, and errors that name file and line."""

import pytest

from outrider.core.errors import ConfigError
from outrider.core.files.yaml_file import parse_yaml
from outrider.loader.library import find_file, library_names, library_path, load_world_spec
from outrider.loader.materials import library_materials
from outrider.specs.world import FlatGround, RollingGround

BASE = """
gravity: [0, 0, -1.62]
ground: {type: flat, size: 50, slope_deg: 3}
objects: [{name: a, shape: {type: sphere}}]
materials: {goo: {friction: 0.1}}
"""
TOP = """
include: base.yaml
ground: {slope_deg: 5}
objects: []
materials: {foam: {friction: 0.2}}
"""


@pytest.fixture
def write(tmp_path):
    def put(name, text):
        path = tmp_path / name
        path.write_text(text)
        return path

    return put


def test_worlds_are_known_by_name():
    assert {"empty", "slope", "loam", "ice", "playground", "rough"} <= set(library_names("worlds"))
    assert library_path("worlds", "slope").name == "slope.yaml"
    ground = load_world_spec("slope").ground
    assert isinstance(ground, FlatGround)
    assert ground.slope_deg == 20


def test_a_wrong_name_gets_a_near_match():
    with pytest.raises(ConfigError, match=r"no world 'plaground' .*did you mean 'playground'.*ice"):
        load_world_spec("plaground")


def test_a_missing_file_gets_a_near_match(tmp_path):
    with pytest.raises(
        ConfigError, match=r"no world file '.*slop\.yaml' \(did you mean 'slope'\?\)"
    ):
        load_world_spec(tmp_path / "slop.yaml")


def test_a_name_cannot_leave_the_library():
    with pytest.raises(ConfigError, match="there is no world"):
        library_path("worlds", "../materials")


def test_an_include_gives_what_the_world_does_not_say(write):
    write("base.yaml", BASE)
    spec = load_world_spec(write("top.yaml", TOP))
    assert spec.name == "top"
    assert spec.include == ""
    assert spec.gravity[2] == -1.62
    assert spec.ground == FlatGround(size=50.0, slope_deg=5.0)
    assert spec.objects == ()
    assert set(spec.materials) == {"goo", "foam"}


def test_an_include_of_the_library_works_from_anywhere(write):
    spec = load_world_spec(write("mine.yaml", "include: ice\nname: rink\n"))
    assert (spec.name, spec.ground.material) == ("rink", "ice")


def test_a_ground_of_another_type_replaces_the_included_one_whole(write):
    path = write("mine.yaml", "include: slope\nground: {type: rolling, size: [20, 20]}\n")
    assert load_world_spec(path).ground == RollingGround(size=(20.0, 20.0))


def test_worlds_that_include_one_another_are_refused(write):
    write("a.yaml", "include: b.yaml\n")
    path = write("b.yaml", "include: a.yaml\n")
    with pytest.raises(ConfigError, match=r"in a cycle: .*b\.yaml -> .*a\.yaml -> .*b\.yaml"):
        load_world_spec(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name: a\nground: [1,\n", r"w\.yaml:3: "),
        ("name: a\nname: b\n", r"w\.yaml:2: the key 'name' is given twice"),
        ("a\n", r"w\.yaml: expected a mapping of keys, got 'a'"),
        ("name: !!python/object:os.system {}\n", r"w\.yaml:1: not YAML: a tag beginning with '!'"),
        ("grund: {}\n", r"w\.yaml: grund: unknown key \(did you mean 'ground'\?\)"),
        ("gravity: [0, 0, .nan]\n", r"w\.yaml: gravity\.2: expected a finite number"),
        ("include: [a]\n", r"w\.yaml: include: expected a name or file"),
        ("include: nowhere\n", "no world 'nowhere'"),
        ("? [a]\n: 1\n", r"w\.yaml:1: not YAML: a list or mapping used as a key"),
        ("objects: [\n- {name: a\n", r"w\.yaml:2: not YAML: a value is missing, or a list item"),
        ("name: @home\n", r"w\.yaml:1: not YAML: text that begins with a special character"),
        ("name: - a\n", r"w\.yaml:1: not YAML: a list item \('-'\) that cannot stand here"),
        ('name: "C:\\maps"\n', r"w\.yaml:1: not YAML: a '\\' in text in double quotes"),
        ("name: a\n---\nname: b\n", r"w\.yaml:2: not YAML: a second document after '---'"),
        ("name: &a &b c\n", r"w\.yaml:1: not YAML: "),
        ("include: " + "x/" * 3000 + "a.yaml\n", "there is no world file"),
        ("a: &a [*a]\n", "aliases expand to more than"),
        ("name: \x01\n", r"^\S*w\.yaml: not YAML: [^\n]*$"),
    ],
)
def test_bad_world_files_are_refused_with_file_and_line(write, text, sentence):
    with pytest.raises(ConfigError, match=sentence):
        load_world_spec(write("w.yaml", text))


def test_aliases_that_multiply_are_refused():
    lines = ["a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    for low, high in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{high}: &{high} [{', '.join([f'*{low}'] * 9)}]")
    with pytest.raises(ConfigError, match="aliases expand to more than"):
        parse_yaml("\n".join(lines), "bomb")


def test_text_that_is_not_utf8_is_refused(tmp_path):
    path = tmp_path / "w.yaml"
    path.write_bytes(b"name: \xff\n")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_world_spec(path)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("6e-3", 6e-3),
        ("1e6", 1e6),
        ("-2.5E+3", -2500.0),
        ("12", 12),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e", "1e"),
        ("v1", "v1"),
        ("0x10", 16),
        ("2024-01-02x", "2024-01-02x"),
        (".", "."),
    ],
)
def test_numbers_mean_what_people_write(text, value):
    assert parse_yaml(f"a: {text}", "x")["a"] == value


def test_materials_of_the_library_carry_the_measured_figures():
    found = library_materials()
    ratio = {name: found[name].lateral_ratio for name in ("flooring", "asphalt", "snow")}
    assert ratio == {"flooring": 0.48, "asphalt": 0.81, "snow": 0.84}
    assert 0.45 <= found["ice"].lateral_ratio <= 0.47  # 0.47, less what unevenness adds
    assert 0.78 <= found["sandy-loam"].lateral_ratio <= 0.93
    rough = {name: found[name].roughness.density for name in ("ice", "flooring", "asphalt", "snow")}
    assert rough["ice"] < rough["flooring"] < rough["asphalt"] < rough["snow"]
    assert all(name == material.name for name, material in found.items())
    assert {
        "concrete",
        "grass",
        "gravel",
        "sand",
        "rock",
        "regolith",
        "wood",
        "rubber",
        "steel",
        "tiles",
    } <= set(found)


def test_names_and_paths_are_told_apart(write, tmp_path):
    path = write("w.yaml", "")
    assert find_file("worlds", "w.yaml", tmp_path) == path
    assert find_file("worlds", str(path)) == path
    assert load_world_spec(path).name == "w"
