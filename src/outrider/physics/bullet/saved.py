"""Bullet's own state, which it writes to files only."""

import struct

from outrider.core.errors import PhysicsError
from outrider.core.files.scratch import scratch_folder
from outrider.physics.bullet.model import pybullet

_NAME = "state.bullet"
_HEADER = 12  # bytes
_CHUNK = struct.Struct("<4siQii")  # what it is, its length, its old address, its type, how many
_SHAPES = {b"SHAP", b"QBVH", b"TMAP"}
_LINKS, _LAST = 82, b"DNA1"  # the type of a model's links; the types themselves, at the end


def saved_bytes(client: int) -> bytes:
    """Return Bullet's file of a client's world, but for its shapes."""
    with scratch_folder() as folder:
        path = folder / _NAME
        pybullet.saveBullet(str(path), physicsClientId=client)
        return without_shapes(path.read_bytes())


def without_shapes(content: bytes) -> bytes:
    """Leave out what is not read again: shapes, and the arrays of their meshes, up to 55 MB."""
    kept, place = [content[:_HEADER]], _HEADER
    while place + _CHUNK.size <= len(content):
        code, length, _, kind, _ = _CHUNK.unpack_from(content, place)
        end = place + _CHUNK.size + length
        if code == _LAST:
            end = len(content)
        if code not in _SHAPES and (code != b"ARAY" or kind == _LINKS):
            kept.append(content[place:end])
        place = end
    return b"".join(kept)


def restore_bytes(client: int, content: bytes) -> None:
    """Put such a file's poses, velocities and contacts into a client with the same bodies."""
    with scratch_folder() as folder:
        path = folder / _NAME
        path.write_bytes(content)
        try:
            pybullet.restoreState(fileName=str(path), physicsClientId=client)
        except pybullet.error as error:
            raise PhysicsError(f"a saved state does not fit the world: {error}") from None
