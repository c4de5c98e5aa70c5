"""The frames of sensors on /tf_static: a frame has one parent and one place."""

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose
from outrider.messages.topics import WORLD_FRAME
from outrider.sim.rig import Rig
from outrider.specs.sensor import AT_LINK, SensorEntry
from outrider.world.assembly import Frame

_SAME = 1e-6  # m, and of the entries of rotation matrices
_OWN = "_sensor"  # behind the name of a sensor that is called like another frame


class SensorFrames:
    """Names the frames of sensors, and notes where they are."""

    def __init__(self, rig: Rig) -> None:
        self.told: list[tuple[str, str, Pose]] = []  # parent, child, pose: for /tf_static
        self._assembly = rig.assembly
        self._taken = {WORLD_FRAME: "the frame of the world"}
        self._links: dict[str, str] = {}  # frame -> link, with its robot's name
        for who in rig.participants:
            prefix, robot = who.frame_prefix, f"{who.name}/"
            odometry = prefix + who.robot.spec.odometry.frame
            self._taken[odometry] = f"the frame of odometry of robot '{who.name}'"
            own = [name for name in rig.assembly.frames if name.startswith(robot)]
            self._links |= {prefix + name.removeprefix(robot): name for name in own}
        self._taken |= {
            frame: f"a link of robot '{link.partition('/')[0]}' at another place"
            for frame, link in self._links.items()
        }

    def of_sensor(self, entry: SensorEntry, base: Frame, parent: str, prefix: str) -> str:
        """Return the frame of a sensor: of its own, unless it sits in the middle of its link."""
        pose = entry.pose.pose()
        if not entry.frame_id and entry.pose == AT_LINK:
            return parent
        if entry.frame_id:
            self._tell(entry, parent, prefix + entry.frame_id, pose, base)
            return prefix + entry.frame_id
        frame = prefix + entry.name
        if frame in self._taken:
            frame += _OWN
        self._tell(entry, parent, frame, pose, base)
        return frame

    def of_lens(self, entry: SensorEntry, parent: str, frame: str, pose: Pose) -> None:
        """Note a further frame of a sensor; links say themselves where they are."""
        if frame not in self._links:
            self._tell(entry, parent, frame, pose, None)

    def _tell(
        self, entry: SensorEntry, parent: str, frame: str, pose: Pose, base: Frame | None
    ) -> None:
        if base is not None and self._is_there(frame, base.body, base.T_body_link @ pose):
            return
        if any(known[:2] == (parent, frame) and _same(known[2], pose) for known in self.told):
            return
        if frame in self._taken:
            raise ConfigError(
                f"sensor '{entry.name}': its frame '{frame}' is {self._taken[frame]}; give it"
                " another name or frame_id, or mount it on that link"
            )
        self._taken[frame] = f"that of sensor '{entry.name}'"
        self.told.append((parent, frame, pose))

    def _is_there(self, frame: str, body: int, T_body_sensor: Pose) -> bool:
        """Return whether a frame is that of a link at this very place."""
        if frame not in self._links:
            return False
        link = self._assembly.frame(self._links[frame])
        return link.body == body and _same(link.T_body_link, T_body_sensor)


def _same(one: Pose, other: Pose) -> bool:
    return bool(np.allclose(one.matrix, other.matrix, rtol=0.0, atol=_SAME))
