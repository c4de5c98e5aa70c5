"""YAML files as plain data: safe, bounded, and with errors that name file and line."""

import re
from collections.abc import Hashable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import yaml
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from outrider.core.errors import ConfigError
from outrider.core.files.text_file import read_text_file
from outrider.core.structure import Data

MAX_VALUES = 1_000_000
_FEW = 250  # brackets, and characters of a line, that libyaml may be given

# YAML 1.1 takes 6e-3 for text; everyone who writes it means the number.
_FLOAT = re.compile(
    r"^[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?$|^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN)$"
)


class _TwiceError(yaml.MarkedYAMLError):
    """A key given twice: YAML allows it, we do not."""


class _PlainData(SafeConstructor):
    """Plain data only; a key given twice is an error.

    YAML 1.1 takes ``on`` for true; as a key it is a word.
    """

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Hashable, object]:
        seen: set[str] = set()
        pairs = node.value if isinstance(node, yaml.MappingNode) else []  # a tag may lie
        scalars = [key for key, _ in pairs if isinstance(key, yaml.ScalarNode)]
        for key in scalars:
            if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                raise _TwiceError(
                    problem=f"the key '{key.value}' is given twice", problem_mark=key.start_mark
                )
            seen.add(key.value)
            if key.tag == "tag:yaml.org,2002:bool":
                key.tag = "tag:yaml.org,2002:str"
        return super().construct_mapping(node, deep)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:
        """Make a value; PyYAML takes a tag at its word and fails where the text is none such."""
        try:
            made: object = super().construct_object(node, deep)
        except (AttributeError, LookupError, OverflowError, ValueError):
            problem = f"a value that is no {node.tag.rpartition(':')[2]}"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark) from None
        if isinstance(made, str) and "\0" in made:  # no name of a file may hold one
            problem = "text with a zero character"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
        return made


class _Numbers(Resolver):
    """Numbers as people write them."""


_Numbers.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:float"]
    for first, rules in Resolver.yaml_implicit_resolvers.items()
}
_Numbers.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+0123456789."))


class _Loader(_PlainData, _Numbers, yaml.SafeLoader):
    """PyYAML's own reader, whose errors are known."""


if yaml.__with_libyaml__:
    from yaml._yaml import CParser

    class _FastLoader(_PlainData, _Numbers, CParser):
        """libyaml's, ten times faster."""

        def __init__(self, text: str) -> None:
            CParser.__init__(self, text)
            _PlainData.__init__(self)
            _Numbers.__init__(self)


class _Dumper(yaml.SafeDumper):
    """Quotes what the loader would not read as text."""

    yaml_implicit_resolvers = _Numbers.yaml_implicit_resolvers

    def ignore_aliases(self, _data: object) -> bool:
        return True

    def represent(self, data: object) -> None:
        """Write the top-level keys in block style."""
        node = self.represent_data(data)
        if isinstance(node, yaml.CollectionNode):
            node.flow_style = False
        self.serialize(node)

    def represent_sequence(
        self, tag: str, sequence: Iterable[object], flow_style: bool | None = None
    ) -> yaml.SequenceNode:
        return _in_one_line(super().represent_sequence(tag, sequence, flow_style))

    def represent_mapping(
        self, tag: str, mapping: Any, flow_style: bool | None = None
    ) -> yaml.MappingNode:
        return _in_one_line(super().represent_mapping(tag, mapping, flow_style))


_LINE = 80
N = TypeVar("N", yaml.SequenceNode, yaml.MappingNode)


def _in_one_line(node: N) -> N:
    """Write short values on one line, as people do: ``{x: 1.0, size: [2.0, 3.0]}``."""
    node.flow_style = _width(node) <= _LINE
    return node


def _width(node: yaml.Node) -> int:
    if isinstance(node, yaml.ScalarNode):
        return len(node.value)
    if isinstance(node, yaml.MappingNode):
        return sum(_width(key) + _width(value) + 4 for key, value in node.value) + 2
    return sum(_width(item) + 2 for item in node.value) + 2


