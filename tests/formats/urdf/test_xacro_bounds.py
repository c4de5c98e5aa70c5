"""Expressions that ask for too much end in one sentence, and quickly."""

import pytest

from outrider.core.errors import FormatError
from outrider.core.files.package_files import spawned_folder
from outrider.formats.urdf import description, xacro_guard
from outrider.formats.urdf.description import read_robot_description
from outrider.formats.urdf.xacro_guard import Budget

_FILE = (
    """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{0}<link name="a"/></robot>"""
)


def _property(expression: str) -> str:
    return f'<xacro:property name="p" value="${{{expression}}}"/><link name="${{p}}"/>'


@pytest.mark.parametrize(
    "expression",
    [
        "'x'*10**10",
        "[0]*10**10",
        "[[0]*900000]*900000",  # little memory, but without end once it is written or compared
        "[[0]*900000 for i in range(900000)]",
        "sorted(['x'*900000]*900000)",
        "round(10**99, -10**9)",
        "10**10*'x'",
        "9**9**9",
        "1<<10**10",
        "len([x for x in range(10**9)])",
        "len([y for x in range(10**5) for y in range(10**5)])",
        "sum(list(range(10**9)))",
        "python.sum(python.range(10**9))",
        "'x'.ljust(10**10)",
        "'%9999999999d' % 1",
        "math.factorial(10**7)",
        "('x'*10**6).replace('x', 'x'*10**6)",
        "('x'*10**6).join(['x']*10**6)",
        "(lambda f: f(f))(lambda f: f(f))",
    ],
)
def test_an_expression_that_asks_for_too_much_is_refused(tmp_path, expression):
    path = tmp_path / "r.urdf.xacro"
    path.write_text(_FILE.format(_property(expression.replace("<", "&lt;").replace(">", "&gt;"))))
    with pytest.raises(FormatError) as caught:
        read_robot_description(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_properties_that_double_each_other_are_refused(tmp_path):
    doubled = "".join(
        f'<xacro:property name="p{n + 1}" value="${{p{n}+p{n}}}"/>' for n in range(60)
    )
    path = tmp_path / "r.urdf.xacro"
    path.write_text(
        _FILE.format(f'<xacro:property name="p0" value="x"/>{doubled}<link name="${{p60}}"/>')
    )
    with pytest.raises(FormatError, match="letters"):
        read_robot_description(path)


@pytest.mark.slow
def test_macros_that_double_each_other_are_refused(tmp_path):
    doubled = "".join(
        f'<xacro:macro name="m{n + 1}"><xacro:m{n}/><xacro:m{n}/></xacro:macro>' for n in range(40)
    )
    path = tmp_path / "r.urdf.xacro"
    path.write_text(
        _FILE.format(f'<xacro:macro name="m0"><foo/></xacro:macro>{doubled}<xacro:m40/>')
    )
    with pytest.raises(FormatError, match=r"without end|too long"):
        read_robot_description(path)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2*3+4", "10"),
        ("'ab'*3", "ababab"),
        ("'%s_%d' % ('a', 7)", "a_7"),
        ("'-'.join([str(x**2) for x in range(4)])", "0-1-4-9"),
        ("max(1, 2) + len('abc')", "5"),
        ("10 % 4", "2"),
        ("1 << 4", "16"),
        ("'a.b'.replace('.', '_')", "a_b"),
    ],
)
def test_ordinary_expressions_mean_what_they_mean_in_xacro(tmp_path, expression, value):
    path = tmp_path / "r.urdf.xacro"
    path.write_text(_FILE.format("").replace('"a"', f'"${{{expression.replace("<", "&lt;")}}}"'))
    assert read_robot_description(path).model.links[0].name == value


@pytest.mark.parametrize(("element", "most"), [("link", 300), ("plugin", 100)])
def test_a_peers_text_of_too_many_links_is_refused_before_it_is_expanded(
    tmp_path, monkeypatch, element, most
):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    monkeypatch.setattr(description, "expand_xacro", lambda *_: pytest.fail("it was expanded"))
    path = spawned_folder() / "r.urdf"
    path.parent.mkdir(parents=True)
    path.write_text(_FILE.format(f"<{element}/>" * (most + 1)))
    with pytest.raises(FormatError, match=f"up to {most} <{element}> elements"):
        read_robot_description(path)


def test_a_peers_text_has_less_processor_time(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(xacro_guard.time, "thread_time", lambda: now[0])
    own, of_peer = Budget(), Budget(of_peer=True)
    now[0] += 4.0
    own.step()
    with pytest.raises(FormatError, match="too long"):
        of_peer.step()
