"""Files that one process at a time may hold; the operating system lets go when it ends."""


def locked(file: int) -> bool:
    """Take an open file, if no other process holds it; always so where there are no such locks."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
