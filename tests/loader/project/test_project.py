"""Projects: one folder, one zip file, the same run anywhere."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from outrider.core.errors import ConfigError
from outrider.loader.project import archive as project_zip
from outrider.loader.project.archive import open_project, opened, save_project
from outrider.loader.project.folder import load_project, new_project
from outrider.scenarios.build import build
from outrider.scenarios.load import load

OUTRIDER = [sys.executable, "-c", "from outrider.cli.main import main; main()"]
BUGGY = Path(__file__).parents[3] / "examples" / "buggy"


def state_after(project, steps=1000) -> str:
    simulation = build(load(project.scenario))
    for _ in range(steps):
        simulation.step()
    return simulation.state_hash


def names(file: Path) -> list[str]:
    with zipfile.ZipFile(file) as archive:
        return sorted(archive.namelist())


def test_a_new_project_runs_and_comes_back_from_its_zip_to_the_same_state(tmp_path):
    project = new_project(tmp_path / "here" / "yard")
    (project.root / "code" / "own.py").write_text("print('mine')\n")
    save_project(project.root, tmp_path / "yard.zip")
    there = open_project(tmp_path / "yard.zip", tmp_path / "there" / "other")
    assert (there.root / "code" / "own.py").read_text() == "print('mine')\n"
    assert there.spec == project.spec
    assert state_after(there) == state_after(project)
    assert state_after(opened(tmp_path / "yard.zip")) == state_after(project)


def test_the_way_points_of_the_autonomy_stack_travel_with_the_project(tmp_path):
    project = new_project(tmp_path / "here" / "yard")
    (tmp_path / "way.yaml").write_text("waypoints: [[1, 2], [3, 4]]\n")
    with (project.root / "scenarios" / "main.yaml").open("a") as file:
        file.write("autonomy: {waypoints: {file: ../../../way.yaml}}\n")
    save_project(project.root, tmp_path / "yard.zip")
    (tmp_path / "way.yaml").unlink()
    there = load(open_project(tmp_path / "yard.zip", tmp_path / "there").scenario)
    assert [(p.x, p.y) for p in there.autonomy.waypoints.load()] == [(1, 2), (3, 4)]


def test_a_strangers_project_may_not_name_way_points_elsewhere(tmp_path):
    file = tmp_path / "stranger.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("project.yaml", "name: stranger\n")
        archive.writestr("scenarios/main.yaml", "autonomy: {waypoints: {file: /etc/passwd}}\n")
    with pytest.raises(ConfigError, match=r"outside itself: '/etc/passwd' in scenarios/main\.yaml"):
        open_project(file, tmp_path / "opened")


@pytest.mark.parametrize("opening", [opened, lambda file: open_project(file, file.parent / "x")])
def test_a_pipe_or_device_is_not_waited_for(tmp_path, opening):
    os.mkfifo(tmp_path / "yard.zip")
    with pytest.raises(ConfigError, match=r"yard\.zip: is not a file"):
        opening(tmp_path / "yard.zip")


@pytest.fixture
def scattered(tmp_path):
    """A project whose scenario needs files that lie all over the disk."""
    project = new_project(tmp_path / "mine" / "yard")
    far = tmp_path / "far"
    shutil.copytree(BUGGY, far / "robots" / "buggy")
    package = far / "ros" / "cart_description"
    (package / "urdf").mkdir(parents=True)
    (package / "meshes").mkdir()
    (package / "package.xml").write_text("<package><name>cart_description</name></package>")
    mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
    (package / "meshes" / "pole.obj").write_text("mtllib pole.mtl\n" + mesh)
    (package / "meshes" / "pole.mtl").write_text("newmtl m\nmap_Kd paint/red.png\n")
    (package / "meshes" / "paint").mkdir()
    (package / "meshes" / "paint" / "red.png").write_bytes(b"a picture")
    (package / "urdf" / "sign.urdf").write_text(
        '<robot name="sign"><link name="l"><visual><geometry>'
        '<mesh filename="package://cart_description/meshes/pole.obj"/></geometry></visual>'
        "</link></robot>"
    )
    (far / "rock.obj").write_text(mesh)
    (far / "sonar.yaml").write_text(
        "type: ultrasonic\nparameters: {cones: [{half_angle_deg: 5, range: 2}]}\n"
    )
    (far / "world.yaml").write_text(
        "ground: {type: flat, material: asphalt}\n"
        "objects: [{name: rock, shape: {type: mesh, file: rock.obj}, pose: {x: 9}}]\n"
        "models: [{file: ros/cart_description/urdf/sign.urdf, name: sign, pose: {y: 5}}]\n"
    )
    (project.root / "scenarios" / "main.yaml").write_text(
        f"world: {far / 'world.yaml'}\n"
        f"robots: [{{model: {far / 'robots' / 'buggy' / 'buggy.yaml'},"
        " motion: {type: drive, speed: 0.5}}]\n"
    )
    return project


def test_everything_from_elsewhere_is_collected(scattered, tmp_path):
    before = state_after(scattered)
    text = (scattered.root / "scenarios" / "main.yaml").read_text()
    found = save_project(scattered.root, tmp_path / "yard.zip")
    assert (scattered.root / "scenarios" / "main.yaml").read_text() == text  # only the copy
    assert len(found.outside) >= 4
    shutil.rmtree(tmp_path / "far")
    shutil.rmtree(tmp_path / "mine")
    there = open_project(tmp_path / "yard.zip", tmp_path / "there")
    assert state_after(there) == before
    for path in there.root.rglob("*"):
        if path.suffix in (".yaml", ".urdf", ".obj", ".mtl"):
            assert str(tmp_path) not in path.read_text(), path
    assert [p.name for p in there.root.rglob("red.png")] == ["red.png"]


def test_the_same_project_gives_the_same_bytes(tmp_path):
    project = new_project(tmp_path / "yard")
    save_project(project.root, tmp_path / "a.zip")
    os.utime(project.root / "project.yaml", (1, 1))
    save_project(project.root, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_hidden_and_made_files_stay_out_and_so_does_the_zip_itself(tmp_path):
    project = new_project(tmp_path / "yard")
    (project.root / ".git").mkdir()
    (project.root / ".git" / "x").write_text("")
    (project.root / "code" / "__pycache__").mkdir()
    (project.root / "code" / "__pycache__" / "x.pyc").write_text("")
    for _ in range(2):
        save_project(project.root, project.root / "yard.zip")
    assert names(project.root / "yard.zip") == [
        "code/drive.py",
        "project.yaml",
        "scenarios/main.yaml",
        "worlds/yard.yaml",
    ]


def test_missing_files_are_all_named(tmp_path):
    project = new_project(tmp_path / "yard")
    (project.root / "worlds" / "yard.yaml").write_text(
        "objects: [{name: a, shape: {type: mesh, file: gone.obj}, texture: lost.png}]\n"
    )
    with pytest.raises(ConfigError, match=r"'gone\.obj' in .*'lost\.png' in "):
        save_project(project.root, tmp_path / "yard.zip")
    assert not (tmp_path / "yard.zip").exists()


def test_a_link_to_a_folder_is_not_lost_in_silence(tmp_path):
    project = new_project(tmp_path / "yard")
    (tmp_path / "big").mkdir()
    (project.root / "assets" / "big").symlink_to(tmp_path / "big")
    with pytest.raises(ConfigError, match="is a link to a folder"):
        save_project(project.root, tmp_path / "yard.zip")


def test_what_is_no_file_is_told_and_nothing_waits_for_it(tmp_path):
    project = new_project(tmp_path / "yard")
    os.mkfifo(project.root / "assets" / "pipe.obj")
    with pytest.raises(ConfigError, match=r"pipe\.obj: is a pipe or device, not a file"):
        save_project(project.root, tmp_path / "yard.zip")
    (project.root / "assets" / "pipe.obj").unlink()
    (project.root / "assets" / "loop").symlink_to("loop")
    with pytest.raises(ConfigError, match=r"loop: cannot be read: Too many levels"):
        save_project(project.root, tmp_path / "yard.zip")
    for name in ("assets/loop", f"../assets/{'a' * 300}.yaml"):
        (project.root / "scenarios" / "main.yaml").write_text(f"world: ../{name}\n")
        with pytest.raises(ConfigError, match=r"files are missing|cannot be read"):
            save_project(project.root, tmp_path / "yard.zip")
    assert not (tmp_path / "yard.zip").exists()


@pytest.mark.parametrize("name", [b"bad\xff.txt", b"two\nlines.txt", b"a:b", b"a\\b"])
def test_a_name_that_could_not_be_unpacked_is_not_packed(name, tmp_path):
    project = new_project(tmp_path / "yard")
    Path(os.fsdecode(os.fsencode(project.root / "assets") + b"/" + name)).write_text("")
    with pytest.raises(ConfigError, match=r"have no .* control characters in their names"):
        save_project(project.root, tmp_path / "yard.zip")
    assert not (tmp_path / "yard.zip").exists()


def test_names_that_differ_only_in_case_are_not_packed(tmp_path):
    project = new_project(tmp_path / "yard")
    for name in ("a.txt", "A.txt"):
        (project.root / "assets" / name).write_text("")
    with pytest.raises(ConfigError, match=r"'assets/A\.txt' and 'assets/a\.txt' differ only in"):
        save_project(project.root, tmp_path / "yard.zip")


def packed(path: Path, *entries) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (("project.yaml", "name: p\nscenario: demo\n"), *entries):
            archive.writestr(name, content)
    return path


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ([("../evil.py", "")], "a path that leaves its folder"),
        ([("assets/../../evil.py", "")], "a path that leaves its folder"),
        ([("/etc/evil", "")], "a path that leaves its folder"),
        ([("C:/evil", "")], "a path that leaves its folder"),
        ([("a\\..\\evil", "")], "a path that leaves its folder"),
        ([(link("assets/link"), "/etc/passwd")], "is a link or device"),
        ([("assets/A.txt", ""), ("assets/a.txt", "")], r"contains 'assets/a\.txt' twice"),
        (
            [("worlds/w.yaml", "ground: {type: flat, texture: /etc/hostname}")],
            r"outside itself: '/etc/hostname' in worlds/w\.yaml",
        ),
        ([("worlds/w.yaml", "models: [{file: ../../x.yaml}]")], r"outside itself: '\.\./\.\./x"),
        ([("worlds/w.yaml", "ground: {type: flat")], r"p\.zip: worlds/w\.yaml:1"),
        *(  # where nobody looks, but named
            (
                [
                    ("scenarios/s.yaml", f"world: ../{hidden}/w.yaml"),
                    (f"{hidden}/w.yaml", "ground: {type: mesh, file: /etc/passwd}"),
                ],
                rf"outside itself: '/etc/passwd' in {hidden}/w\.yaml",
            )
            for hidden in ("code", ".hidden", "node_modules")
        ),
    ],
)
def test_a_bad_zip_is_refused_whole(entries, sentence, tmp_path):
    file = packed(tmp_path / "p.zip", *entries)
    (tmp_path / "in").mkdir()
    with pytest.raises(ConfigError, match=sentence):
        open_project(file, tmp_path / "in" / "p")
    assert list((tmp_path / "in").iterdir()) == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in", "p.zip"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nam: p\n", r"nam: unknown key \(did you mean 'name'\?\)"),
        ("name: p\nscenario: scenarios/no.yaml\n", r"there is no file 'scenarios/no\.yaml'"),
        ("name: p\nscenario: ../no.yaml\n", "is not in the project"),
    ],
)
def test_a_bad_project_file_is_refused(text, sentence, tmp_path):
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as archive:
        archive.writestr("project.yaml", text)
    with pytest.raises(ConfigError, match=rf"p\.zip: .*{sentence}"):
        open_project(tmp_path / "p.zip", tmp_path / "p")
    assert not (tmp_path / "p").exists()


def test_what_is_no_project_is_told(tmp_path):
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(ConfigError, match=r"is not a project: it has no project\.yaml"):
        open_project(tmp_path / "p.zip", tmp_path / "p")
    (tmp_path / "q.zip").write_bytes(b"PK\3\4 but no more")
    with pytest.raises(ConfigError, match="is not a complete zip file"):
        open_project(tmp_path / "q.zip", tmp_path / "p")
    with pytest.raises(ConfigError, match="there is no such file"):
        open_project(tmp_path / "r.zip", tmp_path / "p")
    with pytest.raises(ConfigError, match="it has no project"):
        load_project(tmp_path)


def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch):
    file = packed(tmp_path / "p.zip", ("assets/zeros", bytes(50_000_000)))
    assert file.stat().st_size < 100_000
    monkeypatch.setattr(project_zip, "MAX_BYTES", 10_000_000)
    with pytest.raises(ConfigError, match=r"would unpack to [0-9,.]+ MB, more than fits here"):
        open_project(file, tmp_path / "p")


def test_a_file_that_lies_about_its_size_is_refused(tmp_path):
    file = packed(tmp_path / "p.zip", ("assets/zeros", bytes(100_000)))
    data = file.read_bytes()
    real, small = (100_000).to_bytes(4, "little"), (10).to_bytes(4, "little")
    assert data.count(real) == 2
    file.write_bytes(data.replace(real, small))
    with pytest.raises(ConfigError, match=r"is not a complete zip file|is larger than it claims"):
        open_project(file, tmp_path / "p")
    assert not (tmp_path / "p").exists()


def test_too_many_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(project_zip, "MAX_FILES", 10)
    file = packed(tmp_path / "p.zip", *((f"assets/{i}", "") for i in range(11)))
    with pytest.raises(ConfigError, match="contains 12 files, more than 10"):
        open_project(file, tmp_path / "p")


def test_what_is_read_as_yaml_is_called_so(tmp_path):
    entries = [("s.yaml", "include: base.txt"), ("base.txt", "world: {ground: {type: flat}}")]
    file = packed(tmp_path / "p.zip", *entries)
    folder = open_project(file, tmp_path / "p").root
    with pytest.raises(ConfigError, match=r"base\.txt: expected a scenario file \(\.yaml, \.yml\)"):
        load(folder / "s.yaml")


def test_a_damaged_zip_leaves_nothing_behind(tmp_path):
    project = new_project(tmp_path / "yard")
    file = tmp_path / "yard.zip"
    save_project(project.root, file)
    whole = file.read_bytes()
    (tmp_path / "in").mkdir()
    for cut in range(20, len(whole), 97):
        for broken in (whole[:cut], whole[:cut] + bytes([whole[cut] ^ 255]) + whole[cut + 1 :]):
            file.write_bytes(broken)
            with suppress(ConfigError):
                open_project(file, tmp_path / "in" / "p")
                shutil.rmtree(tmp_path / "in" / "p")
            assert list((tmp_path / "in").iterdir()) == []


def test_a_zip_made_by_hand_with_a_folder_around_it_opens_too(tmp_path):
    project = new_project(tmp_path / "yard")
    shutil.make_archive(str(tmp_path / "hand"), "zip", tmp_path, "yard")
    there = open_project(tmp_path / "hand.zip", tmp_path / "there")
    assert there.spec == project.spec


def test_a_folder_in_use_is_left_alone(tmp_path):
    project = new_project(tmp_path / "yard")
    save_project(project.root, tmp_path / "yard.zip")
    (tmp_path / "busy").mkdir()
    (tmp_path / "busy" / "work.txt").write_text("mine")
    for act in (new_project, lambda folder: open_project(tmp_path / "yard.zip", folder)):
        with pytest.raises(ConfigError, match="already exists and is not empty"):
            act(tmp_path / "busy")
    assert [p.name for p in (tmp_path / "busy").iterdir()] == ["work.txt"]


_SAVES = """
import sys
from pathlib import Path
from outrider.loader.project.archive import save_project
for count in range(10**6):
    save_project(Path(sys.argv[1]), Path(sys.argv[2]))
    print(count, flush=True)
