"""Errors are one sentence, whatever they quote."""

import pytest

from outrider.core.errors import BridgeError, ConfigError, OutriderError
from outrider.loader.library import load_world_spec


@pytest.mark.parametrize("kind", [ConfigError, OutriderError, BridgeError])
def test_line_ends_in_what_is_quoted_do_not_break_the_sentence(kind):
    assert str(kind("a\nb\u2028c\r\nd")) == "a b c d"


def test_a_name_with_a_line_end_is_refused_in_one_line():
    with pytest.raises(ConfigError) as refused:
        load_world_spec("no\nsuch world")
    assert "\n" not in str(refused.value)
