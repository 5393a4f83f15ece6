"""Options of runs: what a client may say of a verb, each with its kind and bounds. None of them is a path or a URL."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import Any

from sfumato.canonical import is_whole_text
from sfumato.errors import ServiceRefusal

MOST_LETTERS = 1000
MOST_ENTRIES = 5000  # columns of the widest tables that are read by default
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
RECIPE = re.compile(r"recipe:[a-z0-9-]{1,100}")


class OptionKind(StrEnum):
    """What the value of an option is, and how it is typed."""

    FLAG = "flag"
    WHOLE = "whole number"
    NUMBER = "number"
    CHOICE = "one of several words"
    TEXT = "text"
    TEXTS = "list of texts"  # the option is repeated
    NAMES = "list of names"  # with commas between them
    NUMBERS = "list of numbers"  # with commas between them
    PAIRS = "text by column"
    PLAN = "file of the project, or recipe:NAME"


class WrongOption(ServiceRefusal):
    """An option that the verb does not take, or not so."""

    status, kind = 422, "wrong-option"


@dataclass(frozen=True)
class RunOption:
    """An option of a verb, by its name on the command line."""

    name: str
    kind: OptionKind
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()

    def checked(self, value: Any, files: Collection[str]) -> Any:
        """The value, where it is one that the option takes; `files` are those of the version. It is never repeated."""
        if not _CHECKS[self.kind](self, value, files):
            raise WrongOption(f"The option {self.name!r} takes {self.words}.")
        return value

    def typed(self, value: Any) -> list[str]:
        """The option as it stands on the command line: in one word with its value, which is thus never an option."""
        if self.kind is OptionKind.FLAG:
            return [f"--{self.name}"] if value else []
        if self.kind is OptionKind.TEXTS:
            return [f"--{self.name}={one}" for one in value]
        if self.kind is OptionKind.NAMES:
            return [f"--{self.name}={','.join(_quoted(one, ',') for one in value)}"] if value else []
        if self.kind is OptionKind.NUMBERS:
            return [f"--{self.name}={','.join(map(str, value))}"] if value else []
        if self.kind is OptionKind.PAIRS:
            return [f"--{self.name}={_quoted(column, '=')}={text}" for column, text in value.items()]
        return [f"--{self.name}={value}"]

    @property
    def words(self) -> str:
        """What it takes, in words."""
        ends = (("from", self.least), ("to", self.most))
        bounds = [f"{word} {bound:g}" for word, bound in ends if bound is not None]
        listed = f": {', '.join(self.choices)}" if self.choices else ""
        article = "" if self.kind is OptionKind.CHOICE else "a "
        return " ".join([f"{article}{self.kind.value}{listed}", *bounds])


def _quoted(name: str, separator: str) -> str:
    """A name as the command line reads it where it stands in a list or before an equals sign."""
    plain = separator not in name and '"' not in name and name == name.strip()
    return name if plain else '"' + name.replace('"', '""') + '"'


def _is_text(value: Any) -> bool:
    return (
        isinstance(value, str) and 0 < len(value) <= MOST_LETTERS and not CONTROL.search(value) and is_whole_text(value)
    )


def _is_number(option: RunOption, value: Any, _files: Collection[str]) -> bool:
    kinds = (int,) if option.kind is OptionKind.WHOLE else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not isfinite(value):
        return False
    low, high = option.least, option.most
    return (low is None or value >= low) and (value <= high if high is not None else abs(value) < 2**53)


def _is_list(_option: RunOption, value: Any, _files: Collection[str]) -> bool:
    return isinstance(value, list) and len(value) <= MOST_ENTRIES and all(map(_is_text, value))


def _is_numbers(option: RunOption, value: Any, files: Collection[str]) -> bool:
    return isinstance(value, list) and len(value) <= MOST_ENTRIES and all(_is_number(option, n, files) for n in value)


def _is_pairs(_option: RunOption, value: Any, _files: Collection[str]) -> bool:
    return (
        isinstance(value, Mapping)
        and len(value) <= MOST_ENTRIES
        and all(_is_text(column) and _is_text(text) for column, text in value.items())
    )


def _is_plan(_option: RunOption, value: Any, files: Collection[str]) -> bool:
    return isinstance(value, str) and (value in files or RECIPE.fullmatch(value) is not None)


_CHECKS = {
    OptionKind.FLAG: lambda option, value, files: isinstance(value, bool),
    OptionKind.WHOLE: _is_number,
    OptionKind.NUMBER: _is_number,
    OptionKind.CHOICE: lambda option, value, files: isinstance(value, str) and value in option.choices,
    OptionKind.TEXT: lambda option, value, files: _is_text(value),
    OptionKind.TEXTS: _is_list,
    OptionKind.NAMES: _is_list,
    OptionKind.NUMBERS: _is_numbers,
    OptionKind.PAIRS: _is_pairs,
    OptionKind.PLAN: _is_plan,
}
