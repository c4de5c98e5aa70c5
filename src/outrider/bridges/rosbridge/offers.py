"""Services or actions that clients offer to each other, by name."""

from collections.abc import Callable, Container

from outrider.bridges.rosbridge.encoding.forms import form_of, short_name
from outrider.bridges.rosbridge.session import ClientSession, Fields, name_of, text_of
from outrider.core.errors import BridgeError


class Offers:
    """Who offers what."""

    def __init__(self, word: str, most: int, own: Callable[[], Container[str]]) -> None:
        """``word`` is service or action, ``most`` for each client, ``own`` the simulation's."""
        self._word, self._most, self._own = word, most, own
        self.found: dict[str, tuple[ClientSession, str]] = {}  # provider and type

    def advertise(self, session: ClientSession, message: Fields) -> None:
        """Take an offer."""
        name, spelling = name_of(message, self._word), text_of(message, "type")
        if name in self._own():
            raise BridgeError(f"{self._word} '{name}' is the simulation's own")
        if sum(provider is session for provider, _ in self.found.values()) >= self._most:
            raise BridgeError(f"a client may offer at most {self._most} {self._word}s")
        session.form = form_of(spelling)
        self.found[name] = session, short_name(spelling)

    def unadvertise(self, session: ClientSession, message: Fields) -> None:
        """Take an offer back."""
        name = name_of(message, self._word)
        if name not in self.found or self.found[name][0] is not session:
            raise BridgeError(f"{self._word} '{name}' was not advertised")
        del self.found[name]

    def leave(self, session: ClientSession) -> None:
        """Drop all offers of a client."""
        for name in [n for n, (provider, _) in self.found.items() if provider is session]:
            del self.found[name]
