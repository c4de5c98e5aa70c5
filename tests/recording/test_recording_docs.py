"""What the page on recording shows must run; the layout for Foxglove must fit the topics."""

import json
import re
from pathlib import Path

from outrider.messages.topics import TOPICS
from outrider.recording.formats import FORMATS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_python_of_the_page_runs_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    text = (DOCS / "recording.md").read_text(encoding="utf-8")
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(code, names)
    assert names["entry"].track.topic == "/ground_truth/state"
    assert (tmp_path / "drive" / "imu" / "data.csv").is_file()


def test_the_page_lists_every_format():
    text = (DOCS / "recording.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^`]+`|none) \| `([\w-]+)` \|", text, re.MULTILINE)
    expected = [(f"`{f.suffix}`" if f.suffix else "none", f.name) for f in FORMATS.values()]
    assert rows == expected


def test_the_layout_names_panels_that_it_has_and_topics_that_there_are():
    layout = json.loads((DOCS / "foxglove-layout.json").read_text(encoding="utf-8"))
    placed = re.findall(r'"(\w+!\w+)"', json.dumps(layout["layout"]))
    assert sorted(placed) == sorted(layout["configById"])
    assert layout["configById"]["Teleop!drive"]["topic"] == "/" + TOPICS["cmd_vel"].name
