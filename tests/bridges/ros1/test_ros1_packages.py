"""Message packages for a catkin workspace: ROS's own tools read them and make classes of them."""

import subprocess

import pytest
from ros1_bench import PYTHON, needs_ros1

from outrider.core.errors import ConfigError
from outrider.messages.catkin_package import message_packages, write_message_package
from outrider.messages.ros1.types import ros1_service, ros1_type

SUMS = """
import importlib, sys
sys.path[:0] = [sys.argv[1]]
for name in sys.argv[2:]:
    package, kind, short = name.split("/")
    print(getattr(importlib.import_module(f"{package}.{kind}"), short)._md5sum)
"""


def test_a_folder_that_exists_is_left_alone(tmp_path):
    with pytest.raises(ConfigError, match="exists already; give a new folder"):
        write_message_package("outrider_msgs", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.peer
@needs_ros1
@pytest.mark.parametrize("name", message_packages())
def test_its_manifest_is_read_and_its_types_have_our_checksums(name, tmp_path):
    home = tmp_path / name
    written = write_message_package(name, home)
    assert f"{name} 1.0.0" in run(PYTHON, "-c", _READ, home)
    known = [f"{p}:/usr/share/{p}/msg" for p in ("std_msgs", "geometry_msgs")]
    include = [word for place in (f"{name}:{home}/msg", *known) for word in ("-I", place)]
    out, names, sums = tmp_path / "python" / name, [], []
    for file in written:
        kind = file.suffix[1:]
        if kind not in ("msg", "srv") or file.stem in ("Obstacle", "Obstacles"):  # of nav_msgs
            continue
        tool = [PYTHON, f"/usr/lib/genpy/gen{kind}_py.py"]
        run(*tool, file, "-p", name, *include, "-o", out / kind)
        run(*tool, "--initpy", "-p", name, "-o", out / kind)
        names.append(f"{name}/{kind}/{file.stem}")
        ours = ros1_type if kind == "msg" else ros1_service
        sums.append(ours(f"{name}/{file.stem}").md5sum)
    (out / "__init__.py").write_text("")
    assert len(names) > 10
    assert run(PYTHON, "-c", SUMS, out.parent, *names).split() == sums


_READ = """
import sys
from catkin_pkg.package import parse_package
found = parse_package(sys.argv[1])
print(found.name, found.version)
"""


def run(*words):
    command = [str(word) for word in words]
    return subprocess.run(command, check=True, capture_output=True, text=True, env={}).stdout
