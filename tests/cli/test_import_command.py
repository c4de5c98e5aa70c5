"""outrider import tells where what is seen and what is felt are apart."""

import json

import pytest

from outrider.cli.main import main

WORLD = """<sdf version="1.7"><world name="w">{same}{wider}{ghost}</world></sdf>"""
MODEL = """<model name="{name}"><static>true</static><pose>{x} 0 0 0 0 0</pose><link name="link">
<visual name="v">{box}</visual>{collision}</link></model>"""


def _box(size: str) -> str:
    return f"<geometry><box><size>{size}</size></box></geometry>"


def _model(name: str, x: float, felt: str) -> str:
    collision = f'<collision name="c">{felt}</collision>' if felt else ""
    return MODEL.format(name=name, x=x, box=_box("1 1 1"), collision=collision)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_report_lists_what_is_seen_and_felt_apart(tmp_path, capsys, monkeypatch, as_json) -> None:
    file = tmp_path / "site.world"
    models = {
        "same": _model("same", 0, _box("1 1 1")),
        "wider": _model("wider", 5, _box("1.4 1 1")),
        "ghost": _model("ghost", 9, ""),
    }
    file.write_text(WORLD.format(**models))
    flags = ["--json"] if as_json else []
    monkeypatch.setattr("sys.argv", ["outrider", "import", str(file), *flags])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    out = capsys.readouterr().out
    told = json.loads(out)["apart"] if as_json else out.splitlines()
    assert [line for line in told if "ghost" in line and "visible but not solid" in line]
    assert [line for line in told if "wider" in line and "0.2 m" in line]
    assert not [line for line in told if "same" in line]
    assert as_json or "visual and collision geometry differ by more than 5 cm:" in told
