"""Text files, bounded: a device or pipe has no end, so only files are read."""

import stat
from pathlib import Path

from outrider.core.errors import ConfigError

MAX_BYTES = 16 << 20


def read_text_file(path: Path) -> str:
    """Return the UTF-8 text of a file, or raise one sentence that names it."""
    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise ConfigError(f"{path}: is not a file")
        if facts.st_size > MAX_BYTES:
            raise ConfigError(f"{path}: the file is larger than {MAX_BYTES >> 20} MB")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except ValueError:  # a name that no file can have
        raise ConfigError(f"{str(path)!r}: cannot be read: not the name of a file") from None
