"""Who may connect: by the origin of the page, and by a token or rosauth's signature."""

import hashlib
import hmac
import time
from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

from outrider.bridges.origins import is_known_origin

_SKEW_S = 5.0  # between two clocks, as rosauth has it
_SIGNED = ("client", "dest", "rand", "t", "level", "end")


class Authentication:
    """Pages of this machine, or of the origins that the user names; a token if there is one."""

    def __init__(self, token: str, origins: tuple[str, ...]) -> None:
        self._token, self._origins = token, origins
        self._used: dict[str, float] = {}  # signatures, and when each is too old anyway

    @property
    def asks(self) -> bool:
        """Whether a token is needed."""
        return bool(self._token)

    def knows_origin(self, origin: str | None) -> bool:
        """Return whether a page of this origin may connect; programs have none."""
        return is_known_origin(origin, self._origins)

    def token_in(self, path: str, authorization: str | None) -> str | None:
        """Return the token of a request: in its address, or in a header as a bearer's."""
        if authorization is not None:
            return authorization.removeprefix("Bearer ").strip()
        found = parse_qs(urlsplit(path).query).get("token")
        return found[0] if found else None

    def opens_with(self, token: str) -> bool:
        """Return whether a token is the right one."""
        return hmac.compare_digest(token.encode(), self._token.encode())

    def opens_for(self, message: Mapping[str, object]) -> bool:
        """Return whether an ``auth`` has our token, or is signed with it as rosauth asks."""
        if isinstance(given := message.get("token"), str):
            return self.opens_with(given)
        fields = [message.get(key) for key in _SIGNED]
        if not all(isinstance(field, str | int | float) for field in fields):
            return False
        moment, end = message["t"], message["end"]
        if not isinstance(moment, int | float) or not isinstance(end, int | float):
            return False
        now = time.time()
        if abs(now - moment) > _SKEW_S or (end and now > end):
            return False
        return self._signed(message, now)

    def _signed(self, message: Mapping[str, object], now: float) -> bool:
        texts = [
            str(int(v) if isinstance(v, float) else v)
            for v in map(message.get, _SIGNED)
            if v is not None
        ]
        mac = str(message.get("mac", ""))
        made = hashlib.sha512("".join([self._token, *texts]).encode()).hexdigest()
        self._used = {used: until for used, until in self._used.items() if until > now}
        if not hmac.compare_digest(mac.encode(), made.encode()) or mac in self._used:
            return False
        self._used[mac] = now + 2 * _SKEW_S
        return True
