"""Collision shapes of a file: where it has any, wheels feel them and sensors see the visuals."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from outrider.world.model import Model


def with_collisions_apart(models: Sequence[Model]) -> tuple[Model, ...]:
    """Return the models of one file, felt by their collision shapes if the file gives any."""
    return tuple(map(_apart, models)) if _touchable(models) else tuple(models)


def _touchable(models: Iterable[Model]) -> bool:
    return any(
        any(link.colliders for link in model.links) or _touchable(model.children)
        for model in models
    )


def _apart(model: Model) -> Model:
    return replace(model, apart=True, children=tuple(map(_apart, model.children)))
