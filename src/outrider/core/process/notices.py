"""Sentences for the person at the terminal that are worth saying once."""

import sys

_said: set[str] = set()


def say_once(text: str) -> None:
    """Write a sentence to the error stream, unless this process has written it before."""
    if text not in _said:
        _said.add(text)
        sys.stderr.write(f"outrider: {' '.join(text.split())}\n")
