"""Claims: what a release says about itself, what is found, and whether they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose
from typing import Any

from sfumato.errors import SfumatoError
from sfumato.show.documents.verified import Claim, ClaimCounts, SignatureDocument, VerifiedDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.verified import verified_sheet

# Readings of two engines agree but for the order in which they add: so far apart, as a share of a number or near zero,
# numbers are the same (chosen, not measured: a sum of a million doubles keeps ten digits).
CLOSE, NEAR_ZERO = 1e-9, 1e-12
WORDS = ("means", "note", "why")  # explanations, which are no claims
# What may come of a document in which somebody wrote other values than those that belong there.
MISUNDERSTOOD = (SfumatoError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True, repr=False)
class Verified(Presented):
    """What became of the claims of a package."""

    name: str
    claims: tuple[Claim, ...]
    signature: SignatureDocument = field(default_factory=SignatureDocument)
    original: str | None = None
    evidence: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether no claim is contradicted. Some may not have been checked: see `unchecked`."""
        return not self.contradicted

    @property
    def contradicted(self) -> tuple[Claim, ...]:
        """The claims that are not true."""
        return tuple(claim for claim in self.claims if claim.agrees is False)

    @property
    def unchecked(self) -> tuple[Claim, ...]:
        """The claims that could not be checked."""
        return tuple(claim for claim in self.claims if claim.agrees is None)

    def content(self) -> VerifiedDocument:
        """Everything as plain values, for machines. Of the data it holds no cell."""
        return VerifiedDocument(
            package=self.name,
            signature=self.signature,
            original=self.original,
            evidence=self.evidence,
            agrees=self.agrees,
            counts=ClaimCounts(
                claims=len(self.claims), contradicted=len(self.contradicted), unchecked=len(self.unchecked)
            ),
            claims=self.claims,
            notes=self.notes,
        )

    def sheet(self) -> Sheet:
        """The same for people."""
        return verified_sheet(self.content())


def claim(about: str, what: str, said: Any, actual: Any, note: str = "") -> Claim:
    """A claim that was checked."""
    return Claim(about, what, said, actual, same(said, actual), note)


def unchecked(about: str, what: str, said: Any, why: str) -> Claim:
    """A claim that could not be checked, and what that would take."""
    return Claim(about, what, said, None, None, why)


def claims(about: str, said: Any, actual: Any, what: str = "") -> Iterator[Claim]:
    """A claim for every number and word of what was said, by the keys that lead to it."""
    one, other = _parts(said), _parts(actual)
    if one is None or other is None or not (one or other):
        yield claim(about, what, said, actual)
        return
    for name in dict.fromkeys((*one, *other)):
        if name not in WORDS:
            yield from claims(about, one.get(name), other.get(name), f"{what}, {name}" if what else name)


def same(said: Any, actual: Any) -> bool:
    """Whether two values are the same, numbers but for the last digits.

    >>> same([1, 0.1 + 0.2], [1.0, 0.3]), same(True, 1), same("a", None)
    (True, False, False)
    """
    if isinstance(said, Mapping) and isinstance(actual, Mapping):
        return said.keys() == actual.keys() and all(same(said[key], actual[key]) for key in said)
    if _listed(said) and _listed(actual):
        return len(said) == len(actual) and all(map(same, said, actual))
    if _number(said) and _number(actual):
        return isclose(said, actual, rel_tol=CLOSE, abs_tol=NEAR_ZERO)
    return type(said) is type(actual) and bool(said == actual)


def reading_name(reading: Mapping[str, Any]) -> str:
    """The name of a reading: the measure, and the column that it is about."""
    column = reading.get("sensitive")
    return f"{reading.get('measure')}({column})" if column else str(reading.get("measure"))


def readings_by_name(readings: Any) -> dict[str, Any]:
    """Readings by name; the second of a name gets a number."""
    by_name: dict[str, Any] = {}
    times: Counter[str] = Counter()
    for reading in readings if _listed(readings) else ():
        if isinstance(reading, Mapping):
            name = reading_name(reading)
            times[name] += 1
            by_name[name if times[name] == 1 else f"{name} ({times[name]})"] = reading
    return by_name


def at(document: Any, *keys: str) -> Any:
    """What a document holds under some keys; None where it lacks them, as a changed one may."""
    for key in keys:
        document = document.get(key) if isinstance(document, Mapping) else None
    return document


def keys_at(document: Any, *keys: str) -> dict[str, Any]:
    """The mapping that a document holds under some keys; an empty one where it is none."""
    value = at(document, *keys)
    return dict(value) if isinstance(value, Mapping) else {}


def names_at(document: Any, *keys: str) -> list[str]:
    """The names that a document lists under some keys; none where it lists none."""
    value = at(document, *keys)
    return [name for name in value if isinstance(name, str)] if isinstance(value, list | tuple) else []


def _parts(value: Any) -> Mapping[str, Any] | None:
    """The parts of a value by name; None of one that has none."""
    if isinstance(value, Mapping):
        return value
    if _listed(value) and value and all(isinstance(part, Mapping) for part in value):
        return readings_by_name(value) if "measure" in value[0] else {str(i): part for i, part in enumerate(value, 1)}
    return None


def _listed(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
