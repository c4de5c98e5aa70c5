"""Water on the ground, darker and with the sky in it; and snow.

What faces up loses ``DARKER`` of its colour when it is wet (J. Lekner and M. C. Dorf, Appl. Opt.
27, 1278, 1988: light is caught between the film and the surface), and mirrors the sky by Fresnel's
law, as Schlick put it, for water, but by no more than ``MOST``, as the surface is rough: where
pools stand, and by ``FILM`` elsewhere. Pools are where a value noise over squares of ``POOL_M``
is high. Snow lies on what faces up: its colour is ``SNOW_COLOUR`` (linear) by its share.
"""

DARKER = 0.45
FILM = 0.25
MOST = 0.45
POOL_M = 1.7
POOL_FROM, POOL_FULL = 0.68, 0.8
SNOW_COLOUR = (0.80, 0.83, 0.87)
WATER = {
    "DARKER": DARKER,
    "FILM": FILM,
    "MOST": MOST,
    "POOL_M": POOL_M,
    "POOL_FROM": POOL_FROM,
    "POOL_FULL": POOL_FULL,
}