"""


def test_a_save_that_is_killed_leaves_the_old_file_whole(tmp_path):
    project = new_project(tmp_path / "yard")
    (project.root / "assets" / "noise").write_bytes(os.urandom(2_000_000))
    file = tmp_path / "yard.zip"
    process = subprocess.Popen(
        [sys.executable, "-c", _SAVES, str(project.root), str(file)], stdout=subprocess.PIPE
    )
    process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    there = open_project(file, tmp_path / "there")
    noise = (project.root / "assets" / "noise").read_bytes()
    assert (there.root / "assets" / "noise").read_bytes() == noise


@pytest.mark.slow
def test_the_command_line_makes_saves_opens_and_runs(tmp_path):
    def outrider(*arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [*OUTRIDER, *arguments], capture_output=True, text=True, cwd=tmp_path, check=False
        )

    assert outrider("project", "new", "yard").returncode == 0
    assert "saved yard.zip: 4 files" in outrider("project", "save", "yard").stdout
    assert outrider("project", "open", "yard.zip", "other").returncode == 0
    ends = {
        outrider("run", what, "--headless", "--speed", "0", "--duration", "1").stdout.split()[-1]
        for what in ("yard", "other", "yard.zip", "yard/scenarios/main.yaml")
    }
    assert len(ends) == 1
    refused = outrider("project", "open", "yard.zip", "other")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert refused.stderr == "outrider: other: already exists and is not empty\n"


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(ConfigError, match="cannot be written: Not a directory"):
        new_project(file / "project")
    new_project(tmp_path / "p")
    save_project(tmp_path / "p", tmp_path / "p.zip")
    with pytest.raises(ConfigError, match="cannot be written: Not a directory"):
        open_project(tmp_path / "p.zip", file / "project")


def test_what_a_killed_process_unpacked_halfway_is_gone_after_the_next_try(tmp_path):
    new_project(tmp_path / "p")
    save_project(tmp_path / "p", tmp_path / "p.zip")
    half = tmp_path / ".q.999999999-0.tmp"
    (half / "q" / "worlds").mkdir(parents=True)
    open_project(tmp_path / "p.zip", tmp_path / "q")
    assert not half.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p", "p.zip", "q"]
