"""One seed for a run, and an own stream of random numbers for everything that asks by name."""

import zlib

import numpy as np


def generator(seed: int, *names: str) -> np.random.Generator:
    """Return the generator that belongs to ``names`` under ``seed``, whoever asks and when."""
    words = [zlib.crc32(name.encode()) for name in names]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=words))
