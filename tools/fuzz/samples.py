"""A valid file of every format, small enough to be damaged thousands of times."""

import io
import json
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as BagWriter
from rosbags.rosbag2.enums import CompressionFormat, CompressionMode

from outrider.core.files.package_files import LIBRARY
from outrider.formats.mesh.gltf.write import write_glb
from outrider.formats.mesh.write import mesh_bytes
from outrider.recording.formats import FORMATS, open_writer, recording_format
from outrider.world.model import Geometry, Link, Model
from outrider.world.shapes import Box
from outrider.world.tessellate import tessellate

_TEXTS = Path(__file__).parent / "texts"
_PICTURES = {"png": "PNG", "jpg": "JPEG", "bmp": "BMP", "tga": "TGA", "gif": "GIF", "webp": "WEBP"}
_RESULTS = b"".join(
    b'{"run": %d, "point": {"seed": 1}, "seed": 1, "completed": true, "reason": "",'
    b' "figures": {"robots": {"one": {"distance_m": 1.5}}}}\n' % run
    for run in range(3)
)
_HEIGHTS = {"png": "PNG", "pgm": "PPM", "bmp": "BMP"}


@dataclass(frozen=True, slots=True)
class Sample:
    """Files that belong together: ``main`` is opened, those of ``victims`` are damaged."""

    way: str  # how it is opened: a name in ``files.WAYS``
    main: str
    files: Mapping[str, bytes]
    victims: tuple[str, ...]
    weight: int = 1  # how often it comes, beside the others

    @property
    def imported(self) -> bool:
        """Whether it is a file of another program."""
        return self.way in ("place", "heights") and not self.main.endswith(".yaml")


def samples() -> dict[str, Sample]:
    """Return all samples by name."""
    return {
        **_descriptions(),
        **_meshes(),
        **_pictures(),
        **_elevations(),
        **_own_files(),
        **_recordings(),
    }


def _texts() -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in sorted(_TEXTS.iterdir())}
    return {**found, "paint.png": _picture("PNG")}


def _of_text(way: str, *victims: str, weight: int = 1) -> Sample:
    return Sample(way, victims[0], _texts(), victims, weight)


def _descriptions() -> dict[str, Sample]:
    package = b"<package><name>rover</name></package>"
    config = b"<model><name>m</name><sdf>world.sdf</sdf></model>"
    xacro = _of_text("run", "rover.xacro", weight=4)
    return {
        "urdf": _of_text("place", "cart.urdf", "pyramid.obj", weight=3),
        "xacro": Sample(
            "run", xacro.main, {**xacro.files, "package.xml": package}, xacro.victims, 4
        ),
        "sdf": _of_text("place", "world.sdf", weight=4),
        "mjcf": _of_text("place", "arm.xml", weight=3),
        "gazebo urdf": _of_text("run", "gazebo.urdf", "gazebo.urdf", "controllers.yaml", weight=3),
        "gazebo sdf": _of_text("run", "gazebo.sdf", "gazebo.sdf", "controllers.yaml", weight=2),
        "sdf model": Sample(
            "import",
            "model.sdf",
            {"model.sdf": _one_model(), "model.config": config, "paint.png": _picture("PNG")},
            ("model.sdf", "model.config"),
        ),
    }


def _one_model() -> bytes:
    return (
        b"<sdf version='1.6'><model name='m'><link name='l'><collision name='c'><geometry>"
        b"<box><size>1 1 1</size></box></geometry></collision><visual name='v'><geometry><box>"
        b"<size>1 1 1</size></box></geometry><material><ambient>1 0 0 1</ambient></material>"
        b"</visual></link><plugin name='d' filename='libgazebo_ros_diff_drive.so'/></model></sdf>"
    )


def _meshes() -> dict[str, Sample]:
    box = tessellate(Box((1.0, 2.0, 0.5)))
    glb = write_glb(Model("m", (Link("l", None, (Geometry(Box((1.0, 1.0, 1.0))),)),)))
    binary = {f"box.{kind}": mesh_bytes(box, f".{kind}") for kind in ("stl", "ply")}
    return {
        "obj": _of_text("place", "pyramid.obj", "pyramid.mtl", weight=2),
        "stl text": _of_text("place", "pyramid.stl"),
        "ply text": _of_text("place", "pyramid.ply"),
        "dae": _of_text("place", "pyramid.dae", weight=2),
        "fbx": _of_text("place", "roof.fbx"),
        **{name: Sample("place", name, {name: data}, (name,)) for name, data in binary.items()},
        "glb": Sample("place", "box.glb", {"box.glb": glb}, ("box.glb",)),
        "gltf": Sample("place", "box.gltf", {"box.gltf": _gltf(glb)}, ("box.gltf",), 2),
        "unread": Sample("import", "box.blend", {"box.blend": b"BLENDER-v300"}, ("box.blend",)),
    }


