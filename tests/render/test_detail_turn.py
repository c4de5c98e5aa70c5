"""The two copies of a detail picture never come together again, so that no ground repeats."""

import numpy as np

from outrider.render.light import DETAIL_TURN
from outrider.terrain.details import DETAILS

FAR_M, APART_M = 100.0, 0.1  # ORB tells places apart from some 6 cm on


def test_periods_of_both_copies_stay_apart_within_a_hundred_metres():
    turn = complex(*DETAIL_TURN)
    for name, detail in DETAILS.items():
        count = np.arange(-np.ceil(FAR_M / detail.metres), np.ceil(FAR_M / detail.metres) + 1)
        periods = (count[:, None] + 1j * count).ravel()  # of the first copy, in pictures
        near = periods[(np.abs(periods) > 0) & (np.abs(periods) * detail.metres <= FAR_M)]
        turned = near * turn
        whole = np.round(turned.real) + 1j * np.round(turned.imag)  # the second copy's periods
        apart = np.abs(turned - whole) / abs(turn) * detail.metres
        assert apart.min() > APART_M, name
