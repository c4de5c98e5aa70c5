"""What 'outrider list' says of what is included."""

from importlib.metadata import entry_points

from outrider.cli.output.catalogue import bridges, engines


def test_what_is_built_in_is_not_said_to_come_from_another_package():
    groups = ("outrider.bridges", "outrider.engines")
    others = {point.name for group in groups for point in entry_points(group=group)}
    said = {str(row["name"]): row["description"] for row in (*bridges(), *engines())}
    foreign = {name for name, text in said.items() if text == "from another package"}
    assert foreign <= others
    assert {"foxglove", "serial"} <= said.keys() - foreign
