"""Options for opening the editor."""

from dataclasses import dataclass
from pathlib import Path

PORT = 8130


@dataclass(frozen=True, slots=True)
class EditorOptions:
    """Address and permissions; port 0 takes the first free one."""

    host: str = "127.0.0.1"
    port: int = PORT
    read_only: bool = False
    allow_code: bool = False  # even to other computers
    browser: bool = True  # open one where there is a desktop
    projects: Path = Path("projects")  # folder that projects are saved in and opened from
    project: Path | None = None  # the project that runs, if one does
    program: Path | None = None  # user code of the first robot
    recordings: Path = Path("recordings")  # folder that the record button writes into

    @property
    def open_to_others(self) -> bool:
        """Whether other computers can reach it: then a token is required."""
        return self.host not in ("127.0.0.1", "localhost", "::1")
