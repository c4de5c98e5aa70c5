"""What touches what in MuJoCo: read when it changes, kept while it sleeps."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.state import Later, State
from outrider.physics.engine import NO_CONTACT, NO_CONTACTS, Contact, ContactRows
from outrider.physics.mujoco.contact_wrenches import contact_wrenches
from outrider.physics.mujoco.model import MujocoModel
from outrider.physics.mujoco.transfer import ASLEEP


class ContactPairs:
    """The contacts of the last step, except tyres; those of sleeping bodies from when they fell."""

    def __init__(self, names: MujocoModel, data: mujoco.MjData, step_ns: int) -> None:
        self._model, self._data, self._step_ns = names.model, data, step_ns
        self._ids = names.rows["id"].copy()
        self._table, self._names, self._bodies = _owners(names)
        self.rows = NO_CONTACTS  # of what is awake
        self.resting: frozenset[tuple[str, str]] = frozenset()
        self._at_rest = NO_CONTACTS
        self._awake = data.ntree_awake
        self._mark = b""
        self._contacts: list[Contact] | None = []  # None: not made of the rows yet

    def contacts(self) -> list[Contact]:
        """Return all contacts, one by one."""
        if self._contacts is None:
            self._contacts = [*self._at_rest.contacts(), *self.rows.contacts()]
        return self._contacts

    @property
    def nothing(self) -> bool:
        """Whether nothing touched in the last step nor now, and nobody woke since."""
        data = self._data
        return not self._mark and data.ncon == 0 and data.ntree_awake == self._awake

    def note(self, watch: bool, forces: bool) -> None:
        """Keep the contacts that acted in this step, if others than before; or if watched.

        Their ``forces`` are kept with friction if these are watched.
        """
        if self._awake != self._data.ntree_awake:
            self._keep_resting(self._at_rest)
        mark = self._data.contact.geom.tobytes() if self._data.ncon else b""
        changed = mark != self._mark
        if changed or (mark and (watch or forces)):
            self._mark = mark
            self.rows, self._contacts = self._read(forces), None

    def rest(self) -> None:
        """Keep the contacts of what has fallen asleep in this step."""
        self._keep_resting(self._at_rest.followed_by(self._read(forces=False)))

    def _keep_resting(self, rows: ContactRows) -> None:
        self._awake = self._data.ntree_awake
        self._at_rest = rows.where(self._asleep(rows.bodies))
        self.resting, self._contacts = self._at_rest.pairs(), None

    def _asleep(self, bodies: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which pairs of bodies have one that is asleep; -1 is the world."""
        asleep = np.append(self._data.body_awake[self._ids] == ASLEEP, False)
        found: NDArray[np.bool_] = asleep[bodies[:, 0]] | asleep[bodies[:, 1]]
        return found

    def _read(self, forces: bool) -> ContactRows:
        """Return the contacts that act; the first row of an elliptic cone is its normal."""
        found = self._data.contact
        addresses = found.efc_address
        acting = np.flatnonzero(addresses >= 0)
        geoms = found.geom[acting]
        pressed = self._data.efc_force[addresses[acting]]
        return ContactRows(
            self._table,
            self._names[geoms],
            self._bodies[geoms],
            found.pos[acting],
            found.frame[acting, :3],
            pressed * self._step_ns * 1e-9,
            contact_wrenches(self._model, self._data, acting) if forces else None,
        )

    def get_state(self) -> State:
        """Return the contacts, and how to know whether they are others."""
        known, rows = self._contacts, (self._at_rest, self.rows)

        def contacts() -> list[State]:
            found = [c for r in rows for c in r.contacts()] if known is None else known
            return [State.of(contact) for contact in found]

        return State(mark=np.frombuffer(self._mark, np.uint8), contacts=Later(contacts))

    def set_state(self, state: State) -> None:
        """Know these contacts; who is asleep must be known already."""
        self._mark = state.rows("mark", np.uint8).tobytes()
        contacts = [contact.record(NO_CONTACT) for contact in state.parts("contacts")]
        rows = ContactRows.of(contacts, self._table)
        self._keep_resting(rows)
        self.rows = rows.where(~self._asleep(rows.bodies))
        self._contacts = contacts


def _owners(
    names: MujocoModel,
) -> tuple[tuple[str, ...], NDArray[np.int64], NDArray[np.int64]]:
    """Return a table of names; and for every geom its name's number and its body."""
    geoms = names.geoms
    numbers = {name: k for k, name in enumerate(dict.fromkeys(geom.name for geom in geoms))}
    own = np.array([numbers[geom.name] for geom in geoms], np.int64)
    return tuple(numbers), own, np.array([geom.body for geom in geoms], np.int64)
