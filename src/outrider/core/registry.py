"""Registries of classes by name, imported only when a scenario uses one."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points

from outrider.core.errors import ConfigError, near_match


class Registry:
    """Built-in names as ``"module:Class"`` text, and third-party ones from an entry point group."""

    def __init__(self, kind: str, builtin: Mapping[str, str]) -> None:
        """``kind`` names the objects in errors and, in the plural, the entry point group."""
        self.kind = kind
        self._builtin = dict(builtin)

    def __iter__(self) -> Iterator[str]:
        """Iterate over all known names."""
        return iter(sorted({**self._third_party(), **self._builtin}))

    def __contains__(self, name: object) -> bool:
        """Say whether a name is known; installed packages are only searched for other names."""
        return name in self._builtin or name in self._third_party()

    def check(self, name: str) -> str:
        """Return where the class behind a name is; refuse a name that is not known."""
        target = self._builtin.get(name) or self._third_party().get(name)
        if target is None:
            known = ", ".join(self)
            raise ConfigError(
                f"there is no {self.kind} '{name}'{near_match(name, self)}; known: {known}"
            )
        return target

    def load(self, name: str) -> type:
        """Import and return the class behind a name."""
        target = self.check(name)
        module, _, attribute = target.partition(":")
        loaded: type = getattr(import_module(module), attribute)
        return loaded

    def _third_party(self) -> dict[str, str]:
        return {e.name: e.value for e in entry_points(group=f"outrider.{self.kind}s")}
