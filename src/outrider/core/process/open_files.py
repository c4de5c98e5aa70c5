"""How many files and connections the process may have open."""

from contextlib import suppress

_ENOUGH = 16_384


def allow_many() -> None:
    """Raise the usual limit of 1024 where the system lets us: strangers' connections count, too."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # not on Windows, which has no such limit

        low, high = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _ENOUGH if high == resource.RLIM_INFINITY else min(_ENOUGH, high)
        if low != resource.RLIM_INFINITY and low < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, high))
