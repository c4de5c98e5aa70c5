"""Numbers in fields."""

import pytest

from outrider.ui.numbers import parsed, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (20.0, "20"),
        (1.76333, "1.7633"),
        (-0.0003, "-0.0003"),
        (0.0000123, "1.23e-05"),
    ],
)
def test_numbers_are_shown_as_people_write_them(value: float, text: str) -> None:
    assert shown(value) == text
    assert parsed(text) == pytest.approx(value, abs=5e-5 if abs(value) > 1e-3 else 1e-12)


@pytest.mark.parametrize("text", ["", "wide", "nan", "inf", "1 2", "1e999"])
def test_what_is_no_finite_number_is_none(text: str) -> None:
    assert parsed(text) is None


def test_a_decimal_comma_is_as_good_as_a_point() -> None:
    assert parsed(" 1,5 ") == 1.5
