import socket
import sys

import pytest
from sweep_files import SHORT, written

from outrider.cli.main import main
from outrider.core.errors import ConfigError
from outrider.sweeps.load import check_builds, load_sweep

SPEED = "robots.0.motion.speed: {type: grid, low: 0.2, high: 1.0, count: 5}"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("robots.0.motion.sped: [1]", r"parameters: robots.0.motion.sped: .*did you mean 'speed'"),
        (f"{SPEED[:-1]}, cuont: 3}}", r"cuont: unknown key \(did you mean 'count'\?\)"),
        ("robots.0.motion.speed: []", r"parameters.robots.0.motion.speed: the list is empty"),
        (SPEED.replace("count: 5", "count: 0"), r"count: must be at least 1, got 0"),
        ("robots.0.motion.speed: {type: uniform, low: 0.1}", r"high: this key is required"),
        (
            "robots.0.motion.speed: {type: normal, mean: 1, sigma: 1}",
            r"low: this key is required",
        ),
        (
            "robots.0.motion.speed: {type: uniform, low: 2, high: 1}",
            r"expected low below high, got 2 and 1",
        ),
        ("robots.0.motion.speed: {type: unifrm}", r"did you mean 'uniform'"),
        (
            "robots.0.motion.speed: {type: uniform, low: 0, high: 1}",
            r"samples: this key is required",
        ),
        ("robots.3.motion.speed: [1]", r"robots.3: expected the number of an entry \(0 to 0\)"),
        ("robots.0.motion.speed: [fast]", r"robots.0.motion.speed: expected a number"),
        ("robots.0.sensors: [[{name: imu, model: ideal-imu, set: {nois: 1}}]]", r"nois"),
    ],
)
def test_a_bad_sweep_is_refused_in_one_sentence(tmp_path, change, sentence):
    path = written(tmp_path, SHORT.replace(SPEED, change))
    with pytest.raises(ConfigError, match=sentence) as refused:
        load_sweep(path)
    assert str(refused.value).startswith(str(path))
    assert str(refused.value).count(str(path)) == 1


def command(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["outrider", *words])
    with pytest.raises(SystemExit) as ending:
        main()
    return ending.value.code


def test_a_scenario_that_is_not_there_is_named(tmp_path, monkeypatch, capsys):
    path = written(tmp_path, "scenario: drive-10")
    assert command(monkeypatch, "sweep", str(path)) == 2
    assert "did you mean 'drive-10s'" in capsys.readouterr().err


def test_a_ray_address_that_does_not_answer_is_said_so_at_once(tmp_path, monkeypatch, capsys):
    pytest.importorskip("ray")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    out = str(tmp_path / "out")
    code = command(monkeypatch, "sweep", str(written(tmp_path)), "--ray", address, "--out", out)
    assert code == 2
    assert f"--ray {address}: no cluster answers there" in capsys.readouterr().err


def test_a_search_over_a_list_is_refused(tmp_path, monkeypatch, capsys):
    path = written(tmp_path, SHORT.replace(SPEED, "robots.0.motion.speed: [0.1, 0.2]"))
    assert command(monkeypatch, "falsify", str(path)) == 2
    assert "robots.0.motion.speed: is a list; a search needs ranges" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            "world.ground.material: [concrete, gras]",
            "parameters.world.ground.material: empty: ground: there is no material 'gras' (did",
        ),
        ("world: [empty, hartc]", "parameters: world: there is no world 'hartc'"),
        ("physics.engine: [mujoco, bulet]", "parameters.physics.engine: "),
        ("obstacles: [[], [{name: b, shape: {type: mesh, file: no.stl}}]]", "parameters.obstacles"),
    ],
)
def test_a_name_that_does_not_exist_is_found_before_the_first_run(
    tmp_path, monkeypatch, capsys, change, sentence
):
    path, out = written(tmp_path, SHORT.replace(SPEED, change)), tmp_path / "out"
    assert command(monkeypatch, "sweep", str(path), "--out", str(out)) == 2
    assert f"{path}: {sentence}" in capsys.readouterr().err
    assert not out.exists()


def test_a_figure_that_does_not_exist_is_found_before_the_first_run(tmp_path, monkeypatch, capsys):
    text = SHORT.replace("expect: []", "expect: [{figure: latral_m, most: 1}]")
    out = tmp_path / "out"
    for word in ("sweep", "falsify"):
        code = command(monkeypatch, word, str(written(tmp_path, text)), "--out", str(out))
        assert code == 2
        assert "did you mean 'lateral_m'" in capsys.readouterr().err
        assert not out.exists()


def test_a_number_that_a_run_fails_with_is_a_result(tmp_path):
    place = "robots.0.pose: [{x: 0}, {x: 0, z: -1}]"
    check_builds(load_sweep(written(tmp_path, SHORT.replace(SPEED, place))))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("worst_by: distanc_m", r"worst_by: there is no figure 'distanc_m' \(did you mean 'dist"),
        (
            "falsify: {fail: {figure: robots.jakal.y, most: 2}}",
            r"falsify.fail.figure: .* \(did you mean 'robots.jackal.y'\?\)",
        ),
        (
            "falsify: {fail: {figure: lateral_m, most: 2}}",
            r"\(did you mean 'robots.jackal.lateral_m'\?\)",
        ),
    ],
)
def test_a_figure_that_no_run_has_is_refused_since_nothing_would_ever_fail_by_it(
    tmp_path, line, sentence
):
    with pytest.raises(ConfigError, match=sentence):
        load_sweep(written(tmp_path, f"{SHORT}\n{line}\n"))


def test_a_search_by_a_figure_that_was_not_measured_ends_with_a_sentence(
    tmp_path, monkeypatch, capsys
):
    fail = "falsify: {budget: 2, generation: 2, fail: {figure: localization.ate_m, most: 2}}"
    path = written(tmp_path, f"{SHORT}\n{fail}\n")
    out = str(tmp_path / "out")
    assert command(monkeypatch, "falsify", str(path), "--jobs", "1", "--out", out) == 2
    assert "'localization.ate_m' was not measured in run 1" in capsys.readouterr().err
