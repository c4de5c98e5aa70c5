"""The garbage collector is kept out of the way."""

import gc
import threading
import weakref

from outrider.core.process.garbage_collection import freeze_existing, no_collection


def test_it_stays_off_until_the_last_thread_that_starts_up_is_done():
    begun, may_end = threading.Event(), threading.Event()

    def start_up() -> None:
        with no_collection():
            begun.set()
            may_end.wait(30.0)

    other = threading.Thread(target=start_up)
    other.start()
    begun.wait(30.0)
    with no_collection():
        may_end.set()
        other.join(30.0)
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.unfreeze()


def test_who_has_switched_it_off_finds_it_off():
    gc.disable()
    try:
        with no_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


class _Knot:
    """Refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.me = self


def test_what_is_opened_after_the_first_time_can_be_freed():
    gc.unfreeze()
    try:
        with no_collection():
            pass
        with no_collection():
            freed = weakref.ref(_Knot())
        gc.collect()
        assert freed() is None
    finally:
        gc.unfreeze()


def test_a_run_is_seldom_held_up_by_a_full_collection():
    before = gc.get_threshold()
    with freeze_existing():
        assert gc.get_threshold()[:2] == before[:2]
        assert gc.get_threshold()[2] >= 10 * before[2]
    assert gc.get_threshold() == before
