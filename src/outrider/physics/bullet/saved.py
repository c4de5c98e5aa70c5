"""Bullet's own state, which it writes to files only."""

from outrider.core.errors import PhysicsError
from outrider.core.scratch import scratch_folder
from outrider.physics.bullet.model import pybullet

_NAME = "state.bullet"


def saved_bytes(client: int) -> bytes:
    """Return Bullet's file of a client's world."""
    with scratch_folder() as folder:
        path = folder / _NAME
        pybullet.saveBullet(str(path), physicsClientId=client)
        return path.read_bytes()


def restore_bytes(client: int, content: bytes) -> None:
    """Put such a file's poses, velocities and contacts into a client with the same bodies."""
    with scratch_folder() as folder:
        path = folder / _NAME
        path.write_bytes(content)
        try:
            pybullet.restoreState(fileName=str(path), physicsClientId=client)
        except pybullet.error as error:
            raise PhysicsError(f"a saved state does not fit the world: {error}") from None
