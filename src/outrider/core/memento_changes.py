"""What has changed in an object since it was made: the difference of two notes."""

from typing import Any

from outrider.core.memento import KEEP, Arrays, Node

_LISTS = ("t", "l", "q", "s", "d", "i")


class Changes:
    """Compares notes taken now with notes taken at birth."""

    def __init__(self, now: Arrays, born: Arrays) -> None:
        self._now = now
        self._born = born

    def between(self, now: Node, born: Node) -> Node:
        """Return a note in which all that is as it was at birth is left to the live object."""
        if self.same(now, born):
            return {"k": 1, "was": now} if isinstance(now, dict) else KEEP
        if not (isinstance(now, dict) and isinstance(born, dict)):
            return now
        if "o" in now and now["o"] == born.get("o"):
            old = born["f"]
            fields = {k: self.between(item, old.get(k, KEEP)) for k, item in now["f"].items()}
            return {**now, "f": fields}
        for letter in ("t", "l"):
            if letter in now and letter in born and len(now[letter]) == len(born[letter]):
                pairs = zip(now[letter], born[letter], strict=True)
                return {**now, letter: [self.between(a, b) for a, b in pairs]}
        return now

    def same(self, now: Node, born: Node) -> bool:
        """Tell whether two notes say the same; what is a mere reference is never taken to."""
        if not (isinstance(now, dict) and isinstance(born, dict)):
            return type(now) is type(born) and bool(now == born or (now != now and born != born))
        if now.keys() != born.keys() or "r" in now:
            return False
        for letter in ("a", "n"):
            if letter in now:
                a, b = self._now[now[letter]], self._born[born[letter]]
                return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        return all(self._same_part(key, now[key], born[key]) for key in now if key != "#")

    def _same_part(self, key: str, now: Any, born: Any) -> bool:
        if key == "f":
            return now.keys() == born.keys() and all(self.same(now[k], born[k]) for k in now)
        if key in _LISTS:
            return len(now) == len(born) and all(
                self._same_item(a, b) for a, b in zip(now, born, strict=True)
            )
        return self.same(now, born)

    def _same_item(self, now: Any, born: Any) -> bool:
        """Compare entries of a list; those of a mapping are pairs."""
        if isinstance(now, list):
            return all(self.same(a, b) for a, b in zip(now, born, strict=True))
        return self.same(now, born)
