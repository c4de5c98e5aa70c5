"""Calls that cost much: texts that grow without end, and every service at its largest."""

from typing import Any, TypeAlias

Call: TypeAlias = tuple[str, dict[str, Any]]

_INERTIAL = (
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
    "</inertial>"
)
_BOX = "<geometry><box size='0.1 0.1 0.1'/></geometry>"


def _xacro(body: str) -> str:
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    return f'<robot name="r" {space}>{body}<link name="a"/></robot>'


def _value(expression: str) -> str:
    return _xacro(
        f'<xacro:property name="p" value="${{{expression}}}"/><link name="${{len(str(p))}}"/>'
    )


def _doubled_macros(depth: int, inside: str) -> str:
    first = f'<xacro:macro name="m0">{inside}</xacro:macro>'
    rest = (
        f'<xacro:macro name="m{n + 1}"><xacro:m{n}/><xacro:m{n}/></xacro:macro>'
        for n in range(depth)
    )
    return _xacro(f"{first}{''.join(rest)}<xacro:m{depth}/>")


def _doubled_properties(depth: int) -> str:
    rest = (f'<xacro:property name="p{n + 1}" value="${{p{n}+p{n}}}"/>' for n in range(depth))
    first = '<xacro:property name="p0" value="x"/>'
    return _xacro(f'{first}{"".join(rest)}<link name="${{p{depth}}}"/>')


def chain(links: int, shapes: int = 1) -> str:
    """Return a chain of links with joints that turn, and so many boxes on each."""
    bodies = "".join(
        f"<link name='l{n}'>{_INERTIAL}{f'<collision>{_BOX}</collision>' * shapes}</link>"
        for n in range(links)
    )
    joints = "".join(
        f"<joint name='j{n}' type='continuous'><parent link='l{n - 1}'/><child link='l{n}'/>"
        "<origin xyz='0.2 0 0'/><axis xyz='0 0 1'/></joint>"
        for n in range(1, links)
    )
    return f"<robot name='c'>{bodies}{joints}</robot>"


def _spawn(text: str, **more: Any) -> list[Call]:
    return [("spawn", {"name": "bomb", "text": text, "pose": {"x": -40.0, "z": 30.0}, **more})]


_MEGABYTES = 4_000_000
_WORD = "<a b='c'/>"

