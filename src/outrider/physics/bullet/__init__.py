"""The second engine: Bullet, through PyBullet."""

PUBLIC = ("engine",)
