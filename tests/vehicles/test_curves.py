import math

import pytest

from outrider.core.errors import ConfigError, FormatError
from outrider.vehicles.curves import CURVES, Curve, find_curve


def library(name):
    return find_curve(f"{name}.txt", CURVES)


def written(folder, text):
    path = folder / "curve.txt"
    path.write_text(text)
    return path


def test_a_curve_is_linear_between_points_and_level_beyond_them():
    curve = Curve(((-1.0, -4.0), (0.0, 0.0), (2.0, 1.0)))
    inputs = [-9.0, -1.0, -0.25, 0.0, 1.0, 2.0, 9.0]
    assert [curve(x) for x in inputs] == [-4.0, -4.0, -1.0, 0.0, 0.5, 1.0, 1.0]


def test_a_file_may_have_comments_empty_lines_and_any_order(tmp_path):
    curve = Curve.load(written(tmp_path, "# head\n\n2 : 20 # tail\n  1e0:10\n-1 :-10\n"))
    assert curve.points == ((-1.0, -10.0), (1.0, 10.0), (2.0, 20.0))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 0, "0 points"),
        ("# only\n1 : 2\n", 2, "1 points"),
        ("1 : 2\n2 : 3\n1.0 : 4\n", 3, "1 occurs twice"),
        ("1 : 2\n2 : x\n", 2, "two numbers, got '2 : x'"),
        ("1 : 2\n2 3\n", 2, "two numbers"),
        ("1 : 2 : 3\n2 : 3\n", 1, "two numbers"),
        ("1 : 2\nnan : 3\n", 2, "finite"),
        ("1 : inf\n2 : 3\n", 1, "finite"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path, text, line, words):
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as error:
        Curve.load(path)
    assert f"{path}: line {line}: " in str(error.value)
    assert words in str(error.value)


def test_a_missing_or_binary_file_is_one_sentence(tmp_path):
    with pytest.raises(ConfigError, match=r"absent\.txt: cannot read this curve"):
        Curve.load(tmp_path / "absent.txt")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(ConfigError, match="cannot read this curve"):
        Curve.load(tmp_path / "binary")


@pytest.mark.parametrize(
    "points", [((0.0, 1.0),), ((1.0, 0.0), (0.0, 1.0)), ((0.0, 0.0), (1.0, math.nan))]
)
def test_impossible_points_are_refused(points):
    with pytest.raises(ConfigError):
        Curve(points)


def test_measured_pairs_are_sorted_and_repeated_inputs_averaged():
    curve = Curve.from_pairs([(2, 5), (1, 1), (2, 7), (1, 2), (0, 0)])
    assert curve.points == ((0.0, 0.0), (1.0, 1.5), (2.0, 6.0))


def test_pairs_of_one_input_are_no_calibration():
    with pytest.raises(ConfigError, match="two points, got 1"):
        Curve.from_pairs([(1, 1), (1, 2)])


def test_a_saved_curve_comes_back_to_the_last_bit(tmp_path):
    curve = Curve.from_pairs([(0.1, 1 / 3), (1e-17, -2 / 7), (1e9, 5e-324)])
    curve.save(tmp_path / "saved.txt")
    assert Curve.load(tmp_path / "saved.txt") == curve
    assert [path.name for path in tmp_path.iterdir()] == ["saved.txt"]