BOMBS: dict[str, list[Call]] = {
    "nothing": [("status", {})],
    "a box": _spawn(chain(1)),
    "MJCF": _spawn(
        "<mujoco><worldbody><replicate count='100000'><body><freejoint/><geom size='1'/></body>"
        "</replicate></worldbody></mujoco>"
    ),
    "text repeated": _spawn(_value("'x'*10**10")),
    "list repeated": _spawn(_value("[0]*10**10")),
    "lists in lists": _spawn(_value("[[0]*900000 for i in range(900000)]")),
    "a million steps": _spawn(_value("len([y for x in range(10**5) for y in range(10**5)])")),
    "numbers of many digits": _spawn(_value("len(str(7**99 * 10**99)) * 0 + (1 &lt;&lt; 99999)")),
    "comprehension over 1e9": _spawn(_value("len([x for x in range(10**9)])")),
    "sum over 1e9": _spawn(_value("python.sum(python.range(10**9))")),
    "properties that double": _spawn(_doubled_properties(60)),
    "macros that double": _spawn(_doubled_macros(40, "<foo/>")),
    "macros that double, 16 deep": _spawn(_doubled_macros(16, "<foo/>")),
    "macros with links that double": _spawn(_doubled_macros(15, "<link name='b'/>")),
    "a large macro, called often": _spawn(
        _xacro(f'<xacro:macro name="m">{_WORD * 20_000}</xacro:macro>' + "<xacro:m/>" * 500)
    ),
    "text sorted": _spawn(_value("sorted(['x'*900000]*900000)")),
    "20,000 links": _spawn(chain(20_000)),
    "20,000 links by a macro": _spawn(
        _xacro(
            '<xacro:macro name="m" params="n"><link name="l${n}"/>'
            '<xacro:if value="${n}"><xacro:m n="${n-1}"/></xacro:if></xacro:macro>'
            '<xacro:m n="20000"/>'
        )
    ),
    "4 MB of elements, URDF": _spawn(
        f"<robot name='c'>{_WORD * (_MEGABYTES // len(_WORD))}<link name='a'/></robot>"
    ),
    "4 MB of elements, xacro": _spawn(_xacro(_WORD * (_MEGABYTES // len(_WORD)))),
    "4 MB of elements, SDF": _spawn(
        "<sdf version='1.6'><model name='c'><link name='a'>"
        f"{_WORD * (_MEGABYTES // len(_WORD))}</link></model></sdf>"
    ),
    "4 MB of elements, 200 deep": _spawn(
        "<robot name='c'>" + ("<a>" * 200 + "</a>" * 200) * (_MEGABYTES // 1400) + "</robot>"
    ),
    "4 MB of one number, SDF": _spawn(
        "<sdf version='1.6'><model name='c'><link name='a'><pose>"
        f"{'0 ' * (_MEGABYTES // 2)}</pose></link></model></sdf>"
    ),
    "4 MB of letters": _spawn("x" * _MEGABYTES),
    "4 MB of attributes": _spawn(
        "<robot name='c' " + " ".join(f"a{n}='1'" for n in range(_MEGABYTES // 12)) + "/>"
    ),
    "largest chain (300 links)": [
        *_spawn(chain(300, 3)),
    ],
}

_HIGH = {"x": 6.0, "y": 6.0, "z": 9.0}
_CRATE = {"shape": {"type": "box", "size": [1, 1, 1]}, "pose": _HIGH}
_OBJECT: Call = ("add_object", {"name": "crate", "mass": 3.0, **_CRATE})
_WALL: Call = ("add_object", {"name": "wall", **_CRATE})
_HERD = {"type": "herd", "name": "sheep", "area": {"centre": [0, 0], "size": [30, 30]}}
_LIDAR = {"name": "s2", "robot": "jackal", "model": "velodyne-vlp16"}

SERVICES: dict[str, list[Call]] = {
    "nothing": [("status", {})],
    **{
        name: [(name, {})]
        for name in (
            "status",
            "list_models",
            "get_states",
            "world_properties",
            "physics_properties",
            "list_components",
            "reset_world",
            "put_back",
            "clear_wrenches",
            "reset",
        )
    },
    "get_state": [("get_state", {"name": "jackal"})],
    "model_properties": [("model_properties", {"name": "jackal"})],
    "set_speed": [("set_speed", {"speed": 1.0})],
    "set_state": [("set_state", {"name": "jackal", "position": [0, 0, 1]})],
    "set_state, refused": [("set_state", {"name": "jackal", "position": [0, 0, -0.2]})],
    "set_state of what stands fixed": [
        _WALL,
        ("set_state", {"name": "wall", "position": [8, 8, 9]}),
    ],
    "set_joints": [("set_joints", {"model": "jackal", "joints": {"front_left_wheel": 1.0}})],
    "apply_wrench": [("apply_wrench", {"body": "jackal", "force": [1, 0, 0], "duration_s": 0.1})],
    "register_type": [
        ("register_type", {"name": "a/Long", "text": "int32 a\n" + "# text\n" * 9000})
    ],
    "add_object": [_OBJECT],
    "move": [_OBJECT, ("move", {"name": "crate", "x": 8.0, "y": 8.0, "z": 9.0})],
    "move, refused": [("move", {"name": "jackal", "z": -0.2})],
    "undo of a move": [
        _OBJECT,
        ("move", {"name": "crate", "x": 8.0, "y": 8.0, "z": 9.0}),
        ("undo", {}),
    ],
    "move of what stands fixed": [_WALL, ("move", {"name": "wall", "x": 8.0, "z": 9.0})],
    "remove": [_OBJECT, ("remove", {"name": "crate"})],
    "add_actor (100 sheep)": [("add_actor", {**_HERD, "count": 100})],
    "add_robot": [("add_robot", {"model": "husky", "name": "two", "pose": _HIGH})],
    "add_sensor": [("add_sensor", _LIDAR)],
    "remove_sensor": [("add_sensor", _LIDAR), ("remove_sensor", {"name": "s2", "robot": "jackal"})],
    "rename_topic": [("rename_topic", {"robot": "jackal", "key": "odometry", "name": "/o"})],
    "spawn (300 links, 900 boxes)": _spawn(chain(300, 3)),
    "get_states of 300 links": [*_spawn(chain(300, 3)), ("get_states", {})],
    "undo of a spawn": [*_spawn(chain(300, 3)), ("undo", {})],
    "redo of a spawn": [*_spawn(chain(300, 3)), ("undo", {}), ("redo", {})],
    "save_world": [("save_world", {"file": "w{}.yaml"})],
    "save_state": [("save_state", {"file": "s{}"})],
    "save_state with 300 links": [*_spawn(chain(300, 3)), ("save_state", {"file": "s{}"})],
    "load_state": [("save_state", {"file": "l{}"}), ("load_state", {"file": "l{}"})],
    "load_world": [("load_world", {"world": "rural"})],
    "pause, resume": [("pause", {}), ("resume", {})],
}
