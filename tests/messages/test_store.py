"""Message types are read while others publish."""

import threading

from outrider.messages import store


def test_others_may_publish_while_a_type_is_read(monkeypatch):
    free = []

    def parse(text, name):
        thread = threading.Thread(
            target=lambda: free.append(store.message_class("std_msgs/String"))
        )
        thread.start()
        thread.join(30.0)
        return real(text, name)

    store.store()  # reads the library's own types, once
    real = store.get_types_from_msg
    monkeypatch.setattr(store, "get_types_from_msg", parse)
    store.register("outrider_msgs/Patient", "int32 a")
    assert len(free) == 1
