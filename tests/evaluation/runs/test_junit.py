from xml.etree import ElementTree

from outrider.evaluation.runs.junit import write_junit

GOOD = {"scenario": "slalom", "seed": 1, "completed": True, "wall_time_s": 2.0, "reason": None}
MET = {"figure": "x", "robot": "rover", "value": 1.0, "most": 2.0, "met": True}
UNMET = {"figure": "localization.ate_m", "robot": "", "value": None, "most": 0.5, "met": False}
BAD = {
    **GOOD,
    "seed": 2,
    "completed": False,
    "reason": "rover ran into '<cone>\x00' & stopped",
    "expectations": [MET, UNMET],
}
LOST = {"scenario": "slalom", "seed": 3, "completed": False, "error": "e", "reason": "signal 9"}


def test_runs_become_cases_with_reasons_expectations_and_the_command_that_repeats_them(tmp_path):
    write_junit(tmp_path / "new" / "junit.xml", [GOOD, BAD, LOST], "outrider scenario run slalom")
    (suite,) = ElementTree.parse(tmp_path / "new" / "junit.xml").getroot()
    counts = {name: suite.get(name) for name in ("name", "tests", "failures", "errors", "time")}
    assert counts == {
        "name": "slalom",
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "time": "4.000",
    }
    good, bad, lost = suite
    assert (good.get("classname"), good.get("name"), list(good)) == (
        "outrider.slalom",
        "seed 1",
        [],
    )
    assert bad[0].tag == "failure"
    assert bad[0].get("message") == "rover ran into '<cone>?' & stopped"
    assert bad[0].text.splitlines() == [
        "met: rover: x is 1, expected at most 2",
        "NOT MET: localization.ate_m was not measured, expected at most 0.5",
        "again: outrider scenario run slalom --seed 2",
    ]
    assert (lost[0].tag, lost[0].get("message")) == ("error", "signal 9")
