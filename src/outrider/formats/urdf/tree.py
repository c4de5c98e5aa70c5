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


def without_lost_branches(
    source: XmlSource, links: Sequence[Link], joints: Sequence[Joint]
) -> tuple[list[Link], list[Joint]]:
    """Leave out joints of links that are not there, and the links that hang from such a joint."""
    names = {link.name for link in links}
    held = [joint for joint in joints if {joint.parent, joint.child} <= names]
    torn = {j.child: j for j in joints if j.child in names and j.parent not in names}
    children = {joint.child for joint in held}
    if torn and not names - children - set(torn):  # nothing else to stand on: the largest stays
        torn.pop(max(torn, key=lambda root: len(_walk(root, held))))
    for joint in joints:
        if joint.child not in names:
            _note_lost(source, joint, "was left out", joint.child)
    for root, joint in torn.items():
        branch = {root, *(below.child for below in _walk(root, held))}
        more = f" and {len(branch) - 1} more below it" if len(branch) > 1 else ""
        _note_lost(source, joint, f"was left out with link '{root}'{more}", joint.parent)
        links = [link for link in links if link.name not in branch]
        held = [below for below in held if below.child not in branch]
    return list(links), held


def without_loose_links(
    source: XmlSource, links: Sequence[Link], joints: Sequence[Joint], absent: Sequence[str]
) -> tuple[list[Link], list[Joint]]:
    """Leave out links that nothing joins to the largest tree: an absent package would have."""
    children = {joint.child for joint in joints}
    roots = [link.name for link in links if link.name not in children]
    trees = {root: {root, *(below.child for below in _walk(root, joints))} for root in roots}
    kept = max(roots, key=lambda root: len(trees[root]), default="")
    for root in roots:
        if root == kept:
            continue
        more = f" and {len(trees[root]) - 1} more below it" if len(trees[root]) > 1 else ""
        place = _where(source, "link", root)
        told = f"was left out{more}: nothing joins it to '{kept}', and a package is missing"
        source.log.add("missing", f"{place}: {told}: {_list(absent)}")
        links = [link for link in links if link.name not in trees[root]]
        joints = [joint for joint in joints if joint.parent not in trees[root]]
    return list(links), list(joints)


def _note_lost(source: XmlSource, joint: Joint, what: str, link: str) -> None:
    place = _where(source, "joint", joint.name)
    source.log.add("missing", f"{place}: {what}: there is no link '{link}'")


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
