"""Compiled functions, and what they bring with them."""

import os
import subprocess
import sys

import numpy as np
import pytest

from outrider.core import kernels_from_disk
from outrider.core.compiled import compiled, compiled_part

_ASKED = """
import sys
import numpy as np
from outrider.core.compiled import compiled

@compiled
def doubled(values):
    return 2.0 * values

assert doubled(np.ones(3)).tolist() == [2.0, 2.0, 2.0]
assert "numba.np.arraymath" in sys.modules
print([name for name in sys.modules if name.startswith("scipy.linalg")])
"""


def test_a_kernel_starts_without_scipy_linalg(tmp_path):
    file = tmp_path / "asked.py"
    file.write_text(_ASKED)
    done = subprocess.run(
        [sys.executable, file], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"


_ON_A_FULL_DISK = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
from asked import doubled
"""


def test_a_full_disk_ends_nothing_that_compiles(tmp_path):
    (tmp_path / "asked.py").write_text(_ASKED)
    command = [sys.executable, "-B", "-c", _ON_A_FULL_DISK]
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("compiled kernels cannot be kept on disk: File too large") == 1


_KEPT = """
import numpy as np
from numba import carray
from outrider.core.address import pointer
from outrider.core.compiled import compiled


@compiled
def doubled(values):
    return 2.0 * values


@compiled
def greatest(address):  # uses memory by address, numba's own functions and a new array
    made = np.zeros(3)
    made[:2] = carray(pointer(address), 2, np.float64)
    return made.max() + np.sort(made)[0]


@compiled
def told(text):  # hashes text
    known = {"one": 1.0, "two": 2.0}
    if text not in known:
        raise ValueError("there is no such number")
    return known[text]
"""
_LOADED_THEN_COMPILED = """
import sys
import numpy as np
from outrider_kept import doubled, greatest, told
from outrider.core.compiled import compiled

values = np.array([4.0, 3.0])
assert doubled(np.ones(3)).tolist() == [2.0, 2.0, 2.0]
assert greatest(values.ctypes.data) == 4.0
late = {"numba.typed.typeddict", "numba.np.arrayobj", "numba.np.arraymath", "scipy.linalg"}
print(len(late & set(sys.modules)))
assert told("two") == 2.0
try:
    told("three")
except ValueError as error:
    assert str(error) == "there is no such number"

@compiled
def summed(values):
    known = {1: 2.0}
    return doubled(values).sum() + known[1] + told("one")

print(summed(np.ones(3)), *(sum(k.stats.cache_hits.values()) for k in (doubled, greatest, told)))
assert "scipy.linalg" not in sys.modules
"""


@pytest.mark.slow
def test_a_kernel_from_disk_is_loaded_without_what_compiling_needs(tmp_path):
    (tmp_path / "outrider_kept.py").write_text(_KEPT)
    (tmp_path / "asked.py").write_text(_LOADED_THEN_COMPILED)
    command = [sys.executable, str(tmp_path / "asked.py")]
    runs = [
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
        for _ in range(2)
    ]
    assert runs[0].split() == ["3", "9.0", "0", "0", "0"]
    assert runs[1].split() == ["0", "9.0", "1", "1", "1"]


_KERNEL = "from outrider.core.compiled import compiled\n{}\n@compiled\ndef {}(x):\n    return {}\n"


def test_a_kernel_is_compiled_anew_when_another_file_that_it_calls_has_changed(tmp_path):
    def wrote(name, inside, first=""):
        (tmp_path / f"{name}.py").write_text(_KERNEL.format(first, name, inside))

    wrote("raised", "x + 1")
    wrote("twice", "2 * raised(x)", "from raised import raised")
    wrote("asked", "twice(x)", "from twice import twice")
    with (tmp_path / "asked.py").open("a") as file:
        file.write("print(asked(1), sum(asked.stats.cache_hits.values()))\n")
    command = [sys.executable, "-c", "import asked"]
    said = []
    for change in (1, 1, 10):
        if change > 1:
            wrote("raised", f"x + {change}")
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
        )
        said.append(done.stdout.split())
    assert said == [["4", "0"], ["4", "1"], ["22", "0"]]


def test_a_part_of_a_kernel_is_called_by_kernels_only():
    @compiled_part
    def halved(value):
        return value / 2

    @compiled
    def quartered(value):
        return halved(halved(value))

    for _ in range(2):  # before and after it is compiled
        with pytest.raises(TypeError, match="called by kernels only"):
            halved(1.0)
        assert quartered(1.0) == 0.25


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(3),
        np.zeros((2, 3)).T,
        np.zeros((4, 4))[::2, ::2],
        np.zeros((), np.int8),
        np.zeros(3, [("pose", "f8", (3,)), ("row", "i4")]),
        np.array(["text"]),
        np.broadcast_to(np.zeros(1), 3),
        np.zeros(2, object),
        np.zeros(2, ">f8"),
        np.ma.zeros(3),
    ],
)
def test_arrays_have_the_types_that_numba_gives_them(array):
    assert _said(kernels_from_disk._type_of_array, array) == _said(
        kernels_from_disk._type_of_any_array, array
    )


def _said(type_of, array):
    try:
        return type_of(array, None)
    except Exception as error:  # the same error is as good as the same type
        return type(error), str(error)
