"""The things that worlds can name: ``things: [{what: rock}]`` and ``scatter: [{what: rock}]``."""

from typing import cast

from outrider.core.registry import Registry
from outrider.props.prop import MakeProp

PROPS = Registry(
    "prop",
    {
        "rock": "outrider.props.rock:rock",
    },
)


def maker(what: str) -> MakeProp:
    """Return the function that makes a thing."""
    return cast(MakeProp, PROPS.load(what))
