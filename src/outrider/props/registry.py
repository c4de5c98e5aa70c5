"""The props that worlds can name: ``things: [{what: rock}]`` and ``scatter: [{what: rock}]``."""

from typing import cast

from outrider.core.registry import Registry
from outrider.props.prop import MakeProp

PROPS = Registry(
    "prop",
    {
        "abutment": "outrider.props.structure:abutment",
        "barn": "outrider.props.barn:barn",
        "barrel": "outrider.props.street:barrel",
        "bench": "outrider.props.street:bench",
        "bridge": "outrider.props.structure:bridge",
        "building": "outrider.props.building:building",
        "bush": "outrider.props.bush:bush",
        "chair": "outrider.props.indoor:chair",
        "cone": "outrider.props.street:cone",
        "culvert": "outrider.props.structure:culvert",
        "desk": "outrider.props.indoor:desk",
        "dock": "outrider.props.street:dock",
        "dumpster": "outrider.props.street:dumpster",
        "fence": "outrider.props.fence:fence",
        "floor": "outrider.props.floors:floor",
        "fountain": "outrider.props.street:fountain",
        "grass": "outrider.props.bush:grass",
        "hydrant": "outrider.props.street:hydrant",
        "jersey_barrier": "outrider.props.street:jersey_barrier",
        "lamp_post": "outrider.props.street:lamp_post",
        "lane_track": "outrider.props.floors:lane_track",
        "maze": "outrider.props.floors:maze",
        "pipeline": "outrider.props.fence:pipeline",
        "rock": "outrider.props.rock:rock",
        "shelf": "outrider.props.indoor:shelf",
        "sign": "outrider.props.street:sign",
        "solar_panel": "outrider.props.solar_panel:solar_panel",
        "table": "outrider.props.indoor:table",
        "tree": "outrider.props.tree:tree",
        "lab_bumps": "outrider.props.lab_pieces:lab_bumps",
        "lab_grass": "outrider.props.lab_pieces:lab_grass",
        "lab_gravel": "outrider.props.lab_pieces:lab_gravel",
        "wall": "outrider.props.indoor:wall",
    },
)


def maker(what: str) -> MakeProp:
    """Return the function that makes a thing."""
    return cast(MakeProp, PROPS.load(what))
