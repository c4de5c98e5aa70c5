"""The Earth's magnetic field at a location and date, by the World Magnetic Model."""

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.world.model import GeoOrigin

FIRST_YEAR, LAST_YEAR = 2010.0, 2030.0


def earth_field(origin: GeoOrigin, year: float) -> Array:
    """Return the field in tesla, east, north and up; ``year`` with its decimals."""
    from pygeomag import GeoMag

    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ConfigError(
            f"the World Magnetic Model covers {FIRST_YEAR:g} to {LAST_YEAR:g}, not {year:g}"
        )
    epoch = min(int(year) // 5 * 5, 2025)
    model = GeoMag(base_year=epoch)
    field = model.calculate(
        glat=origin.latitude_deg,
        glon=origin.longitude_deg,
        alt=origin.altitude_m / 1000,
        time=year,
    )
    return np.array([field.y, field.x, -field.z]) * 1e-9
