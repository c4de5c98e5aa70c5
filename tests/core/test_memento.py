"""Notes of objects: what they hold comes back, what they share stays shared, the rest is let be."""

import enum
import json
import threading
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pytest

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose
from outrider.core.memento import Notes, Restorer
from outrider.core.memento_changes import Changes
from outrider.sensors.gnss.quality import Quality

ZERO = np.zeros(3)  # a constant that many objects begin with


class Kept:
    """Stands for what is built and never changes."""


class Thing:
    """Stands for any object of the program."""

    __module__ = "outrider.thing"  # as if it were one of ours

    def __init__(self) -> None:
        self.number, self.text, self.nothing = 1, "a", None
        self.small, self.large = ZERO, np.zeros(100)
        self.view = self.large[10:20]
        self.items, self.queue = [1, [2, 3]], deque([1, 2], maxlen=3)
        self.table, self.set = {"a": 1, (1, 2): [4]}, {1, 2}
        self.random = np.random.default_rng(3)
        self.event = threading.Event()
        self.other = self.items  # the same list
        self.pose = Pose()
        self.quality = Quality.NONE
        self.kept = Kept()
        self.function = lambda: 1


def changed() -> Thing:
    thing = Thing()
    thing.number, thing.text, thing.nothing = 2, "b", (1, 2.5, float("nan"))
    thing.small = np.array([1.0, 2.0, 3.0])
    thing.large[:] = np.arange(100)
    thing.items.append(thing.items[1])
    thing.queue.append(7)
    thing.table["new"] = thing.queue
    thing.random.standard_normal(5)
    thing.event.set()
    thing.pose = Pose.from_rpy([1, 2, 3], [0.1, 0.2, 0.3])
    thing.quality = Quality.RTK_FIXED
    return thing


def through_json(source: Thing, target: Thing) -> Thing:
    notes = Notes((Kept,), anchors=[source.large])
    node = json.loads(json.dumps(notes.note(source)))
    assert Restorer(notes.arrays).restore(node, target) is target
    return target


def test_everything_comes_back_in_place():
    source, target = changed(), Thing()
    held = target.items, target.large, target.view, target.kept, target.function, target.random
    through_json(source, target)
    assert (target.number, target.text, target.nothing[:2]) == (2, "b", (1, 2.5))
    assert target.small.tolist() == [1, 2, 3]
    assert target.large[15] == target.view[5] == 15.0
    assert target.items == [1, [2, 3], [2, 3]]
    assert target.queue == deque([1, 2, 7])
    assert target.queue.maxlen == 3
    assert target.table == {"a": 1, (1, 2): [4], "new": deque([1, 2, 7])}
    assert target.pose.position.tolist() == [1, 2, 3]
    assert target.quality is Quality.RTK_FIXED
    assert target.event.is_set()
    assert target.random.standard_normal() == source.random.standard_normal()
    now = target.items, target.large, target.view, target.kept, target.function, target.random
    assert all(a is b for a, b in zip(held, now, strict=True))


def test_what_is_shared_is_shared_again_and_what_is_not_is_not():
    target = through_json(changed(), Thing())
    assert target.other is target.items
    assert target.items[2] is target.items[1]
    assert target.table["new"] is target.queue
    source = changed()
    source.other = list(source.items)  # no longer the same
    source.other.append("more")
    target = through_json(source, Thing())
    assert target.other is not target.items
    assert (target.items[-1], target.other[-1]) == ([2, 3], "more")


def test_a_constant_that_objects_began_with_is_not_written_into():
    through_json(changed(), Thing())
    assert ZERO.tolist() == [0, 0, 0]


def test_a_note_is_a_copy():
    source = changed()
    notes = Notes((Kept,))
    node = notes.note(source)
    source.large[:] = -1
    source.items.clear()
    target = Thing()
    Restorer(notes.arrays).restore(node, target)
    assert target.large[3] == 3
    assert len(target.items) == 3


def test_only_what_has_changed_since_birth_is_carried_over():
    source, target = Thing(), Thing()
    births = Notes((Kept,))
    born = births.note(source)
    target.number, target.table = 77, {"own": 1}  # what the new one has of its own
    source.text = "changed"
    source.large[4] = 5.0
    now = Notes((Kept,))
    since = Changes(now.arrays, births.arrays).between(now.note(source), born)
    Restorer(now.arrays, resized=True).restore(since, target)
    assert (target.number, target.table, target.text) == (77, {"own": 1}, "changed")
    assert target.large[4] == 5.0
    assert target.other is target.items


def test_nothing_but_dataclasses_of_ours_is_made_out_of_a_note():
    for name in ("os:system", "outrider.cli.main:app", "outrider.nowhere:X", "builtins:object"):
        with pytest.raises(ConfigError, match="nothing that it may hold"):
            Restorer([]).restore({"o": name, "f": {}, "#": 0}, None)
    with pytest.raises(ConfigError, match="something unknown"):
        Restorer([]).restore({"z": 1}, None)


def test_objects_that_know_themselves_are_asked():
    @dataclass
    class Engine:
        values: list = field(default_factory=lambda: [1, 2])

        def snapshot(self):
            return {"values": self.values}

        def restore(self, saved):
            self.values = [*saved["values"], "restored"]

    Engine.__module__ = "outrider.engine"
    notes = Notes()
    node = notes.note(Engine([5]))
    engine = Engine()
    Restorer([]).restore(node, engine)
    assert engine.values == [5, "restored"]


def test_members_of_enumerations_of_others_stay_as_they_are():
    class Colour(enum.Enum):
        RED = 1

    notes = Notes()
    assert Restorer([]).restore(notes.note(Colour.RED), Colour.RED) is Colour.RED
