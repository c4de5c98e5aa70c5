import os

import pytest

from outrider.core.trust import TRUST_VARIABLE


@pytest.fixture(autouse=True)
def _no_trust_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test trusts is not trusted in the next."""
    monkeypatch.setenv(TRUST_VARIABLE, os.environ.get(TRUST_VARIABLE, ""))
