"""Damage done to valid files and requests at random: the same number gives the same damage."""

import json
import random
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeAlias

from lxml import etree

Rng: TypeAlias = random.Random

JUNK = (
    *("", "0", "-1", "nan", "inf", "1e308", "-1e308", "1e999", "1e-320", "99999999999", "9" * 400),
    *("0 0 0", "a", "true", "null", "::", "world", "\n", "\0", "x" * 300, "\u2028", "\udcff"),
    *("../..", "/etc/passwd", "file:///etc/passwd", "package://a/b", "model://m", "C:\\x"),
    *("${1/0}", "${'x'*10**10}", "$(arg n)", "$(find root)", "&a;", "%s%n", "{0.__class__}"),
    *("fixed", "plane", "mesh", "box", "jackal", "flat", "empty"),
)
_VALUES = (
    *(None, True, False, 0, -1, 2**31, 2**63, -(2**63), 10**400, 0.5, 1e308, -1e308, 1e-320),
    *([], {}, [[]], {"": None}, ["a"] * 50, {"type": "box"}),
)
_NUMBER = re.compile(rb"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")
_DEEP = 60


def generator(seed: int, number: int) -> Rng:
    """Return the random numbers of one case."""
    return random.Random(f"{seed}/{number}")


def damaged(data: bytes, rng: Rng, name: str = "") -> bytes:
    """Return a file's bytes, damaged: by bytes, by its numbers, or in its structure."""
    ways = [_bytes, _bytes, _numbers]
    structure = _STRUCTURES.get(name.rpartition(".")[2].lower())
    if structure is not None and rng.random() < 0.6:
        return structure(data, rng)
    return rng.choice(ways)(data, rng)


def junk(rng: Rng) -> str:
    """Return a word that should not be where it is put."""
    return rng.choice(JUNK)


def _bytes(data: bytes, rng: Rng) -> bytes:
    """Change, drop, repeat or insert a few stretches of bytes."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at, length = rng.randrange(len(out) + 1), rng.choice((1, 1, 2, 4, 8, 64))
        kind = rng.randrange(7)
        if kind == 0:
            out[at : at + length] = rng.randbytes(length)
        elif kind == 1:
            del out[at : at + length]
        elif kind == 2:
            out[at:at] = out[at : at + 40] * rng.choice((1, 2, 30))
        elif kind == 3:
            out[at : at + length] = junk(rng).encode("utf-8", "surrogatepass")
        elif kind == 4 and at < len(out):
            out[at] ^= 1 << rng.randrange(8)
        elif kind == 5:
            size = rng.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFF))
            out[at : at + 4] = size.to_bytes(4, rng.choice(("little", "big")))
        else:
            del out[at:]
    return bytes(out)


def _numbers(data: bytes, rng: Rng) -> bytes:
    """Put other numbers in place of a few that are written out."""
    found = list(_NUMBER.finditer(data[:200_000]))
    if not found:
        return _bytes(data, rng)
    for hit in sorted(rng.sample(found, min(len(found), rng.randint(1, 3))), key=_start)[::-1]:
        data = data[: hit.start()] + junk(rng).encode("utf-8", "replace") + data[hit.end() :]
    return data


def _start(hit: "re.Match[bytes]") -> int:
    return hit.start()


def _xml(data: bytes, rng: Rng) -> bytes:
    """Change words, and drop, repeat or move elements: still XML."""
    try:
        root = etree.fromstring(data)
    except etree.XMLSyntaxError:
        return _bytes(data, rng)
    for _ in range(rng.randint(1, 5)):
        _damage_element(root, rng)
    return bytes(etree.tostring(root))


def _damage_element(root: Any, rng: Rng) -> None:
    elements = list(root.iter(etree.Element))
    element, other = rng.choice(elements), rng.choice(elements)
    word = junk(rng).encode("ascii", "ignore").decode().replace("\0", "")
    what = rng.randrange(6)
    if what == 0:
        element.text = word
    elif what == 1 and element.attrib:
        element.set(rng.choice(list(element.attrib)), word)
    elif element is root:
        return
    elif what == 2:
        element.getparent().remove(element)
    elif what == 3:
        for _ in range(rng.choice((1, 1, 20))):
            element.getparent().append(deepcopy(element))
    elif what == 4:
        element.tag = other.tag
    elif other not in list(element.iter()):
        other.append(element)


def tree(value: Any, rng: Rng, depth: int = 0) -> Any:
    """Return plain data in which one place is changed, dropped, repeated or nested."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        rest = {k: v for k, v in value.items() if k != key}
        what = rng.randrange(8)
        if what == 0:
            return rest
        if what == 1:
            return {**rest, str(key) + rng.choice("sx_ "): value[key]}
        return {**rest, key: tree(value[key], rng, depth + 1)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        what = rng.randrange(8)
        if what == 0:
            return value[:at] + value[at + 1 :]
        if what == 1:
            return value + [value[at]] * rng.choice((1, 1, 200))
        return [*value[:at], tree(value[at], rng, depth + 1), *value[at + 1 :]]
    return _other(value, rng)


def _other(value: Any, rng: Rng) -> Any:
    what = rng.randrange(4)
    if what == 0:
        return junk(rng)
    if what == 1:
        return deepcopy(rng.choice(_VALUES))
    if what == 2 and isinstance(value, float):
        return value * rng.choice((-1, 0, 1e3, 1e9, 1e-9))
    for _ in range(rng.choice((1, _DEEP))):
        value = [value] if rng.random() < 0.5 else {"a": value}
    return value


def _json(data: bytes, rng: Rng) -> bytes:
    try:
        value = json.loads(data)
    except ValueError:
        return _bytes(data, rng)
    for _ in range(rng.randint(1, 3)):
        value = tree(value, rng)
    return json.dumps(value).encode()


def _yaml(data: bytes, rng: Rng) -> bytes:
    import yaml

    try:
        value = yaml.safe_load(data)
    except yaml.YAMLError:
        return _bytes(data, rng)
    for _ in range(rng.randint(1, 3)):
        value = tree(value, rng)
    try:
        return yaml.safe_dump(value, sort_keys=False).encode("utf-8", "replace")
    except (yaml.YAMLError, ValueError):
        return _bytes(data, rng)


_STRUCTURES: dict[str, Callable[[bytes, Rng], bytes]] = {
    **dict.fromkeys(("urdf", "xacro", "sdf", "world", "xml", "mjcf", "dae", "config"), _xml),
    **dict.fromkeys(("json", "gltf"), _json),
    **dict.fromkeys(("yaml", "yml"), _yaml),
}
