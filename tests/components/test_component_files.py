"""Components in files: keys, places, trust."""

import os
from pathlib import Path

import pytest
from counting import COUNTER

import outrider as o
from outrider.core.errors import ComponentError, ConfigError
from outrider.core.trust import TRUST_VARIABLE
from outrider.scenarios.load import dump, loads

POST = "{name: post, shape: {type: box}, pose: {x: 5}}"
WORLD = f"world: {{name: here, ground: {{type: flat}}, objects: [{POST}]}}\n"


def scenario(folder: Path, components: str, code: str = COUNTER, more: str = "") -> Path:
    (folder / "counter.py").write_text(code)
    file = folder / "here.yaml"
    file.write_text(f"{WORLD}robots: [{{model: jackal}}]\n{more}components:\n{components}")
    return file


def test_a_component_is_attached_with_its_parameters(tmp_path):
    file = scenario(tmp_path, "  - {file: counter.py, class: Counter, on: post, by: 3}\n")
    sim = o.open(file, trust=True)
    sim.run(0.01)
    (member,) = sim.components
    assert (member.name, member.handle.kind, member.handle.state.count) == (
        "post Counter",
        "model",
        12,
    )


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{file: counter.py, class: Counter, bye: 3}", r"Counter: bye: unknown key \(did you mean"),
        ("{file: counter.py, class: Counter, by: many}", "by: expected a whole number, got 'many'"),
        ("{file: counter.py, class: Count}", r"no component class 'Count' \(did you mean 'Counter"),
        (
            "{file: counter.py, class: Counter, on: pots}",
            r"on: there is no .*'pots' \(did you mean",
        ),
        ("{file: counter.py}", "class: which class of 'counter.py' is it"),
        ("{class: Counter}", "expected either 'file' and 'class', or 'type'"),
        ("{type: no-such}", "there is no component 'no-such'"),
        ("{file: counter.py, class: Counter, rate_hz: -1}", "rate_hz: must be above 0"),
        ("{file: other.py, class: Counter}", "cannot be read"),
        ("{file: counter.py, class: Counter, on_fault: stop}", "expected one of continue, fail"),
    ],
)
def test_a_bad_entry_is_refused_in_one_sentence(tmp_path, entry, said):
    file = scenario(tmp_path, f"  - {entry}\n")
    with pytest.raises((ConfigError, ComponentError), match=said):
        o.open(file, trust=True)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("class Counter(:\n    pass\n", r"counter.py:1: SyntaxError"),
        ("import outrider as o\nimport no_such_thing\n", r"counter.py:2.*no_such_thing"),
        ("exit()\n", r"counter.py:1.*SystemExit"),
        (
            "import outrider as o\nclass Counter(o.Component):\n    name: str = ''\n",
            "a parameter cannot be called 'name'",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_line(tmp_path, code, said):
    file = scenario(tmp_path, "  - {file: counter.py, class: Counter}\n", code)
    with pytest.raises(ComponentError, match=said):
        o.open(file, trust=True)


def test_code_runs_only_if_it_is_trusted(tmp_path):
    mark = tmp_path / "it_ran"
    code = f"open({str(mark)!r}, 'w').close()\n{COUNTER}"
    file = scenario(tmp_path, "  - {file: counter.py, class: Counter}\n", code)
    with pytest.raises(ComponentError, match=r"counter.py' is Python code.* --trust"):
        o.open(file)
    assert not mark.exists()
    o.open(file, trust=True)
    assert mark.exists()


def test_trust_in_one_file_is_not_trust_in_its_neighbour(tmp_path):
    file = scenario(tmp_path, "  - {file: counter.py, class: Counter}\n")
    o.scenario(file, trust=True)
    assert os.environ[TRUST_VARIABLE].split(os.pathsep)[-1] == str(tmp_path / "counter.py")
    (tmp_path / "other.py").write_text(COUNTER)
    file.write_text(file.read_text().replace("counter.py", "other.py"))
    with pytest.raises(ComponentError, match=r"other\.py' is Python code"):
        o.open(file)


@pytest.mark.parametrize("name", ["../outside.py", "{folder}/outside.py"])
def test_a_file_outside_the_folder_of_its_scenario_is_refused(tmp_path, name):
    (tmp_path / "outside.py").write_text(COUNTER)
    inside = tmp_path / "inside"
    inside.mkdir()
    name = name.replace("{folder}", str(tmp_path))
    file = scenario(inside, f"  - {{file: {name}, class: Counter}}\n")
    with pytest.raises(ConfigError, match="outside the folder of the file that names it"):
        o.open(file, trust=True)


def test_inside_a_project_a_scenario_may_use_its_code_folder(tmp_path):
    for name in ("scenarios", "code"):
        (tmp_path / name).mkdir()
    (tmp_path / "project.yaml").write_text("name: mine\nscenario: scenarios/here.yaml\n")
    scenario(tmp_path / "scenarios", "  - {file: ../code/counter.py, class: Counter}\n")
    (tmp_path / "code" / "counter.py").write_text(COUNTER)
    sim = o.open(tmp_path, trust=True)
    assert len(sim.components) == 1


def test_components_of_world_robot_and_scenario_run_in_that_order(tmp_path):
    (tmp_path / "counter.py").write_text(COUNTER)
    entry = "components: [{file: counter.py, class: Counter"
    (tmp_path / "w.yaml").write_text(f"ground: {{type: flat}}\n{entry}, name: of-world}}]\n")
    folder = Path(__file__).parents[2] / "examples" / "buggy"
    (tmp_path / "buggy.urdf").write_text((folder / "buggy.urdf").read_text())
    robot = (folder / "buggy.yaml").read_text()
    (tmp_path / "buggy.yaml").write_text(f"{robot}\n{entry}, on: base_link, name: of-robot}}]\n")
    (tmp_path / "s.yaml").write_text(
        f"world: w.yaml\nrobots: [{{model: buggy.yaml}}]\n{entry}, name: of-scenario}}]\n"
    )
    sim = o.open(tmp_path / "s.yaml", trust=True)
    sim.step()
    found = [(m.name, m.handle.on, m.handle.kind) for m in sim.components]
    assert found == [
        ("of-robot", "buggy/base_link", "link"),
        ("of-world", "", "world"),
        ("of-scenario", "", "world"),
    ]


def test_a_scenario_with_components_reads_back_from_what_is_written(tmp_path):
    file = scenario(tmp_path, "  - {file: counter.py, class: Counter, on: post, by: 3}\n")
    read = o.scenario(file)
    assert loads(dump(read)) == read
    assert read.components[0]["file"] == str(tmp_path / "counter.py")


def test_a_run_tells_of_faults_in_its_result_and_fails_if_asked_to(tmp_path):
    step = "    def step(self, me):\n        1 / 0\n"
    code = f"import outrider as o\nclass Counter(o.Component):\n{step}"
    file = scenario(tmp_path, "  - {file: counter.py, class: Counter}\n", code, "duration_s: 0.1\n")
    went_on = o.run_scenario(o.scenario(file, trust=True))
    assert went_on["completed"]
    assert "counter.py:4 ('1 / 0'): ZeroDivisionError" in went_on["component_faults"][0]
    failed = o.run_scenario(o.scenario(file, "on_fault=fail", trust=True))
    assert not failed["completed"]
    assert failed["steps"] == 1
