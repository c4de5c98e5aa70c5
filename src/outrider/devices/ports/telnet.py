"""Serial lines over telnet (RFC 2217): data, line settings, and replies."""

from dataclasses import dataclass, field

_IAC, _DONT, _DO, _WONT, _WILL, _SB, _SE = 255, 254, 253, 252, 251, 250, 240
_BINARY, _GO_AHEAD, _COM_PORT = 0, 3, 44
_OURS = frozenset({_BINARY, _GO_AHEAD, _COM_PORT})
_SET_BAUD, _ANSWER = 1, 100  # an answer has the number of its question and 100
_KNOWN = frozenset({0, 1, 2, 3, 4, 5, 10, 11, 12})
_SIGNATURE = b"Outrider"
_LONGEST = 256  # bytes of one setting


@dataclass(slots=True)
class Telnet:
    """Parses the bytes of one connection; ``answer`` is to be sent back."""

    baud: int = 0  # that the program has set
    answer: bytearray = field(default_factory=bytearray)
    _left: bytearray = field(default_factory=bytearray)
    _agreed: set[tuple[int, int]] = field(default_factory=set)

    def feed(self, data: bytes) -> bytes:
        """Return the data among received bytes."""
        self._left += data
        found = bytearray()
        while self._left:
            at = self._left.find(_IAC)
            if at != 0:
                end = at if at > 0 else len(self._left)
                found += self._left[:end]
                del self._left[:end]
                continue
            used = self._command(found)
            if not used:
                break
            del self._left[:used]
        return bytes(found)

    def _command(self, found: bytearray) -> int:
        """Parse a command that begins with IAC; return its length, or 0 if it is incomplete."""
        left = self._left
        if len(left) < 2:
            return 0
        if left[1] == _IAC:
            found.append(_IAC)
            return 2
        if left[1] in (_DO, _DONT, _WILL, _WONT):
            if len(left) < 3:
                return 0
            self._negotiate(left[1], left[2])
            return 3
        return self._setting() if left[1] == _SB else 2

    def _negotiate(self, verb: int, option: int) -> None:
        """Accept the options that RFC 2217 needs, refuse the rest; once each, to avoid loops."""
        if verb in (_DONT, _WONT) or (verb, option) in self._agreed:
            return
        self._agreed.add((verb, option))
        yes, no = (_WILL, _WONT) if verb == _DO else (_DO, _DONT)
        self.answer += bytes([_IAC, yes if option in _OURS else no, option])

    def _setting(self) -> int:
        end = self._end_of_setting()
        if end < 0:  # not whole yet, or without end
            return len(self._left) if len(self._left) > _LONGEST else 0
        body = bytes(self._left[2:end]).replace(b"\xff\xff", b"\xff")
        if len(body) > 1 and body[0] == _COM_PORT and body[1] in _KNOWN:
            self._set(body[1], body[2:])
        return end + 2

    def _end_of_setting(self) -> int:
        """Return the index of the closing IAC (a doubled IAC is data), or -1."""
        at = self._left.find(_IAC, 2)
        while 0 <= at < len(self._left) - 1 and self._left[at + 1] == _IAC:
            at = self._left.find(_IAC, at + 2)
        return at if 0 <= at < len(self._left) - 1 else -1

    def _set(self, command: int, value: bytes) -> None:
        if command == _SET_BAUD and len(value) == 4:
            self.baud = int.from_bytes(value, "big") or self.baud
            value = self.baud.to_bytes(4, "big")
        if command == 0:
            value = _SIGNATURE
        whole = bytes([_COM_PORT, command + _ANSWER]) + value.replace(b"\xff", b"\xff\xff")
        self.answer += bytes([_IAC, _SB]) + whole + bytes([_IAC, _SE])


def escaped(data: bytes) -> bytes:
    """Return data with IAC bytes escaped."""
    return data.replace(b"\xff", b"\xff\xff")
