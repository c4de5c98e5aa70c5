"""The counts of the code: right for a small tree, and within bounds for ours."""

from pathlib import Path

import pytest
from tools.code_counts import counts, crowded_calls, folders, modules

ROOT = Path(__file__).resolve().parents[2]
MOST_FILES = 28  # in a folder: beyond about 25 it wants a shelf


@pytest.fixture
def checkout(tmp_path):
    package = tmp_path / "src" / "outrider"
    package.mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text(
        "from typing import Any\n\n\nclass Thing:\n    def give(self) -> Any:\n        return 1\n"
    )
    (package / "two.py").write_text(
        "from outrider.one import Thing as Other\n\n\nclass Thing:  # noqa: A\n    pass\n\n\n"
        "def call(f):\n    f(1, 2, 3, 4, 5, 6, 7, 8)\n    f(*range(9), 1, 2)\n    return Other\n"
    )
    return tmp_path


def test_a_small_tree_is_counted(checkout):
    found = counts(checkout)
    assert found["files"] == 3
    assert found["lines"] == 6 + 11
    assert found["Any"] == 2
    assert found["noqa"] == 1
    assert found["largest folders"] == {"src/outrider": 3}
    assert found["functions"] == {
        "count": 2,
        "median": 3.0,
        "p90": 4,
        "longest": (4, "outrider.two.call"),
    }
    assert found["imports"]["highest fan-in"] == ("outrider.one", 1)
    assert found["class names in several files"] == {"Thing": ["outrider.one", "outrider.two"]}


def test_a_call_is_crowded_by_arguments_without_names(checkout):
    assert crowded_calls(modules(checkout / "src")) == ["outrider.two:9"]


def test_no_folder_of_ours_has_more_files_than_a_reader_can_survey():
    assert max(folders(ROOT).values()) <= MOST_FILES
