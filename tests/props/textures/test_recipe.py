"""Procedural pictures stay the same when the files of their recipes move."""

from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import pytest
from PIL import Image

import outrider.props
import outrider.props.textures
from outrider.core.seeds import generator
from outrider.props.textures.images import texture
from outrider.props.textures.recipe import Recipe
from outrider.props.textures.wood import veneer

# a stream's name decides the picture: a name that changes changes worlds that people know
STREAMS = {
    "outrider.props.lab_pieces._lawn",
    "outrider.props.rock.surface",
    "outrider.props.textures.facade.entrance",
    "outrider.props.textures.facade.facade",
    "outrider.props.textures.facade.roofing",
    "outrider.props.textures.lanes.lanes",
    "outrider.props.textures.leaves.tuft",
    "outrider.props.textures.leaves.twig",
    "outrider.props.textures.masonry.asphalt",
    "outrider.props.textures.masonry.bricks",
    "outrider.props.textures.masonry.carpet",
    "outrider.props.textures.masonry.concrete",
    "outrider.props.textures.masonry.plaster",
    "outrider.props.textures.masonry.tiles",
    "outrider.props.textures.metal.corrugated",
    "outrider.props.textures.metal.painted",
    "outrider.props.textures.metal.solar_cells",
    "outrider.props.textures.metal.striped",
    "outrider.props.textures.wood.bark",
    "outrider.props.textures.wood.boards",
    "outrider.props.textures.wood.veneer",
}


def recipes():
    for package in (outrider.props, outrider.props.textures):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            for value in vars(import_module(module.name)).values():
                if isinstance(value, Recipe):
                    yield value


def test_every_recipe_has_the_stream_that_its_pictures_are_known_by():
    found = set(recipes())
    assert {recipe.stream for recipe in found} == STREAMS
    assert len(found) == len(STREAMS)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))


def test_a_picture_is_drawn_from_its_named_stream(cache):
    drawn = np.asarray(Image.open(texture(veneer, (0.5, 0.4, 0.3), 64, seed=3)))
    random = generator(3, "outrider.props.textures.wood.veneer")
    assert np.array_equal(drawn, veneer.draw(random, (0.5, 0.4, 0.3), 64))


def test_a_recipe_in_another_file_draws_the_same_picture(cache):
    def moved(random, *arguments):
        return veneer.draw(random, *arguments)

    before = np.asarray(Image.open(texture(veneer, (0.5, 0.4, 0.3), 64)))
    path = texture(replace(veneer, draw=moved), (0.5, 0.4, 0.3), 64)
    assert np.array_equal(np.asarray(Image.open(path)), before)
    other = texture(replace(veneer, stream="another"), (0.5, 0.4, 0.3), 64)
    assert not np.array_equal(np.asarray(Image.open(other)), before)
