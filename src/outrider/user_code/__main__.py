"""The process that runs user code: ``program|controller FILE PID [LINK]``."""

import sys
from pathlib import Path

from outrider.core.errors import OutriderError
from outrider.user_code.robot import Robot
from outrider.user_code.script import say


def main(kind: str, file: str, pid: str, link: str = "", robot: str = "") -> int:
    """Run until the simulation ends."""
    try:
        handle = Robot(int(pid), robot)
        if kind == "controller":
            from outrider.devices.ports.pseudo_terminal import PseudoTerminal
            from outrider.user_code.controller import ScriptController

            port = PseudoTerminal(Path(link))
            try:
                ScriptController(Path(file), handle, port).run()
            finally:
                port.close()
        else:
            from outrider.user_code.program import Program

            Program(Path(file), handle).run()
    except OutriderError as error:
        say(str(error))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
