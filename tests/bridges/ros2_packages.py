"""Builds ROS 2 message packages from .msg and .srv text with ROS's own generator, for tests.

The wheels of rclpy bring the generator but neither tf2_msgs nor simulation_interfaces. A peer that
uses compiled packages checks ours as a real ROS 2 would. Run as ``python ros2_packages.py FOLDER``.
"""

import json
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import numpy

SOURCES = Path(__file__).parent / "ros2_interfaces"
PREFIX = Path(sys.prefix)
SUPPORTS = ["rosidl_typesupport_fastrtps_c", "rosidl_typesupport_introspection_c"]
LIBRARIES = ["rosidl_generator_c", *SUPPORTS, "rosidl_typesupport_c"]


def build(package: str, target: Path) -> None:
    """Write the Python package and its libraries under ``target``."""
    work = target / "build" / package
    idls = _to_idl(package, work)
    for module, generate in _generators().items():
        generate(_arguments(package, module, work, idls))
        _fill_templates(package, module, work)
    _compile(package, work, target)


def _to_idl(package: str, work: Path) -> list[Path]:
    from rosidl_adapter.msg import convert_msg_to_idl
    from rosidl_adapter.srv import convert_srv_to_idl

    found = []
    for file in sorted((SOURCES / package).rglob("*.[ms][sr][gv]")):
        convert = convert_msg_to_idl if file.suffix == ".msg" else convert_srv_to_idl
        relative = file.relative_to(SOURCES / package)
        (work / relative.parent).mkdir(parents=True, exist_ok=True)
        convert(SOURCES / package, package, relative, work / relative.parent)
        found.append(relative.with_suffix(".idl"))
    return found


def _generators() -> dict[str, Callable[[str], object]]:
    from rosidl_generator_c import generate_c
    from rosidl_generator_py import generate_py
    from rosidl_generator_type_description import generate_type_hash
    from rosidl_typesupport_c import generate_c as generate_dispatch
    from rosidl_typesupport_fastrtps_c import generate_typesupport_fastrtps_c
    from rosidl_typesupport_introspection_c import generate_c as generate_introspection

    return {
        "rosidl_generator_type_description": generate_type_hash,
        "rosidl_generator_c": generate_c,
        "rosidl_typesupport_fastrtps_c": generate_typesupport_fastrtps_c,
        "rosidl_typesupport_introspection_c": generate_introspection,
        "rosidl_typesupport_c": lambda file: generate_dispatch(file, SUPPORTS),
        "rosidl_generator_py": lambda file: generate_py(file, ["rosidl_typesupport_c"]),
    }


def _arguments(package: str, module: str, work: Path, idls: list[Path]) -> str:
    hashes = work / "rosidl_generator_type_description" / package
    arguments = {
        "package_name": package,
        "output_dir": str(work / module / package),
        "template_dir": str(PREFIX / "share" / module / "resource"),
        "idl_tuples": [f"{work}:{idl}" for idl in idls],
        "ros_interface_dependencies": [],
        "target_dependencies": [],
        "include_paths": [
            f"{folder.name}:{folder}"
            for folder in (PREFIX / "share").iterdir()
            if (folder / "msg").is_dir()
        ],
        "type_description_tuples": [f"{idl}:{hashes / idl.with_suffix('.json')}" for idl in idls],
    }
    path = work / f"{module}.json"
    path.write_text(json.dumps(arguments), encoding="utf-8")
    return str(path)


def _fill_templates(package: str, module: str, work: Path) -> None:
    """Write the headers that CMake would."""
    for file in (PREFIX / "share" / module / "resource").glob("*.h.in"):
        text = file.read_text(encoding="utf-8").replace("@PROJECT_NAME@", package)
        out = work / module / package / "msg" / file.stem
        out.write_text(text.replace("@PROJECT_NAME_UPPER@", package.upper()), encoding="utf-8")


def _compile(package: str, work: Path, target: Path) -> None:
    """Compile each generator's output to a library of its own, as colcon would."""
    libraries = target / "lib"
    libraries.mkdir(parents=True, exist_ok=True)
    for module in LIBRARIES:
        _link(work / module / package, libraries / f"lib{package}__{module}.so", work)
    place = target / package
    shutil.copytree(work / "rosidl_generator_py" / package, place, dirs_exist_ok=True)
    (place / "__init__.py").touch()
    _link(place, place / f"{package}_s__rosidl_typesupport_c.so", work)


def _link(sources: Path, library: Path, work: Path) -> None:
    files = sorted(f for f in sources.rglob("*") if f.suffix in (".c", ".cpp"))
    if files[0].suffix == ".cpp":  # in one file, so that the large headers are read once
        whole = work / f"{library.stem}.cpp"
        whole.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
        files = [whole]
    folders = [
        PREFIX / "include",
        *(PREFIX / "include").iterdir(),
        *(work / module for module in LIBRARIES),
    ]
    includes = (*folders, sysconfig.get_path("include"), numpy.get_include())
    places = (PREFIX / "lib", work.parents[1] / "lib")
    others = [f for place in places for f in place.glob("lib*rosidl_*.so") if f != library]
    command = [
        "g++",
        "-shared",
        "-fPIC",
        "-w",
        "-O0",
        *(f"-I{folder}" for folder in includes),
        *map(str, files),
        "-o",
        str(library),
        "-Wl,--as-needed",
        *map(str, others),
        str(PREFIX / "lib" / "libfastcdr.so"),
        *(f"-Wl,-rpath,{place}" for place in places),
    ]
    command[0] = "g++" if files[0].suffix == ".cpp" else "gcc"
    subprocess.run(command, check=True)


if __name__ == "__main__":
    for name in sorted(folder.name for folder in SOURCES.iterdir()):
        build(name, Path(sys.argv[1]).resolve())
