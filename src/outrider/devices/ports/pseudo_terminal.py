"""A pseudo-terminal with a stable name: to any program it is a serial port (Linux and macOS)."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from outrider.core.cache_folder import cache_dir
from outrider.core.errors import BridgeError

_CHUNK = 4096
_NO_CLIENT = (errno.EIO, errno.ENXIO)


def ports_folder() -> Path:
    """Return the default folder of links to ports."""
    return cache_dir() / "serial"


class PseudoTerminal:
    """The master side; programs open the slave side by a link with a stable name."""

    def __init__(self, link: Path) -> None:
        try:
            import termios
            import tty
        except ImportError:
            raise BridgeError(
                "this system has no pseudo-terminals: use --bridge serial:tcp=PORT"
            ) from None
        self._termios, self._tty = termios, tty
        self._lock = _lock(link)
        self._master, slave = os.openpty()
        self.device = os.ttyname(slave)
        tty.setraw(slave)
        os.close(slave)  # so that the system tells when no program has it open
        os.set_blocking(self._master, False)
        self._link = link
        self._connected = False
        _point(link, self.device)

    @property
    def address(self) -> str:
        """The link's path."""
        return str(self._link)

    @property
    def connected(self) -> bool:
        """Whether a program has it open."""
        return self._connected

    @property
    def baud(self) -> int:
        """The speed that the program has set."""
        with suppress(self._termios.error):
            code = self._termios.tcgetattr(self._master)[5]
            return _rates(self._termios).get(code, 0)
        return 0

    def read(self) -> bytes:
        """Return received bytes; check whether a program has the port open."""
        found = b""
        try:
            while len(chunk := os.read(self._master, _CHUNK)) == _CHUNK:
                found += chunk
            found += chunk
        except BlockingIOError:
            pass
        except OSError as error:
            if error.errno not in _NO_CLIENT:
                raise
            self._connected = False
            return found
        if not self._connected:
            self._connected = True
            self._make_raw()
        return found

    def write(self, data: bytes) -> int:
        """Send what fits into the terminal's buffer; without a reader, bytes are lost."""
        if not self._connected:
            return len(data)
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            if error.errno not in _NO_CLIENT:
                raise
            self._connected = False
            return len(data)

    def close(self) -> None:
        """Remove the link if it is still ours, and hang up."""
        if self._master < 0:
            return
        with suppress(OSError):
            if str(self._link.readlink()) == self.device:
                self._link.unlink()
        os.close(self._master)
        os.close(self._lock)
        self._master = -1

    def _make_raw(self) -> None:
        """Switch off echo and line editing, which a terminal has by default."""
        termios = self._termios
        with suppress(termios.error):
            mode = termios.tcgetattr(self._master)
            if mode[3] & (termios.ECHO | termios.ICANON):
                self._tty.setraw(self._master, termios.TCSANOW)


def _lock(link: Path) -> int:
    """Lock a name; the operating system releases it when this process ends."""
    import fcntl

    lock = -1
    try:
        link.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(link.with_name(f".{link.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise BridgeError(
            f"serial: '{link}' is in use by another run; choose a folder of its own with"
            " --bridge serial:folder=DIR"
        ) from None
    except OSError as error:
        raise BridgeError(f"serial: '{link}' cannot be created: {error.strerror}") from None
    return lock


def _point(link: Path, device: str) -> None:
    """Make the link; a stale link is replaced, a file is not."""
    if link.exists() and not link.is_symlink():
        raise BridgeError(f"serial: '{link}' exists and is not a link")
    try:
        fresh = link.with_name(f".{link.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(device)
        fresh.replace(link)
    except OSError as error:
        raise BridgeError(f"serial: '{link}' cannot be created: {error.strerror}") from None


def _rates(termios: object) -> dict[int, int]:
    """Return the baud rates by termios constant."""
    names = (name for name in dir(termios) if name[0] == "B" and name[1:].isdigit())
    return {getattr(termios, name): int(name[1:]) for name in names}
