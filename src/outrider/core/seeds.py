"""One seed per run, and an independent random stream for every consumer, by name."""

import zlib

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.state import State

_KIND = "PCG64"


def generator(seed: int, *names: str) -> np.random.Generator:
    """Return the generator of ``names`` under ``seed``, independent of caller and time."""
    words = [zlib.crc32(name.encode()) for name in names]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=words))


def generator_state(random: np.random.Generator) -> State:
    """Return how far a generator has come; its large numbers as hexadecimal text."""
    now = random.bit_generator.state
    return State(
        state=f"{now['state']['state']:x}",
        inc=f"{now['state']['inc']:x}",
        has_uint32=now["has_uint32"],
        uinteger=now["uinteger"],
    )


def set_generator_state(random: np.random.Generator, state: State) -> None:
    """Set a generator to the state of another one."""
    try:
        random.bit_generator.state = {
            "bit_generator": _KIND,
            "state": {name: int(state.text(name), 16) for name in ("state", "inc")},
            "has_uint32": state.integer("has_uint32"),
            "uinteger": state.integer("uinteger"),
        }
    except (ValueError, OverflowError):
        raise ConfigError("the saved state does not fit: that is not a random generator") from None
