"""What nobody waits for is done in a thread of its own."""

import threading
import time
import weakref

from outrider.core.process import chores


class Thing:
    """Something whose end is noticed."""


def done(*works):
    """Have things done one after the other, and wait for the last."""
    chores.begin()
    last = threading.Event()
    for work in (*works, last.set):
        chores.do_later(work)
    assert last.wait(60.0)


def test_work_is_done_in_order_by_another_thread():
    found = []
    done(lambda: found.append(threading.current_thread()), lambda: found.append(2))
    assert found[0] is not threading.current_thread()
    assert found[1] == 2


def test_work_that_fails_does_not_end_it():
    found = []
    done(lambda: 1 / 0, lambda: found.append(1))
    assert found == [1]


def test_what_is_let_go_ends_in_that_thread():
    chores.begin()
    thing, gone = Thing(), threading.Event()
    threads = []
    weakref.finalize(thing, lambda: (threads.append(threading.current_thread().name), gone.set()))
    chores.let_go_later(thing)
    del thing
    assert gone.wait(60.0)
    assert threads == ["chores"]


def test_what_is_put_off_is_begun_at_the_end():
    chores.begin()
    begun = threading.Event()
    with chores.put_off():
        with chores.put_off():
            chores.do_later(begun.set)
        other = threading.Thread(target=done)  # which puts nothing off
        other.start()
        other.join()
        assert not begun.is_set()
    assert begun.wait(60.0)


def test_what_is_left_is_pending_until_it_is_done():
    chores.begin()
    go_on, done = threading.Event(), threading.Event()
    chores.do_later(lambda: go_on.wait(10.0))
    chores.do_later(done.set)
    assert chores.pending()
    go_on.set()
    assert done.wait(10.0)
    for _ in range(1000):
        if not chores.pending():
            break
        time.sleep(0.01)
    assert not chores.pending()
