"""Columns that belong together as a code and its text: CODE and DESCRIPTION, diag and diag_desc."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from sfumato.columns.lexicon.words import folded
from sfumato.columns.profile import ColumnProfile

CODE = "code codes cd cde cod kode kod codigo codice κωδικος concept_code code_value codevalue"
TEXT = (
    "description descriptions desc descr dsc text txt name display label term title long_title short_title longname "
    "meaning bezeichnung beschreibung klartext libelle intitule descripcion descrizione descricao omschrijving "
    "naam nazwa opis benamning beskrivning namn περιγραφη ονομα nombre denominacion denominazione decode decod "
    "concept_name preferred_term long short full_name"
)
_ENDS = {
    sort: re.compile(rf"(?:^|.*?[_ .-])(?:{'|'.join(sorted(words.split(), key=len, reverse=True))})")
    for sort, words in (("code", CODE), ("text", TEXT))
}
_BEGINS = {
    sort: re.compile(rf"(?:{'|'.join(words.split())})[_ .-](?:d[aeo]l?[_ .-]|of[_ .-])?(.+)")
    for sort, words in (("code", CODE), ("text", TEXT))
}
_SYSTEM = ("system", "type", "typ", "version", "vocabulary", "status")  # said of a code, and not what is described
_JOINED = {"code": ("code", "cd"), "text": ("description", "desc", "descr", "text", "txt", "bezeichnung", "libelle")}
_NUMBER = re.compile(r"(.*?)[_ .-]?(\d*)$", re.DOTALL)
_BETWEEN = " _.-"
DESCRIBED = ("desc", "bezeich", "beschr", "libel", "oms", "opis", "display")  # of what stands before; a name is not
MOST = 6  # columns of one stem that are compared
ALIKE = 0.7  # different values of the one per different value of the other: a code has one text, or few spellings of it


@dataclass(frozen=True)
class PairName:
    """A name as its stem, its number, and whether it says code or text."""

    stem: str
    number: str
    sort: str  # code, text, or nothing

    @classmethod
    def of(cls, name: str) -> PairName:
        """The parts of a name.

        >>> PairName.of("REASONCODE"), PairName.of("diag_desc_2")
        (PairName(stem='reason', number='', sort='code'), PairName(stem='diag', number='2', sort='text'))
        """
        read = _NUMBER.fullmatch(folded(name).strip())
        stem, number = (read[1], read[2]) if read else (folded(name), "")
        for sort in ("code", "text"):
            if _ENDS[sort].fullmatch(stem):
                rest = re.sub(r"[^_ .-]+$", "", stem)
                # words of two parts, as concept_name is
                rest = re.sub(r"(?:^|[_ .-])(?:concept|long|short|full|preferred)[_ .-]$", "", rest)
                return cls(*_numbered(rest.strip(_BETWEEN), number), sort)
            if first := _BEGINS[sort].fullmatch(stem):  # `cod_diagnostico`, `libelle acte`
                return cls(*_numbered(first[1], number), sort)
            for end in _JOINED[sort]:
                if stem.endswith(end) and len(stem) >= len(end) + 2:
                    return cls(*_numbered(stem.removesuffix(end).strip(_BETWEEN), number), sort)
        return cls(stem.strip(_BETWEEN), number, "")


def _numbered(stem: str, number: str) -> tuple[str, str]:
    """The stem without its number, where the number stands in the middle: `diag1_desc`."""
    read = _NUMBER.fullmatch(stem)
    return (read[1].strip(_BETWEEN), read[2]) if read and read[2] and not number else (stem, number)


def code_pairs(columns: Sequence[ColumnProfile]) -> Mapping[str, tuple[str, ...]]:
    """For each column those that are its code or its text, by their names, their places and their numbers of values."""
    names = [PairName.of(column.name) for column in columns]
    pairs = defaultdict[str, list[str]](list)
    for one, other in (*_of_one_stem(names), *_side_by_side(columns, names)):
        if _alike(columns[one], columns[other]):
            pairs[columns[one].name].append(columns[other].name)
            pairs[columns[other].name].append(columns[one].name)
    return {name: tuple(partners) for name, partners in pairs.items()}


def _of_one_stem(names: Sequence[PairName]) -> Iterator[tuple[int, int]]:
    """The places of columns that share stem and number, of which one says code or text and the other does not."""
    by_stem = defaultdict[tuple[str, str], list[int]](list)
    for place, name in enumerate(names):
        by_stem[name.stem, name.number].append(place)
    for group in by_stem.values():
        yield from ((a, b) for a, b in combinations(group[:MOST], 2) if names[a].sort != names[b].sort)


def _side_by_side(columns: Sequence[ColumnProfile], names: Sequence[PairName]) -> Iterator[tuple[int, int]]:
    """The places of a bare `description` and of what stands before it: REACTION1, DESCRIPTION1."""
    for place, (before, name) in enumerate(pairwise(names), 1):
        bare = name.sort == "text" and not name.stem and folded(columns[place].name).strip().startswith(DESCRIBED)
        if (
            bare
            and before.stem
            and not before.stem.endswith(_SYSTEM)
            and before.sort != "text"
            and before.number == name.number
        ):
            yield place - 1, place


def _alike(one: ColumnProfile, other: ColumnProfile) -> bool:
    """Whether both have about as many different values; a column without values contradicts nothing."""
    if not one.known or not other.known:
        return True
    return min(one.known, other.known) >= ALIKE * max(one.known, other.known)
