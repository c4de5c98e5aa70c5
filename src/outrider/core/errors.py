"""Errors that end in one sentence for the user: one class per package, with a common base."""

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 20_000  # letters of a sentence
_LONGEST_WORD = 200  # that is compared with others: that takes time


class OutriderError(Exception):
    """Bad input or a run that cannot continue; the text is one complete sentence."""

    def __init__(self, sentence: object = "") -> None:
        # what a file or a peer wrote, quoted in it, may hold line ends, or megabytes
        text = str(sentence)
        more = f" ... ({len(text)} letters)" if len(text) > _LONGEST else ""
        super().__init__(" ".join(text[:_LONGEST].splitlines()) + more)


class ConfigError(OutriderError):
    """An invalid scenario, robot or world file."""


class PlaceError(ConfigError):
    """Something that would be inside something else at the place that is asked for."""


class LimitError(ConfigError):
    """More than clients may add to a run."""


class FormatError(OutriderError):
    """A model, mesh or image file that cannot be read."""


class WorldError(OutriderError):
    """A world that cannot exist: negative mass, impossible inertia, duplicate names."""


class SceneError(OutriderError):
    """Geometry that rays cannot be cast into."""


class RenderError(OutriderError):
    """An image that cannot be rendered, or no renderer that works."""


class PhysicsError(OutriderError):
    """An engine that cannot be built or is not installed."""


class UnstableError(PhysicsError):
    """A simulation that diverged: names the time, the body, and the last good state."""


class SimulationError(OutriderError):
    """A simulation that does not answer other threads, or has ended."""


class ComponentError(OutriderError):
    """A component that cannot be loaded, or that asks for something it cannot have."""


class BusError(OutriderError):
    """A topic or message of the wrong name or type."""


class AutonomyError(OutriderError):
    """A message or file that a component of the autonomy stack cannot use."""


class EvaluationError(OutriderError):
    """Results or recordings that cannot be measured or compared."""


class LearningError(OutriderError):
    """An environment for learning that is asked for something it cannot do."""


class SweepError(OutriderError):
    """A sweep that cannot go on; what was done is kept."""


class BridgeError(OutriderError):
    """A peer that cannot be reached or violates the protocol."""


class PeerGoneError(BridgeError):
    """A peer that has ended: nobody listens at its address any more."""


class RecordingError(OutriderError):
    """A recording that cannot be written or read."""


def near_match(word: object, choices: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for the closest choice, or an empty string."""
    word = str(word)  # a program may ask by number
    if len(word) > _LONGEST_WORD:
        return ""
    found = get_close_matches(word, list(choices), n=1, cutoff=0.6)
    return f" (did you mean '{found[0]}'?)" if found else ""
