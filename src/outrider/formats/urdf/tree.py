"""The tree that a URDF's links and joints must form."""

from collections import defaultdict
from collections.abc import Sequence

from outrider.core.errors import FormatError, WorldError, near_match
from outrider.formats.xml_source import XmlSource, duplicates
from outrider.world.model import Joint, Link


def ordered(
    source: XmlSource, links: Sequence[Link], joints: Sequence[Joint]
) -> tuple[list[Link], list[Joint]]:
    """Return links and joints with parents before children, or say why they are no tree."""
    names = [link.name for link in links]
    _check_names(source, names, [joint.name for joint in joints])
    _check_ends(source, names, joints)
    root = _root(source, names, joints)
    order = _walk(root, joints)
    lost = [name for name in names if name not in {root, *(joint.child for joint in order)}]
    if lost:
        raise WorldError(f"{source.name}: the joints of link {_list(lost)} form a cycle")
    by_name = {link.name: link for link in links}
    return [by_name[root], *(by_name[joint.child] for joint in order)], order


def _check_names(source: XmlSource, links: list[str], joints: list[str]) -> None:
    if not links:
        raise FormatError(f"{source.name}: the robot has no link")
    for kind, names in (("links", links), ("joints", joints)):
        for name in duplicates(names):
            raise WorldError(f"{_where(source, kind[:-1], name)}: two {kind} have this name")


def _check_ends(source: XmlSource, links: list[str], joints: Sequence[Joint]) -> None:
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in links:
                raise FormatError(
                    f"{_where(source, 'joint', joint.name)}: there is no link '{name}' "
                    f"for its {role}{near_match(name, links)}"
                )
    for name in duplicates(joint.child for joint in joints):
        carriers = [joint.name for joint in joints if joint.child == name]
        raise WorldError(
            f"{_where(source, 'link', name)}: several joints carry it: {_list(carriers)}"
        )


def _root(source: XmlSource, links: list[str], joints: Sequence[Joint]) -> str:
    children = {joint.child for joint in joints}
    roots = [name for name in links if name not in children]
    if not roots:
        raise WorldError(f"{source.name}: every link is a child: the joints form a cycle")
    if len(roots) > 1:
        raise WorldError(
            f"{source.name}: a robot has one root link, this one has {len(roots)}: {_list(roots)}"
        )
    return roots[0]


def _walk(root: str, joints: Sequence[Joint]) -> list[Joint]:
    """Return the joints reachable from the root, depth first, in the order of the file."""
    below: dict[str, list[Joint]] = defaultdict(list)
    for joint in reversed(joints):
        below[joint.parent].append(joint)
    order: list[Joint] = []
    stack = list(below[root])
    while stack:
        joint = stack.pop()
        order.append(joint)
        stack.extend(below[joint.child])
    return order


def _where(source: XmlSource, tag: str, name: str) -> str:
    """Return the place of the last element of that name, which is where a clash shows."""
    found = [element for element in source.root.findall(tag) if element.get("name") == name]
    return source.location(found[-1]) if found else f"{source.name}: <{tag} name='{name}'>"


def _list(names: Sequence[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"
