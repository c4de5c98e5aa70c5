"""Water on the ground: darker, and with the sky in it.

What faces up loses ``DARKER`` of its colour when it is wet (J. Lekner and M. C. Dorf, Appl. Opt.
27, 1278, 1988: light is caught between the film and the surface), and mirrors the sky by Fresnel's
law, as Schlick put it, for water: fully where pools stand, by ``FILM`` elsewhere. Pools are
where a value noise over squares of ``POOL_M`` is high.
"""

DARKER = 0.45
FILM = 0.3
POOL_M = 1.7
POOL_FROM, POOL_FULL = 0.55, 0.75
WATER = {
    "DARKER": DARKER,
    "FILM": FILM,
    "POOL_M": POOL_M,
    "POOL_FROM": POOL_FROM,
    "POOL_FULL": POOL_FULL,
}
