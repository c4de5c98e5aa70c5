"""State as a list of attributes, for components that need no more than that."""

from dataclasses import is_dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from outrider.core.seeds import generator_state, set_generator_state
from outrider.core.state import State, Value


class DeclaredState(Protocol):
    """A component whose state is the attributes that it lists; without any it has none.

    They are numbers, texts and arrays, plain dataclasses of such, random generators, or components
    with a state of their own, also several in a tuple. Each is known by its name without the first
    underscore.
    """

    state_fields: ClassVar[tuple[str, ...]] = ()

    def get_state(self) -> State:
        """Return all of them."""
        names = self.state_fields
        return State({name.removeprefix("_"): _saved(getattr(self, name)) for name in names})

    def set_state(self, state: State) -> None:
        """Set all of them, in their order."""
        for name in self.state_fields:
            setattr(self, name, _restored(getattr(self, name), state, name.removeprefix("_")))


def _saved(value: Any) -> Value:
    match value:
        case bool() | int() | float() | str() | np.ndarray():
            return value
        case np.random.Generator():
            return generator_state(value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return State.of(value)
        case tuple():
            return [_saved(item) for item in value]
    own: State = value.get_state()
    return own


def _restored(now: Any, state: State, name: str) -> Any:
    """Return what an attribute is from now on, of the same type as it was."""
    match now:
        case bool() | int() | float() | str() | np.ndarray():
            return state.like(name, now)
        case np.random.Generator():
            set_generator_state(now, state.part(name))
            return now
        case _ if is_dataclass(now) and not isinstance(now, type):
            return state.part(name).record(now)
        case tuple():
            for part, own in zip(now, state.parts(name), strict=True):
                part.set_state(own)
            return now
    now.set_state(state.part(name))
    return now