def yaml_text(data: Data) -> str:
    """Return plain data as YAML that reads back the same."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def read_yaml(path: Path) -> Data:
    """Return the mapping in a YAML file; an empty file is an empty mapping."""
    return parse_yaml(read_text_file(path), str(path))


def parse_yaml(text: str, where: str) -> Data:
    """Return the mapping in a YAML text; ``where`` names it in errors."""
    try:
        data = _loaded(text, where)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f":{mark.line + 1}" if mark else ""
        raise ConfigError(f"{where}{line}: {_in_plain_words(error)}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())  # it may be several lines
        raise ConfigError(f"{where}: not YAML: {reason}") from None
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigError(f"{where}: expected a mapping of keys, got {_said(data)}")
    return data


# What PyYAML says, and what a person should do.
_PLAIN_WORDS = {
    "expected the node content": "a value is missing, or a list item ('-') stands between brackets",
    "found character '\\t'": "a tab: YAML is indented with spaces",
    "mapping values are not allowed": "a ':' that cannot stand here; is the line above indented"
    " as it should be, does a ':' lack the space after it, or text with a ':' its quotes?",
    "expected <block end>": "indented differently from the lines above",
    "expected ',' or ']'": "a list that began with '[' lacks its ']' or a comma",
    "expected ',' or '}'": "a mapping that began with '{' lacks its '}' or a comma",
    "could not find expected ':'": "a key without its ':'",
    "found unexpected end of stream": "text that began with a quotation mark has no end",
    "that cannot start any token": "text that begins with a special character lacks quotes",
    "sequence entries are not allowed": "a list item ('-') that cannot stand here; put it"
    " on a line of its own",
    "found another document": "a second document after '---'; a file has one",
    "found unknown escape character": "a '\\' in text in double quotes; use single quotes",
    "found unhashable key": "a list or mapping used as a key",
    "found undefined alias": "a name after '*' that no '&' defines",
    "could not determine a constructor": "a tag beginning with '!', which is not supported",
}


def _in_plain_words(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or "it cannot be read"
    for said, meant in _PLAIN_WORDS.items():
        if said in problem:
            return f"not YAML: {meant}"
    return problem if isinstance(error, _TwiceError) else f"not YAML: {problem}"


def _loaded(text: str, where: str) -> object:
    """Return the data of a text, read by libyaml where that is safe and finds nothing wrong."""
    if yaml.__with_libyaml__ and _is_shallow(text):
        with suppress(yaml.YAMLError, ValueError):  # PyYAML's own reader has the words for those
            return _read(_FastLoader(text), where)
    return _read(_Loader(text), where)


def _is_shallow(text: str) -> bool:
    """Say whether values cannot nest deeply: libyaml's reader would overflow the stack.

    Brackets nest at most as often as they occur, blocks at most twice per column.
    """
    brackets = text.count("[") + text.count("{")
    return brackets <= _FEW and max(map(len, text.splitlines()), default=0) <= _FEW


def _read(loader: "_Loader | _FastLoader", where: str) -> object:
    """Return the data of a text whose aliases were counted before they are followed."""
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        if _size(node, {}) > MAX_VALUES:
            raise ConfigError(f"{where}: its aliases expand to more than {MAX_VALUES} values")
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _size(node: yaml.Node, sizes: dict[int, int]) -> int:
    """Return the number of values a node expands to; a recursive one has too many."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) not in sizes:
        sizes[id(node)] = MAX_VALUES + 1
        pairs = isinstance(node, yaml.MappingNode)
        items = [value for _, value in node.value] if pairs else node.value
        sizes[id(node)] = 1 + sum(_size(item, sizes) for item in items)
    return sizes[id(node)]


def _said(data: object) -> str:
    return "a list" if isinstance(data, list) else f"'{str(data)[:60]}'"
