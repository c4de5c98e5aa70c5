import numpy as np

from outrider.physics.engine import Contact, ContactRows


def _contact(first: str, second: str, impulse: float) -> Contact:
    point = np.array([impulse, 0.0, 1.0])
    return Contact(1, 2, point, np.array([0.0, 0.0, 1.0]), impulse, first, second)


CONTACTS = [_contact("b", "a", 0.1), _contact("a", "c", 0.2), _contact("b", "a", 0.3)]


def test_rows_give_the_contacts_back_one_by_one():
    again = ContactRows.of(CONTACTS).contacts()
    assert [(c.first_name, c.second_name, c.impulse) for c in again] == [
        ("b", "a", 0.1),
        ("a", "c", 0.2),
        ("b", "a", 0.3),
    ]
    assert all((x.point == y.point).all() for x, y in zip(again, CONTACTS, strict=True))
    assert all((c.first, c.second) == (1, 2) for c in again)


def test_pairs_come_in_the_order_of_their_first_contact_each_with_all_its_impulses():
    pairs = list(ContactRows.of(CONTACTS).by_pair())
    assert pairs == [(("b", "a"), 0, [0.1, 0.3]), (("a", "c"), 1, [0.2])]


def test_a_pair_seen_from_its_other_side_is_another_pair():
    turned = ContactRows.of([*CONTACTS, _contact("a", "b", 0.4)])
    assert [pair for pair, _, _ in turned.by_pair()] == [("b", "a"), ("a", "c"), ("a", "b")]


def test_no_contacts_are_no_rows():
    assert len(ContactRows.of([])) == 0
    assert ContactRows.of([]).contacts() == []
