"""Where what can be made again is kept, also by users without a home."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from outrider.core.cache_folder import cache_dir, temporary_cache
from outrider.core.errors import ConfigError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="homes and modes of POSIX")

_KERNEL = """
from outrider.core import cache_folder, kernels_from_disk
from pathlib import Path

package = Path(kernels_from_disk.__file__).parent / "__pycache__"
writable = cache_folder.can_be_written
kernels_from_disk.can_be_written = lambda folder: folder != package and writable(folder)

from numba import config
config.CACHE_DIR = ""
kernels_from_disk.load_lightly()
from outrider.core.compiled import compiled
from outrider.core import vector_kernels
print(vector_kernels.dot.stats.cache_path)
"""


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user whose home cannot even be made, as that of an unknown number in a container."""
    (tmp_path / "file").write_text("in the way")
    for name in ("OUTRIDER_CACHE", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "file" / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path / f"outrider-{os.getuid()}"


def test_a_user_without_a_home_has_a_private_cache_among_the_temporary_files(homeless):
    assert cache_dir() == homeless
    assert homeless.stat().st_mode & 0o777 == 0o700
    assert cache_dir() == homeless


def test_a_temporary_cache_that_others_could_write_is_refused(homeless):
    homeless.mkdir()
    homeless.chmod(0o777)
    with pytest.raises(ConfigError, match=r"is not yours alone.*OUTRIDER_CACHE"):
        temporary_cache()
    homeless.rmdir()
    homeless.symlink_to(homeless.parent)
    with pytest.raises(ConfigError, match="is not yours alone"):
        temporary_cache()


def test_an_empty_variable_counts_as_none(homeless, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert cache_dir() == homeless


def test_kernels_of_an_installation_that_cannot_be_written_are_in_the_cache(homeless):
    done = subprocess.run(
        [sys.executable, "-c", _KERNEL], capture_output=True, text=True, check=True, timeout=120
    )
    assert Path(done.stdout.strip()).is_relative_to(homeless / "kernels")