def test_a_curve_that_cannot_be_saved_leaves_nothing_behind(tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(FormatError, match="cannot be written"):
        Curve(((0.0, 0.0), (1.0, 1.0))).save(tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_robot_s_own_curve_comes_before_the_library_s(tmp_path):
    Curve(((0.0, 0.0), (1.0, 9.0))).save(tmp_path / "autominy_speed.txt")
    assert find_curve("autominy_speed.txt", tmp_path)(1.0) == 9.0
    assert find_curve("autominy_speed_pwm.txt", tmp_path)(1000.0) > 5.0


def test_an_unknown_curve_is_named_with_a_near_one(tmp_path):
    with pytest.raises(ConfigError, match=r"no curve 'autominy_sped\.txt'.*autominy_speed\.txt"):
        find_curve("autominy_sped.txt", tmp_path)


@pytest.mark.parametrize("absolute", [True, False])
def test_a_robot_cannot_reach_a_curve_beyond_its_folder(tmp_path, absolute):
    (tmp_path / "robot").mkdir()
    Curve(((0.0, 0.0), (1.0, 9.0))).save(tmp_path / "secret.txt")
    name = str(tmp_path / "secret.txt") if absolute else "../secret.txt"
    with pytest.raises(ConfigError, match="there is no curve"):
        find_curve(name, tmp_path / "robot")


@pytest.mark.parametrize("path", sorted(CURVES.glob("*.txt")), ids=lambda path: path.stem)
def test_every_library_curve_loads_and_its_output_is_zero_in_the_middle(path):
    curve = Curve.load(path)
    middle = 1558.3 if path.stem == "autominy_steering_pwm" else 0.0
    middle = 1550.0 if path.stem == "autonomos_steering_pwm" else middle
    middle = 90.0 if path.stem == "autonomos_steering_manual" else middle
    assert curve(middle) == 0.0


def test_autominy_steers_the_same_by_full_normalized_and_by_end_of_pwm():
    pwm, normalized = library("autominy_steering_pwm"), library("autominy_steering_normalized")
    assert normalized(1.0) == pwm(950) == 0.512
    assert normalized(-1.0) == pwm(2150) == -0.498


def test_autominy_s_pwm_map_is_the_one_straight_line_of_its_calibration():
    pwm = library("autominy_steering_pwm")
    for value in range(950, 2151, 50):
        line = 0.512 + (value - 950) / 1200 * (-0.498 - 0.512)
        assert pwm(value) == pytest.approx(line, abs=2e-5)


def test_autominy_s_steering_command_divides_by_the_other_side_s_limit():
    steering = library("autominy_steering")
    assert steering(0.2) == pytest.approx(0.2 / 0.498 * 0.512)
    assert steering(-0.2) == pytest.approx(-0.2 / 0.512 * 0.498)


def car_pwm(v):
    return int(v / (0.0027 * 6) * 60 / 20000 * 1023 + 21)


def test_one_metre_per_second_is_pwm_210():
    assert car_pwm(1.0) == 210
    assert library("autominy_speed_pwm")(210) == pytest.approx(189 / 189.4444, rel=1e-6)


@pytest.mark.parametrize("v", [-2.0, -1.0, -0.3, 0.3, 1.0, 2.0])
def test_autominy_s_speed_pwm_undoes_the_car_s_own_rule(v):
    sent = car_pwm(v)
    assert library("autominy_speed_pwm")(sent) == pytest.approx(v, abs=1 / 189.4)


@pytest.mark.parametrize("value", [-19, -1, 0, 1, 20, 21])
def test_autominy_does_not_move_at_small_pwm(value):
    assert library("autominy_speed_pwm")(value) == 0.0


def test_autominy_takes_twice_the_normalized_speed_and_stops_below_a_twentieth():
    normalized, speed = library("autominy_speed_normalized"), library("autominy_speed")
    assert [normalized(n) for n in (-1.0, -0.5, 0.025, 1.0)] == pytest.approx([-2.0, -1.0, 0.05, 2])
    assert [normalized(n) for n in (0.02, -0.02)] == [0.0, 0.0]
    assert [speed(v) for v in (-9.0, -0.05, -0.04, 0.04, 0.05, 1.3)] == pytest.approx(
        [-2.5, -0.05, 0.0, 0.0, 0.05, 1.3]
    )


def test_autonomos_steers_left_where_autominy_does():
    limit = math.radians(27.5)
    assert library("autonomos_steering_pwm")(950) == pytest.approx(limit)
    assert library("autonomos_steering_pwm")(1850) == pytest.approx(-limit / 2)
    assert library("autonomos_steering_normalized")(1.0) == pytest.approx(limit)
    assert library("autonomos_steering")(-10.0) == pytest.approx(math.radians(10.0))


def test_autonomos_reaches_its_thesis_speeds():
    for name, full in (("pwm", 1000.0), ("normalized", 1.0)):
        curve = library(f"autonomos_speed_{name}")
        assert [curve(full), curve(-full / 2)] == [2.5, -1.25]
    assert library("autonomos_speed")(1.7) == pytest.approx(1.7)
