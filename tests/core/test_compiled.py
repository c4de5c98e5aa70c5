"""Compiled functions, and what they bring with them."""

import subprocess
import sys

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


_LOADED_THEN_COMPILED = """
import sys
import numpy as np
from outrider_kept import doubled
from outrider.core.compiled import compiled

assert doubled(np.ones(3)).tolist() == [2.0, 2.0, 2.0]
print("numba.typed.typeddict" in sys.modules)

@compiled
def summed(values):
    known = {1: 2.0}
    return doubled(values).sum() + known[1]

print(summed(np.ones(3)), sum(doubled.stats.cache_hits.values()))
"""


def test_a_kernel_from_disk_is_loaded_without_what_compiling_needs(tmp_path):
    (tmp_path / "outrider_kept.py").write_text(
        "from outrider.core.compiled import compiled\n\n\n"
        "@compiled\ndef doubled(values):\n    return 2.0 * values\n"
    )
    (tmp_path / "asked.py").write_text(_LOADED_THEN_COMPILED)
    command = [sys.executable, str(tmp_path / "asked.py")]
    runs = [
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
        for _ in range(2)
    ]
    assert runs[0].split() == ["True", "8.0", "0"]
    assert runs[1].split() == ["False", "8.0", "1"]
