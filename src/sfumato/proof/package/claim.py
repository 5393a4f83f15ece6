"""Claims: what a release says about itself, and what is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

CLOSE, NEAR_ZERO = 1e-9, 1e-12  # readings of two engines agree to the last digits that floating point allows
WORDS = ("means", "note", "why")  # explanations, which are no claims


@dataclass(frozen=True)
class Claim:
    """One claim: what it is about, what was said, what was found, and whether they agree; None: not checked."""

    about: str
    what: str
    said: Any
    found: Any
    agrees: bool | None
    note: str = ""

    def document(self) -> dict[str, Any]:
        """The claim as plain values."""
        return dict(vars(self))


def claim(about: str, what: str, said: Any, found: Any, note: str = "") -> Claim:
    """A claim that was checked."""
    return Claim(about, what, said, found, same(said, found), note)


def unchecked(about: str, what: str, said: Any, why: str) -> Claim:
    """A claim that could not be checked, and what that would take."""
    return Claim(about, what, said, None, None, why)


def claims(about: str, said: Any, found: Any, what: str = "") -> Iterator[Claim]:
    """A claim for every number and word of what was said, by the keys that lead to it."""
    one, other = _parts(said), _parts(found)
    if one is None or other is None or not (one or other):
        yield claim(about, what, said, found)
        return
    for name in dict.fromkeys((*one, *other)):
        if name not in WORDS:
            yield from claims(about, one.get(name), other.get(name), f"{what}, {name}" if what else name)


def same(said: Any, found: Any) -> bool:
    """Whether two values are the same, numbers but for the last digits.

    >>> same([1, 0.1 + 0.2], [1.0, 0.3]), same(True, 1), same("a", None)
    (True, False, False)
    """
    if isinstance(said, Mapping) and isinstance(found, Mapping):
        return said.keys() == found.keys() and all(same(said[key], found[key]) for key in said)
    if _listed(said) and _listed(found):
        return len(said) == len(found) and all(map(same, said, found))
    if _number(said) and _number(found):
        return isclose(said, found, rel_tol=CLOSE, abs_tol=NEAR_ZERO)
    return type(said) is type(found) and bool(said == found)


def label(reading: Mapping[str, Any]) -> str:
    """The name of a reading: the measure, and the column that it is about."""
    column = reading.get("sensitive")
    return f"{reading.get('measure')}({column})" if column else str(reading.get("measure"))


def named(readings: Any) -> dict[str, Any]:
    """Readings by name; the second of a name gets a number."""
    found: dict[str, Any] = {}
    for reading in readings if _listed(readings) else ():
        if isinstance(reading, Mapping):
            name, times = label(reading), sum(key.split(" ")[0] == label(reading) for key in found)
            found[name if not times else f"{name} ({times + 1})"] = reading
    return found


def at(document: Any, *keys: str) -> Any:
    """What a document holds under some keys; None where it lacks them, as a changed one may."""
    for key in keys:
        document = document.get(key) if isinstance(document, Mapping) else None
    return document


def keys_at(document: Any, *keys: str) -> dict[str, Any]:
    """The mapping that a document holds under some keys; an empty one where it is none."""
    found = at(document, *keys)
    return dict(found) if isinstance(found, Mapping) else {}


def names_at(document: Any, *keys: str) -> list[str]:
    """The names that a document lists under some keys; none where it lists none."""
    found = at(document, *keys)
    return [name for name in found if isinstance(name, str)] if isinstance(found, list | tuple) else []


def _parts(value: Any) -> Mapping[str, Any] | None:
    """The parts of a value by name; None of one that has none."""
    if isinstance(value, Mapping):
        return value
    if _listed(value) and value and all(isinstance(part, Mapping) for part in value):
        return named(value) if "measure" in value[0] else {str(i): part for i, part in enumerate(value, 1)}
    return None


def _listed(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
