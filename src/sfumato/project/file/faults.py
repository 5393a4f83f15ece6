"""What is wrong in a project file, in plain words, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

from pydantic import ValidationError

from sfumato.errors import ProjectError, did_you_mean
from sfumato.project.file.key_model import FileKeys
from sfumato.project.file.keys import OPTIONS, ProjectKeys, meant
from sfumato.project.file.yaml_file import Fault, Path, YamlFile, in_words, short_name

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

EXPECTED = {
    "string_type": "expected text. Put a number or a word such as true in quotes.",
    "string_too_short": "expected text that is not empty.",
    "string_too_long": 'expected one character. Write a tab as "\\t", in double quotes.',
    "list_type": "expected a list, such as [a, b].",
    "too_short": "expected at least 2 entries.",
    "dict_type": "expected a name and what is meant by it on each line, such as `age: {role: quasi}`.",
    "int_type": "expected a whole number.",
    "bool_type": "expected true or false.",
    "greater_than_equal": "expected a whole number, 0 or more.",
}

SHAPES = {
    "data": "{source: patients.csv}",
    "columns": "{role: quasi}",
    "measures": "{measure: k_anonymity, at_least: 5}",
}


def checked(file: YamlFile, path: object) -> ProjectKeys:
    """The keys of a file, when each is as it should be; else `ProjectError` for the first that is not."""
    try:
        keys = ProjectKeys.model_validate(file.value)
    except ValidationError as error:
        details = error.errors(include_url=False)
        raise first_of(path, [*file.problems, *(_problem(file, d) for d in _telling(details))]) from None
    if file.problems:
        raise first_of(path, file.problems)
    return keys


def first_of(path: object, problems: Iterable[Fault]) -> ProjectError:
    """The error for the problem that comes first in the file; says how many more there are."""
    first, *others = sorted(problems, key=lambda problem: problem.line)
    more = f" ({len(others)} more {'problem' if len(others) == 1 else 'problems'} in this file.)" if others else ""
    return ProjectError(path, first.words + more, line=first.line)


def _problem(file: YamlFile, detail: ErrorDetails) -> Fault:
    place: Path = detail["loc"]
    if detail["type"] == "extra_forbidden":
        return Fault(file.line_of(place), _no_such_key(place))
    if detail["type"] == "missing":
        return Fault(file.line_of(place), _key_is_missing(place, detail["input"]))
    key = detail.get("ctx", {}).get("key")
    place = place if key is None else (*place, key)
    return Fault(file.line_of(place), f"{in_words(place)}: {_expected(detail)}")


def _no_such_key(place: Path) -> str:
    nearest = did_you_mean(str(place[-1]), _model_at(place[:-1]).model_fields)
    return f"{in_words(place[:-1])}: there is no key {short_name(place[-1])!r}.{nearest}"


def _model_at(place: Path) -> type[FileKeys]:
    """The keys that there are at a place; names of columns and numbers of entries lead nowhere."""
    model: type[FileKeys] = ProjectKeys
    for part in place:
        if part in model.model_fields:
            model = next(_models_in(model.model_fields[str(part)].annotation), model)
    return model


def _models_in(annotation: Any) -> Iterator[type[FileKeys]]:
    """The models in a type: `list[MeasureKeys] | None` has one."""
    if isinstance(annotation, type) and issubclass(annotation, FileKeys):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_in(inner)


def _key_is_missing(place: Path, beside: Iterable[str]) -> str:
    near = [key for key in beside if meant([key], [str(place[-1])])]
    misspelt = f" Is {near[0]!r} a misspelling of it?" if near else ""
    return f"{in_words(place[:-1])}: the key {place[-1]!r} is missing.{misspelt}"


def _expected(detail: ErrorDetails) -> str:
    if detail["type"] == "wrong":
        return str(detail["ctx"]["words"])
    key = str(detail["loc"][-1]) if detail["loc"] else ""
    if detail["type"] in ("enum", "literal_error"):
        options = OPTIONS.get(key) or tuple(re.findall(r"'([^']*)'", detail["ctx"]["expected"]))
        return f"expected {_either(options)}.{meant(_texts(detail['input']), options)}"
    if detail["type"] == "model_type":
        part = str(detail["loc"][0]) if detail["loc"] else ""
        return f"expected keys and values, such as `{SHAPES.get(part, 'columns: ...')}`."
    return EXPECTED.get(detail["type"], "this is not what was expected. See the documentation of this key.")


def _texts(value: object) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else ()


def _either(options: Sequence[str]) -> str:
    return f"{', '.join(options[:-1])} or {options[-1]}"


def _telling(details: list[ErrorDetails]) -> list[ErrorDetails]:
    """The errors without those that say again that a misspelt key is missing under its right name."""
    misspelt = [detail["loc"] for detail in details if detail["type"] == "extra_forbidden"]
    return [detail for detail in details if not _follows(detail, misspelt)]


def _follows(detail: ErrorDetails, misspelt: Iterable[Path]) -> bool:
    if detail["type"] != "missing":
        return False
    *around, key = detail["loc"]
    beside = [str(place[-1]) for place in misspelt if list(place[:-1]) == around]
    return bool(meant(beside, [str(key)]))
