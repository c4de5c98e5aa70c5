"""outrider snapshot, as it is typed."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from outrider.cli.main import main


def run(monkeypatch, capsys, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["outrider", "snapshot", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out = capsys.readouterr()
    return ended.value.code, out.out, out.err


@pytest.fixture
def snapshot(monkeypatch, capsys):
    return lambda *words: run(monkeypatch, capsys, "--renderer", "embree", *words)


def test_colour_depth_and_labels_of_one_view_fit_together(snapshot, tmp_path: Path) -> None:
    view = [
        "playground",
        "--from",
        "-4,2,1.5",
        "--at",
        "0,0,0.2",
        "--size",
        "160x120",
        "--robot",
        "jackal",
    ]
    files = {what: tmp_path / f"{what}.png" for what in ("colour", "depth", "labels")}
    for what, file in files.items():
        code, out, _ = snapshot(*view, "--what", what, "-o", str(file))
        assert code == 0
    assert "jackal/base_link" in out  # of the labels, printed last
    pictures = {what: np.asarray(Image.open(file)) for what, file in files.items()}
    assert pictures["colour"].shape == (120, 160, 3)
    assert pictures["depth"].dtype == np.uint16
    assert (pictures["depth"] == 0)[pictures["labels"] == 0].all()  # nothing in the sky
    middle = pictures["depth"][60, 80] / 1000
    assert 3.5 < middle < np.linalg.norm([4, 2, 1.3])  # the robot, before the point looked at


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere", "-o", "a.png"], "no scenario, world or robot 'nowhere'"),
        (["empty", "-o", "a.gif"], ".png or .jpg"),
        (["empty", "-o", "no/such/folder/a.png"], "no folder"),
        (["empty", "--size", "20000x20000", "-o", "a.png"], "1 to 8192 pixels"),
        (["empty", "--size", "0x0", "-o", "a.png"], "1 to 8192 pixels"),
        (["empty", "--size", "wide", "-o", "a.png"], "--size"),
        (["empty", "--fov", "200", "-o", "a.png"], "field of view"),
        (["empty", "--camera", "1,2,3", "-o", "a.png"], "5 numbers"),
        (["empty", "--camera", "0,0,1,0,nan", "-o", "a.png"], "5 numbers"),
        (["empty", "--from", "0,0,1", "--at", "0,0,1", "-o", "a.png"], "cannot look"),
        (["empty", "--camera", "0,0,1,0,0", "--at", "1,1,1", "-o", "a.png"], "--camera"),
    ],
)
def test_bad_words_end_in_one_sentence(snapshot, words, says) -> None:
    code, _, err = snapshot(*words)
    assert code == 2
    assert says in err
    assert len(err.strip().splitlines()) == 1


def test_the_command_is_in_the_help() -> None:
    words = [sys.executable, "-m", "outrider", "snapshot", "--help"]
    assert "--camera" in subprocess.run(words, capture_output=True, text=True, check=True).stdout


def test_a_scenario_without_robots_has_none_to_replace(snapshot, tmp_path: Path) -> None:
    file = tmp_path / "bare.yaml"
    file.write_text("world: empty\nrobots: []\n")
    code, _, error = snapshot(str(file), "--robot", "husky", "-o", str(tmp_path / "x.png"))
    assert code == 2
    assert error.splitlines()[-1] == "outrider: --robot: scenario 'bare' has no robot to replace"


def test_whatever_runs_can_be_pictured(snapshot, tmp_path: Path) -> None:
    (tmp_path / "hill.obj").write_text("v -9 -9 0\nv 9 -9 0\nv 9 9 1\nv -9 9 1\nf 1 2 3\nf 1 3 4\n")
    Image.fromarray(np.arange(81, dtype=np.uint16).reshape(9, 9) * 700).save(tmp_path / "map.png")
    size, labels = ["--size", "96x64"], ["--what", "labels", "-o", str(tmp_path / "out.png")]
    for words, seen in (
        ([str(tmp_path / "hill.obj")], "ground"),
        ([str(tmp_path / "map.png"), "--extent", "20,20,2"], "ground"),
        (["create"], "create/"),
        (["sick-boxes"], "floor"),  # the world, not the scenario of that name with its robot
    ):
        code, out, err = snapshot(*words, *size, *labels)
        assert (code, err) == (0, "")
        assert seen in out
        assert ("jackal" in out) is False  # nobody asked for one


@pytest.mark.parametrize("extent", [20.0, 400.0])
def test_a_world_without_a_robot_is_seen_as_a_whole(snapshot, tmp_path: Path, extent) -> None:
    """All of a height map is in the image, with the sky around it, and fills much of it."""
    Image.fromarray(np.arange(81, dtype=np.uint16).reshape(9, 9) * 700).save(tmp_path / "map.png")
    file = tmp_path / "out.png"
    words = [str(tmp_path / "map.png"), "--extent", f"{extent},{extent},{extent / 10}"]
    code, _, err = snapshot(*words, "--size", "160x90", "--what", "labels", "-o", str(file))
    assert (code, err) == (0, "")
    ground = np.array(Image.open(file)) > 0
    edge = np.concatenate([ground[0], ground[-1], ground[:, 0], ground[:, -1]])
    assert not edge.any()
    assert 0.2 < ground.mean() < 0.8


@pytest.mark.parametrize("robot", ["create", "husky", "tank"])
def test_a_robot_is_whole_in_its_picture_and_fills_some_of_it(snapshot, tmp_path, robot) -> None:
    file = tmp_path / "out.png"
    words = ["empty", "--robot", robot, "--size", "160x100", "--what", "labels", "-o", str(file)]
    code, _, err = snapshot(*words)
    assert (code, err) == (0, "")
    labels = np.array(Image.open(file))
    beside = set(labels[:, [0, -1]].ravel()) | set(labels[[0, -1]].ravel())  # the floor, the sky
    seen = ~np.isin(labels, list(beside))
    assert labels[50, 80] not in beside
    assert 0.015 < seen.mean() < 0.3


def test_a_robot_below_a_high_ceiling_is_seen_over_its_shoulder(snapshot, tmp_path: Path) -> None:
    """A ceiling just above the camera is no hill to look over."""
    slab = "  - {name: %s, shape: {type: box, size: [%s]}, pose: {x: %s, y: %s, z: %s}}\n"
    walls = [
        ("east", "0.1, 12, 3", 6, 0, 1.5),
        ("west", "0.1, 12, 3", -6, 0, 1.5),
        ("north", "12, 0.1, 3", 0, 6, 1.5),
        ("south", "12, 0.1, 3", 0, -6, 1.5),
        ("roof", "12, 12, 0.1", 0, 0, 3.05),
    ]
    text = "name: hall\nobjects:\n" + "".join(slab % wall for wall in walls)
    (tmp_path / "hall.yaml").write_text(text)
    file = tmp_path / "out.png"
    words = [str(tmp_path / "hall.yaml"), "--robot", "husky", "--size", "160x120"]
    code, _, _ = snapshot(*words, "--what", "labels", "-o", str(file))
    assert code == 0
    labels = np.array(Image.open(file))
    assert labels[0, 80] != labels[-1, 80]  # ahead is a wall, not the floor seen from above


def test_a_robot_in_a_closed_room_is_seen_from_inside(snapshot, tmp_path: Path) -> None:
    slab = "  - {name: %s, shape: {type: box, size: [%s]}, pose: {x: %s, y: %s, z: %s}}\n"
    walls = [
        ("east", "0.1, 3, 2", 1.5, 0, 1),
        ("west", "0.1, 3, 2", -1.5, 0, 1),
        ("north", "3, 0.1, 2", 0, 1.5, 1),
        ("south", "3, 0.1, 2", 0, -1.5, 1),
        ("roof", "3, 3, 0.1", 0, 0, 2),
    ]
    text = "name: cell\nobjects:\n" + "".join(slab % wall for wall in walls)
    (tmp_path / "cell.yaml").write_text(text)
    labels = ["--what", "labels", "--size", "96x64", "-o", str(tmp_path / "out.png")]
    code, out, _ = snapshot(str(tmp_path / "cell.yaml"), "--robot", "create", *labels)
    assert code == 0
    assert "create/" in out


@pytest.mark.parametrize("words", [["--robot", "create"], []])
def test_walls_that_are_only_seen_make_a_room_too(snapshot, tmp_path: Path, words) -> None:
    """The pictures go by what is seen, not by what is felt."""
    part = "<{0} name='{1}'><pose>{2}</pose><geometry><box><size>{3}</size></box></geometry></{0}>"
    walls = [
        ("visual", "east", "1.5 0 1 0 0 0", "0.1 3 2"),
        ("visual", "west", "-1.5 0 1 0 0 0", "0.1 3 2"),
        ("visual", "north", "0 1.5 1 0 0 0", "3 0.1 2"),
        ("visual", "south", "0 -1.5 1 0 0 0", "3 0.1 2"),
        ("visual", "roof", "0 0 2 0 0 0", "3 3 0.1"),
        ("visual", "floor", "0 0 -0.1 0 0 0", "3 3 0.2"),
        ("collision", "floor", "0 0 -0.1 0 0 0", "3 3 0.2"),
    ]
    link = "<link name='l'>" + "".join(part.format(*wall) for wall in walls) + "</link>"
    model = f"<model name='house'><static>1</static>{link}</model>"
    path = tmp_path / "house.sdf"
    path.write_text(f"<sdf version='1.7'><world name='w'>{model}</world></sdf>")
    file = tmp_path / "out.npy"
    options = ["--what", "depth", "--size", "96x64", "-o", str(file)]
    code, _, err = snapshot(str(path), *words, *options)
    assert (code, err) == (0, "")
    assert np.load(file).max() < 4.0  # not from outside, and nowhere the sky


def test_what_moves_is_seen_as_a_whole_wherever_it_is_in_its_link(snapshot, tmp_path) -> None:
    shape = "<geometry><sphere><radius>0.1</radius></sphere></geometry>"
    parts = "".join(
        f"<{tag} name='a'><pose>3 0 2 0 0 0</pose>{shape}</{tag}>"
        for tag in ("visual", "collision")
    )
    (tmp_path / "ball.sdf").write_text(
        f"<sdf version='1.7'><model name='ball'><pose>0 0 0 0 0 1</pose>"
        f"<link name='l'>{parts}</link></model></sdf>"
    )
    file = tmp_path / "out.png"
    words = [str(tmp_path / "ball.sdf"), "--size", "160x90", "--what", "labels", "-o", str(file)]
    assert snapshot(*words)[0] == 0
    ball = np.argwhere(np.array(Image.open(file)) > 0)
    assert len(ball) > 300
    assert ball.mean(axis=0) == pytest.approx([45, 80], abs=10)
