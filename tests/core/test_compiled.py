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
