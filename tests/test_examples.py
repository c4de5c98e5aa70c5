import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SAYS = {
    "01_drive_a_square.py": r"corner 4: x -?0\.\d\d y -?0\.\d\d yaw -?\d\b",
    "02_several_robots.py": r"(?s)/jackal/cmd_vel .*/husky/cmd_vel .*/tracked_ugv/cmd_vel ",
    "03_run_a_scenario.py": r"(?s)drive-10s: (1\.9\d|2\.0\d) m in 5 s.*again: True",
    "04_own_vehicle.py": r"(?s)front_left_suspension is [1-4]\.\d cm in.*drove 4\.\d m",
    "05_listen_to_topics.py": r"3 s: wheels say \(.*\), truth is \(.*\)",
    "06_lockstep.py": r"1\.00 s, state [0-9a-f]{32}",
    "07_moving_obstacle_and_collision.py": r"(?s)box.* met husky.*impulse \d+\.\d N s",
    "08_build_a_world_and_a_robot.py": r"(?s)size: \[20\.0, 20\.0\].*the same from files: True",
    "10_record_and_replay.py": r"(?s)messages, 0 topics with losses.*replayed 11; .* 1\.0 s",
    "11_people_cars_and_sheep.py": r"anna 0\.[6-9] m, taxi [4-7].*\n*collisions: 0",
    "09_save_change_and_undo.py": r"(?s)a wall: x 1\.[01].*it: x 1\.9.*had been: True",
}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_says_what_it_should(path):
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.search(SAYS[path.name], done.stdout), done.stdout
    assert len(path.read_text().splitlines()) <= 25
