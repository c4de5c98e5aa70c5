"""A message package of the library as a source package for a catkin workspace (ROS 1)."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from outrider.core.errors import ConfigError
from outrider.core.files.atomic_file import whole_folder, write_whole

_OURS = ("autominy_msgs", "outrider_msgs")  # the others are part of ROS
_BUILTIN = {"builtin_interfaces/Time": "time", "builtin_interfaces/Duration": "duration"}
_PACKAGE = re.compile(r"^(\w+)/\w+", re.MULTILINE)


def message_packages() -> list[str]:
    """Return the packages that no ROS distribution has."""
    return list(_OURS)


def write_message_package(name: str, folder: Path) -> list[Path]:
    """Write a package with its messages and services into a new folder; return the files."""
    if folder.exists():
        raise ConfigError(f"--to: '{folder}' exists already; give a new folder")
    texts = {file.name: _ros1_text(file) for file in _definitions(name)}
    needed = sorted({match for text in texts.values() for match in _PACKAGE.findall(text)})
    written = {f"{n[-3:]}/{n}": text for n, text in texts.items()}
    written["package.xml"] = _manifest(name, needed)
    written["CMakeLists.txt"] = _cmake(name, sorted(texts), needed)
    with whole_folder(folder):
        for path, text in written.items():
            write_whole(folder / path, text.encode())
    return [folder / path for path in written]


def _definitions(name: str) -> list[Traversable]:
    found = (files("outrider") / "library" / "messages" / name).iterdir()
    return [file for file in found if file.name.endswith((".msg", ".srv"))]


def _ros1_text(file: Traversable) -> str:
    text = file.read_text("utf-8")
    for theirs, ours in _BUILTIN.items():
        text = text.replace(theirs, ours)
    return text


def _manifest(name: str, needed: list[str]) -> str:
    depends = "\n".join(f"  <depend>{package}</depend>" for package in needed)
    return f"""\
<?xml version="1.0"?>
<package format="2">
  <name>{name}</name>
  <version>1.0.0</version>
  <description>Messages of Outrider's ROS 1 bridge</description>
  <maintainer email="nobody@example.com">Outrider</maintainer>
  <license>Apache-2.0</license>
  <buildtool_depend>catkin</buildtool_depend>
  <build_depend>message_generation</build_depend>
  <exec_depend>message_runtime</exec_depend>
{depends}
</package>
"""


def _cmake(name: str, texts: list[str], needed: list[str]) -> str:
    packages = " ".join(needed)
    messages = " ".join(text for text in texts if text.endswith(".msg"))
    services = " ".join(text for text in texts if text.endswith(".srv"))
    add_services = f"add_service_files(FILES {services})\n" if services else ""
    return f"""\
cmake_minimum_required(VERSION 3.5)
project({name})
find_package(catkin REQUIRED COMPONENTS message_generation {packages})
add_message_files(FILES {messages})
{add_services}generate_messages(DEPENDENCIES {packages})
catkin_package(CATKIN_DEPENDS message_runtime {packages})
"""