def _gltf(glb: bytes) -> bytes:
    """Return a GLB's JSON with its buffer as a data address."""
    import base64

    (length,) = struct.unpack_from("<I", glb, 12)
    document = json.loads(glb[20 : 20 + length])
    data = base64.b64encode(glb[28 + length :]).decode()
    document["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{data}"
    return json.dumps(document).encode()


def _picture(kind: str, mode: str = "RGB", side: int = 8) -> bytes:
    file = io.BytesIO()
    grey = (np.arange(side * side).reshape(side, side) * 3 % 256).astype(np.uint8)
    Image.fromarray(grey).convert(mode).save(file, kind)
    return file.getvalue()


def _pictures() -> dict[str, Sample]:
    kinds = {**_PICTURES, "tiff": "TIFF", "ppm": "PPM"}
    return {
        f"picture {end}": Sample("picture", f"p.{end}", {f"p.{end}": _picture(kind)}, (f"p.{end}",))
        for end, kind in kinds.items()
    }


def _elevations() -> dict[str, Sample]:
    found = {f"h.{end}": _picture(kind, "L", 17) for end, kind in _HEIGHTS.items()}
    found["h.tif"] = _picture("TIFF", "L", 17)
    found["N51E013.hgt"] = np.zeros((1201, 1201), ">i2").tobytes()
    found |= _rasters()
    whole = {name: Sample("heights", name, {name: data}, (name,)) for name, data in found.items()}
    whole["N51E013.hgt"] = replace(whole["N51E013.hgt"], way="elevation")
    whole["hills.asc"] = _of_text("heights", "hills.asc")
    return whole


def _rasters() -> dict[str, bytes]:
    """Return what GDAL writes, where it is installed."""
    try:
        import rasterio
        from rasterio.io import MemoryFile
        from rasterio.transform import from_origin
    except ImportError:
        return {}
    heights = np.linspace(0, 1, 20 * 16, dtype=np.float32).reshape(16, 20)
    found = {}
    for driver, name in (("GTiff", "dem.tiff"), ("HFA", "dem.img")):
        with MemoryFile() as memory:
            with memory.open(
                driver=driver,
                width=20,
                height=16,
                count=1,
                dtype=rasterio.float32,
                crs="EPSG:32633",
                transform=from_origin(0.0, 0.0, 2.0, 2.0),
            ) as file:
                file.write(heights, 1)
            found[name] = memory.read()
    return found


def _own_files() -> dict[str, Sample]:
    texts = _texts()
    parts = ("scenario.yaml", "world.yaml", "cart.urdf", "pyramid.obj", "paint.png", "pyramid.mtl")
    project = {
        "project.yaml": b"name: p\nscenario: scenarios/scenario.yaml\n",
        **{f"scenarios/{name}": texts[name] for name in parts},
    }
    return {
        "scenario": _of_text("run", "scenario.yaml", weight=4),
        "world": _of_text("place", "world.yaml", weight=4),
        "model": _of_text("model", "model.yaml", weight=2),
        "robot": _robot("create"),
        "robot car": _robot("autominy"),
        "sensor": _sensor(),
        "stack": _of_text("stack", "stack.yaml"),
        "sweep": _of_text("sweep", "sweep.yaml", weight=2),
        "results": Sample(
            "results", "results.jsonl", {"results.jsonl": _RESULTS}, ("results.jsonl",)
        ),
        "waypoints": _of_text("points", "points.csv"),
        "waypoints yaml": _of_text("points", "points.yaml"),
        "untrusted code": _untrusted(),
        "project": Sample("run", "p.zip", {"p.zip": _zipped(project)}, ("p.zip",), 2),
        "project inside": Sample("zipped", "p.zip", project, tuple(project), 3),
        "project looked at": Sample("check", "project.yaml", project, tuple(project), 2),
        "project saved": Sample("save", "project.yaml", project, tuple(project)),
    }


def _untrusted() -> Sample:
    """Return a scenario with code that leaves a file behind if it is ever run."""
    entry = b"{file: part.py, class: Part, on: crate, force: 5}"
    crate = b"{name: crate, shape: {type: sphere}, pose: {x: 4}, mass: 1}"
    files = {
        "part.py": b"open('ran', 'w')",
        "robot.yaml": b"urdf: cart.urdf\ncomponents: [" + entry + b"]\n",
        "cart.urdf": _texts()["cart.urdf"],
        "scenario.yaml": b"components: ["
        + entry
        + b"]\nobstacles: ["
        + crate
        + b"]\nworld: empty\n",
    }
    return Sample("run", "scenario.yaml", files, ("scenario.yaml",))


def _robot(name: str) -> Sample:
    folder = LIBRARY / "robots" / name
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    return Sample("run", f"{name}.yaml", files, (f"{name}.yaml", f"{name}.yaml", f"{name}.urdf"), 2)


def _sensor() -> Sample:
    lidar = (LIBRARY / "sensors" / "velodyne-vlp16.yaml").read_bytes()
    scenario = b"robots: [{sensors: [{name: s, model: lidar.yaml, pose: {z: 1}}]}]\nworld: empty\n"
    files = {"scenario.yaml": scenario, "lidar.yaml": lidar}
    return Sample("run", "scenario.yaml", files, ("lidar.yaml",), 2)


def _zipped(files: Mapping[str, bytes]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return whole.getvalue()


def _recordings() -> dict[str, Sample]:
    import tempfile

    found = {}
    with tempfile.TemporaryDirectory() as made:
        for name in ("mcap", "mcap-ros1", "rosbag1", "rosbag2", "rosbag2-mcap"):
            path = Path(made) / f"drive{FORMATS[name].suffix}"
            _record(path)
            found[name] = _recorded(path)
        for mode in (CompressionMode.FILE, CompressionMode.MESSAGE):
            path = Path(made) / mode.name.lower()
            _record_compressed(path, mode)
            found[f"rosbag2 {path.name} zstd"] = _recorded(path)
        state = Path(made) / "at.state"
        _save_state(state)
        whole = {state.name: state.read_bytes()}
        found["saved state"] = Sample("state", state.name, whole, (state.name,), 2)
    return {**found, "kitti": _kitti()}


def _kitti() -> Sample:
    row = b"1 0 0 0 0 1 0 0 0 0 1 0"
    files = {
        "seq/times.txt": b"0\n0.1\n",
        "seq/calib.txt": b"\n".join(name + b": " + row for name in (b"P0", b"P1", b"Tr")),
        "seq/velodyne/000000.bin": np.ones((9, 4), np.float32).tobytes(),
        "seq/velodyne/000001.bin": np.ones((9, 4), np.float32).tobytes(),
        **{f"seq/image_{eye}/00000{n}.png": _picture("PNG", "L") for eye in "01" for n in "01"},
    }
    return Sample("kitti", "seq", files, tuple(files))


def _recorded(path: Path) -> Sample:
    if path.is_file():
        return Sample("replay", path.name, {path.name: path.read_bytes()}, (path.name,), 2)
    files = {f"{path.name}/{part.name}": part.read_bytes() for part in sorted(path.iterdir())}
    return Sample("replay", path.name, files, tuple(files), 2)


def _record(path: Path) -> None:
    from outrider.messages.convert import from_dict
    from outrider.recording.track import RecordedTrack, TrackEntry

    writer = open_writer(path, recording_format(path))
    tracks = {
        kind: RecordedTrack(f"/{kind.rpartition('/')[2].lower()}", kind, False)
        for kind in ("geometry_msgs/msg/Twist", "sensor_msgs/msg/LaserScan", "std_msgs/msg/String")
    }
    for track in tracks.values():
        writer.add(track)
    for number in range(6):
        for kind, track in tracks.items():
            time_ns = number * 100_000_000
            writer.write(TrackEntry(track, time_ns, time_ns, from_dict(kind, {})))
    writer.close()


def _record_compressed(path: Path, mode: CompressionMode) -> None:
    from outrider.messages.convert import from_dict
    from outrider.messages.store import store

    kind = "geometry_msgs/msg/Twist"
    writer = BagWriter(path, version=8, storage_plugin=StoragePlugin.SQLITE3)
    writer.set_compression(mode, CompressionFormat.ZSTD)
    with writer:
        connection = writer.add_connection("/twist", kind, typestore=store())
        for number in range(6):
            data = store().serialize_cdr(from_dict(kind, {}), kind)
            writer.write(connection, number * 100_000_000, data)


def _save_state(path: Path) -> None:
    from outrider.scenarios.scenario import Scenario
    from outrider.scenarios.session.session import Session

    session = Session(Scenario())
    session.simulation.run(0.05)
    session.save(path)
