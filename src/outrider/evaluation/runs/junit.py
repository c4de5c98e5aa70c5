"""Results as JUnit XML, which every CI server reads: a test case per run."""

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from outrider.core.files.atomic_file import write_whole
from outrider.evaluation.runs.reasons import unmet_text
from outrider.scenarios.result import Result

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(path: Path, results: Sequence[Result], command: str) -> None:
    """Write all runs; ``command`` repeats one of them when a seed is added."""
    suites = ElementTree.Element("testsuites", name="outrider")
    for name in dict.fromkeys(str(result["scenario"]) for result in results):
        suites.append(_suite(name, [r for r in results if r["scenario"] == name], command))
    ElementTree.indent(suites)
    write_whole(path, ElementTree.tostring(suites, "utf-8", xml_declaration=True) + b"\n")


def _suite(name: str, results: list[Result], command: str) -> ElementTree.Element:
    errors = sum(bool(result.get("error")) for result in results)
    failed = sum(not result["completed"] for result in results)
    suite = ElementTree.Element(
        "testsuite",
        name=_text(name),
        tests=str(len(results)),
        failures=str(failed - errors),
        errors=str(errors),
        skipped="0",
        time=f"{sum(map(_seconds, results)):.3f}",
    )
    suite.extend(_case(result, command) for result in results)
    return suite


def _case(result: Result, command: str) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase",
        classname=_text(f"outrider.{result['scenario']}"),
        name=f"seed {result['seed']}",
        time=f"{_seconds(result):.3f}",
    )
    if not result["completed"]:
        kind = "error" if result.get("error") else "failure"
        told = ElementTree.SubElement(case, kind, message=_text(result["reason"]), type=kind)
        told.text = _text("\n".join(_lines(result, command)))
    return case


def _lines(result: Result, command: str) -> list[str]:
    """Return every expectation with its figure, and how to see the run again."""
    judged = result.get("expectations", [])
    lines = [f"{'met' if item['met'] else 'NOT MET'}: {unmet_text(item)}" for item in judged]
    return [*lines, f"again: {command} --seed {result['seed']}"]


def _seconds(result: Result) -> float:
    return float(result.get("wall_time_s") or 0.0)


def _text(value: object) -> str:
    """Return text without characters that XML cannot hold."""
    return _NOT_XML.sub("?", str(value))
