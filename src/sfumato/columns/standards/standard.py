"""A standard: the variables that it names, what each is, and whether a table is written in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from sfumato.columns.lexicon import Hipaa
from sfumato.packaged_data import packaged_yaml
from sfumato.schema import Role

DOMAIN, NUMBER, ANY = "--", "#", "*"  # two letters of a domain; a running number; any beginning of a path
PLAINLY, USUALLY = 1.0, 0.8  # what a standard defines; what it leaves to whoever uses it
SHARE = 0.5  # of the columns of a table that a standard must know: the others are what a study adds
_NUMBERS = re.compile(r"\d+")
_INDEX = re.compile(r"\[\d*\]|(?<=[._/])\d+(?=[._/]|$)")
_BETWEEN = re.compile(r"[._/]+")
# What the lists of a standard are called, and what their variables are.
SORTS: dict[str, tuple[Role, Hipaa | None]] = {
    "direct": (Role.DIRECT, Hipaa.OTHER),
    "names": (Role.DIRECT, Hipaa.NAMES),
    "text": (Role.DIRECT, None),
    "telephone": (Role.DIRECT, Hipaa.TELEPHONE),
    "dates": (Role.QUASI, Hipaa.DATES),
    "places": (Role.QUASI, Hipaa.PLACES),
    "ages": (Role.QUASI, None),
    "quasi": (Role.QUASI, None),
    "sensitive": (Role.SENSITIVE, None),
    "none": (Role.NON_SENSITIVE, None),
}


@dataclass(frozen=True)
class StandardVariable:
    """What a standard says of one of its variables, and how plainly (0 to 1)."""

    role: Role
    hipaa: Hipaa | None
    plainly: float


@dataclass(frozen=True)
class Standard:
    """The variables of a standard by their folded names, and how few of them make a table one of its own.

    `domains` are what single domains of the SDTM mean otherwise. `telling` are names that hardly anything else has.
    """

    name: str
    variables: Mapping[str, StandardVariable]
    telling: frozenset[str]
    domains: Mapping[str, Mapping[str, StandardVariable]] = field(default_factory=dict)
    prefixes: tuple[str, ...] = ()
    paths: bool = False
    fewest: int = 3
    share: float = SHARE

    def variable(self, name: str, domain: str | None = None) -> StandardVariable | None:
        """What the standard says of a column; a domain that is known says more."""
        spellings = tuple(self._spellings(name, domain))
        own = self.domains.get(domain or "", {})
        return _first(own, spellings) or _first(self.variables, spellings)

    def tells(self, name: str, domain: str | None = None) -> bool:
        """Whether hardly anything else has such a column."""
        return any(spelling in self.telling for spelling in self._spellings(name, domain))

    def domain(self, names: Sequence[str], constants: Mapping[str, str]) -> str | None:
        """The two letters of the domain: what the column DOMAIN holds throughout, or what most names begin with."""
        if not any(DOMAIN in name for name in self.variables):
            return None
        if len(held := constants.get("domain", "")) == len(DOMAIN):
            return held
        counted = [name[:2] for name in names if DOMAIN + name[2:] in self.variables and name not in self.variables]
        return max(set(counted), key=lambda letters: (counted.count(letters), letters), default=None)

    def _spellings(self, name: str, domain: str | None) -> Iterator[str]:
        """The ways in which the lists may name a column, the plainest first."""
        name = name.strip().casefold()
        for prefix in self.prefixes:
            name = name.removeprefix(prefix)
        if self.paths:
            yield from _paths(name)
            return
        for spelling in (name, _NUMBERS.sub(NUMBER, name)):
            yield spelling
            if domain and spelling.startswith(domain):
                yield DOMAIN + spelling.removeprefix(domain)


def _paths(name: str) -> Iterator[str]:
    """A path without its indices, with and without its first steps: `Patient.name[0].family` is `name.family`."""
    steps = [step for step in _BETWEEN.split(_INDEX.sub("", name)) if step]
    yield from (".".join(steps[at:]) for at in range(min(2, len(steps))))
    yield from (f"{ANY}.{'.'.join(steps[at:])}" for at in range(1, len(steps)))


def _first(known: Mapping[str, StandardVariable], spellings: Sequence[str]) -> StandardVariable | None:
    return next((known[spelling] for spelling in spellings if spelling in known), None)


@cache
def standards() -> tuple[Standard, ...]:
    """Every standard that has a list here."""
    names = sorted(file.name for file in files(__package__).iterdir() if file.name.endswith(".yaml"))
    return tuple(_standard(packaged_yaml(__package__, name)) for name in names)


def standard_of(names: Sequence[str], constants: Mapping[str, str]) -> tuple[Standard, str | None, float] | None:
    """The standard that a table is written in, its domain, and how sure that is; None where it is in none.

    `constants` are the columns that hold one value. A table is of a standard when it has a column that hardly anything
    else has, and enough of its columns are known; of several standards the one that knows the most.
    """
    folded = [name.strip().casefold() for name in names]
    fitting = []
    for standard in standards():
        domain = standard.domain(folded, constants)
        known = sum(standard.variable(name, domain) is not None for name in folded)
        telling = sum(standard.tells(name, domain) for name in folded)
        if known >= standard.fewest and telling and known >= standard.share * len(folded):
            fitting.append((known, telling, standard, domain))
    if not fitting:
        return None
    known, telling, standard, domain = max(fitting, key=lambda fit: fit[:2])
    share = known / len(folded) if standard.share else 1.0
    # Nearly all columns and several telling ones are hardly chance; then the dictionary knows better than any name.
    sure = 0.93 if share >= 0.9 and telling >= 3 else 0.9 if share >= 0.8 and telling >= 2 else 0.85
    return standard, domain, sure


def _standard(content: Mapping[str, Any]) -> Standard:
    kept = packaged_yaml(__package__, content["also"]) if "also" in content else {"variables": {}}
    variables = {**_variables(kept["variables"]), **_variables(content["variables"])}
    domains = {name.casefold(): _variables(own) for name, own in (content.get("domains") or {}).items()}
    return Standard(
        name=content["standard"],
        variables=variables,
        telling=frozenset(_listed(content["telling"])),
        domains=domains,
        prefixes=tuple(_listed(content.get("prefixes", ""))),
        paths=content.get("paths", False),
        fewest=content["fewest"],
        share=content.get("share", SHARE),
    )


def _variables(content: Mapping[str, Any]) -> dict[str, StandardVariable]:
    """Each variable of the lists; what is usually so gives way to what is plainly so."""
    usually = {
        name: StandardVariable(*SORTS[sort], USUALLY)
        for sort, listed in (content.get("usually") or {}).items()
        for name in _listed(listed)
    }
    plainly = {
        name: StandardVariable(*SORTS[sort], PLAINLY)
        for sort, listed in content.items()
        if sort != "usually"
        for name in _listed(listed)
    }
    return {**usually, **plainly}


def _listed(names: str) -> list[str]:
    """The names of a list; of those with a running number every number is left out: `ICD9_DGNS_CD_#`."""
    return [_NUMBERS.sub(NUMBER, name) if NUMBER in name else name for name in names.casefold().split()]
