"""The text of a project file as plain values, with the line of everything in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from sys import float_info
from typing import Any

import yaml

from sfumato.bounded_file import file_bytes
from sfumato.errors import ProjectError

Path = tuple[str | int, ...]

# Of a project file or of answers: YAML takes most of a second for a megabyte; ten thousand decided columns have two.
MOST_BYTES = 20_000_000
LONGEST = 80  # letters of a key in a message: a line of most terminals
TAG = "tag:yaml.org,2002:"

# Keys whose values are words of the data: a code 007 or 1e5, a column called 12 or no, stay as written.
DATA_WORDS = frozenset({"missing_tokens", "order", "sensitive", "subject", "table"})


@dataclass(frozen=True, order=True)
class Fault:
    """One thing that is wrong in a project file, where, and what was expected."""

    line: int
    words: str


@dataclass(frozen=True)
class YamlFile:
    """What a project file says: plain values, the line of each, and what YAML itself forbids in them."""

    value: Any
    lines: Mapping[Path, int]
    problems: tuple[Fault, ...] = ()
    spans: Mapping[Path, tuple[int, int]] = field(default_factory=dict)  # where each value begins and ends in the text

    def line_of(self, path: Path) -> int:
        """The line on which a key or an entry stands, or else the nearest thing around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def file_text(path: FilePath, *, hint: str) -> str:
    """The text of a file that a person writes; `hint` says how one that is not there comes about."""
    try:
        return file_bytes(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ProjectError(path, "this is not UTF-8 text. Save the file as UTF-8.", line=line) from None
    except FileNotFoundError:
        raise ProjectError(path, f"there is no such file. {hint}") from None
    except OSError as error:
        raise ProjectError(path, f"this file cannot be read: {error.strerror}.") from None


def read_yaml(text: str, path: object) -> YamlFile:
    """Read YAML (and so JSON); `ProjectError` with the line, and none of the text, when it is not YAML."""
    text = _without_tabs_between_json(text.removeprefix("\ufeff"))
    try:
        node = yaml.compose(text, _Loader)
        reading = _Reading()
        value = reading.value(node, ()) if node is not None else None
    except RecursionError:
        raise ProjectError(path, "the file is nested too deeply to be a project file.") from None
    except yaml.YAMLError as error:
        problem = _not_yaml(error, text)
        raise ProjectError(path, problem.words, line=problem.line) from None
    return YamlFile(value, {(): 1} | reading.lines, tuple(reading.problems), reading.spans)


def in_words(path: Path) -> str:
    """Where a key stands, as somebody would say it.

    >>> in_words(("columns", "age", "bins", 2)), in_words(("measures", 0, "at_least"))
    ("entry 3 of bins of column 'age'", 'at_least of measure 1')
    """
    match tuple(map(short_name, sayable_path(path))):
        case ():
            return "the file"
        case ("columns", name):
            return f"column {name!r}"
        case ("measures", int(position)):
            return f"measure {position + 1}"
        case (key,):
            return str(key)
        case (*around, int(position)):
            return f"entry {position + 1} of {in_words(tuple(around))}"
        case (*around, key):
            return f"{key} of {in_words(tuple(around))}"
    raise AssertionError("every path is empty or has a last part")


def short_name(part: str | int) -> str | int:
    """A key as a message names it: the beginning of one that is longer than a line."""
    return part if isinstance(part, int) or len(part) <= LONGEST else part[:LONGEST] + "..."


def sayable_path(path: Path) -> Path:
    """Where a key stands, as far as a message may say it: inside a parameter of a step, keys may be cells.

    >>> sayable_path(("plan", "steps", 0, "recode", "mapping", "Jane Doe"))
    ('plan', 'steps', 0, 'recode', 'mapping')
    """
    start = 1 if path[:1] == ("plan",) else 0
    return path[: start + 4] if path[start : start + 1] == ("steps",) else path


class _Alias(yaml.MarkedYAMLError):
    """The file refers to another part of itself."""


class _Loader(yaml.SafeLoader):
    """YAML with the plain words of version 1.2: `no` and `007` are text, only true and false are not."""

    yaml_implicit_resolvers = {}

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        # Aliases nested in aliases grow without bound, and a file for people does not need them.
        if self.check_event(yaml.AliasEvent):
            raise _Alias(problem_mark=self.peek_event().start_mark)  # type: ignore[no-untyped-call]
        return super().compose_node(parent, index)


for _kind, _pattern, _first in (
    ("null", r"(?:~|null|Null|NULL|)", ["~", "n", "N", ""]),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", list("-+.0123456789")),
):
    _Loader.add_implicit_resolver(TAG + _kind, re.compile(_pattern + r"\Z"), _first)


def _whole(text: str) -> int | float:
    """A whole number; infinite, as 1e400 is, where it is larger than a real number can be."""
    number = int(text)
    return number if abs(number) <= float_info.max else float(text)


SCALARS: dict[str, Callable[[str], Any]] = {
    TAG + "null": lambda text: None,
    TAG + "bool": lambda text: text.lower() == "true",
    TAG + "int": _whole,
    TAG + "float": float,
    TAG + "str": str,
}


@dataclass
class _Reading:
    """A walk over the nodes of the file that notes lines and problems on its way."""

    lines: dict[Path, int] = field(default_factory=dict)
    problems: list[Fault] = field(default_factory=list)
    spans: dict[Path, tuple[int, int]] = field(default_factory=dict)

    def value(self, node: yaml.Node, path: Path) -> Any:
        """The plain value of a node: dict, list, text, number, true, false or None."""
        self.spans[path] = node.start_mark.index, node.end_mark.index
        if isinstance(node, yaml.MappingNode) and node.tag == TAG + "map":
            return {key: self.value(child, (*path, key)) for key, child in self._entries(node, path)}
        if isinstance(node, yaml.SequenceNode) and node.tag == TAG + "seq":
            return [self._item(child, (*path, position)) for position, child in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode) and node.tag in SCALARS:
            return self._scalar(node, path)
        return self._note(node, f"{in_words(path)}: a project file has no `!` tags. Write the plain value.")

    def _entries(self, node: yaml.MappingNode, path: Path) -> Iterator[tuple[str, yaml.Node]]:
        first: dict[str, int] = {}
        for key_node, child in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._note(key_node, f"{in_words(path)}: a key is a list or a mapping. Expected text.")
                continue
            key = self._text(key_node)
            if key in first:
                named = (
                    in_words((*path, key))
                    if sayable_path((*path, key)) != sayable_path(path)
                    else f"{in_words(path)}: a key"
                )
                self._note(key_node, f"{named} is written twice, first on line {first[key]}.")
                continue
            first[key] = self.lines[(*path, key)] = _line(key_node)
            yield key, child

    def _item(self, node: yaml.Node, path: Path) -> Any:
        self.lines[path] = _line(node)
        return self.value(node, path)

    def _scalar(self, node: yaml.ScalarNode, path: Path) -> Any:
        listed = bool(path) and isinstance(path[-1], int)
        key = path[-2] if listed and len(path) > 1 else path[-1] if path else ""
        if key in DATA_WORDS and (listed or node.tag != TAG + "null"):
            return self._text(node)
        try:
            return self._text(node) if node.tag == TAG + "str" else SCALARS[node.tag](node.value)
        except ValueError:
            return self._note(node, f"{in_words(path)}: this is not the number that it is said to be.")

    def _text(self, node: yaml.ScalarNode) -> str:
        # JSON writes a character beyond U+FFFF as two escapes, which YAML reads as two halves.
        try:
            return str(node.value).encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            self._note(node, "half of a surrogate pair stands alone, which is no character. Write the character.")
            return ""

    def _note(self, node: yaml.Node, words: str) -> None:
        self.problems.append(Fault(_line(node), words))


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _without_tabs_between_json(text: str) -> str:
    # JSON may be indented with tabs, which the YAML reader refuses. In valid JSON no text holds a bare tab.
    if not text.lstrip().startswith("{") or "\t" not in text:
        return text
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text.replace("\t", " ")


def _not_yaml(error: yaml.YAMLError, text: str) -> Fault:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        position = int(getattr(error, "position", 0))
        return Fault(text.count("\n", 0, position) + 1, "a control character stands here. Remove or escape it.")
    began = getattr(error, "context_mark", None)
    since = f", in what begins on line {began.line + 1}" if began and began.line != mark.line else ""
    return Fault(mark.line + 1, _what_yaml_expects(error, text[mark.index : mark.index + 1]).format(since=since))


def _what_yaml_expects(error: yaml.YAMLError, character: str) -> str:
    if isinstance(error, _Alias):
        return "a project file has no aliases (`*name`). Write the value out, or put a text with `*` in quotes."
    if character == "\t":
        return "a tab stands where YAML expects spaces{since}. Indent with spaces."
    if "another document" in str(getattr(error, "problem", "")):
        return "a second document begins here (`---`). A project file is one document."
    return "this is not valid YAML{since}. Check the indentation, brackets, quotes and colons."
