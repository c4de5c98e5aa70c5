"""A growing file that can be truncated to its last complete part."""

import os
from pathlib import Path


class AppendedFile:
    """Unbuffered; ``roll_back`` cuts off what a failed write left behind."""

    def __init__(self, path: Path, *, new: bool = True) -> None:
        """Create the file, or append to an existing one."""
        self._file = path.open("xb" if new else "r+b", buffering=0)
        self.size = self._file.seek(0, os.SEEK_END)
        self.mark()

    def write(self, data: bytes | bytearray | memoryview) -> int:
        """Write all of it, or raise OSError."""
        left = memoryview(data)
        while left:
            left = left[self._file.write(left) :]
        self.size = max(self.size, self._file.tell())
        return len(data)

    def tell(self) -> int:
        """Return the position."""
        return self._file.tell()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move to a position."""
        return self._file.seek(offset, whence)

    def flush(self) -> None:
        """Do nothing: writes are not buffered."""

    def mark(self) -> None:
        """Mark the current end as the end of complete data."""
        self._whole = self._file.tell()

    def roll_back(self) -> None:
        """Truncate the file to the last mark."""
        self._file.seek(self._whole)
        self._file.truncate()
        self.size = self._whole

    def close(self) -> None:
        """Close it."""
        self._file.close()
