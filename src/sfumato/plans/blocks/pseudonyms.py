"""Pseudonyms: what a keyed hash is written as, in SQL and in Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sfumato.plans.blocks.draws import uniform
from sfumato.plans.blocks.values_in_sql import value_of
from sfumato.plans.draft import Draft, DraftColumn
from sfumato.tables.engine import Engine, as_identifier, literal

HEX = "0123456789abcdef"
CONSONANTS = "BCDFGHJKLMNPQRST"  # one for each hexadecimal digit; without vowels there are no words
AT_ONCE = 12  # decimal digits from one uniform number of 52 bits: none is likelier by more than 1 in 4,000
DIGITS = "0123456789"
FORMATS = ("hex", "digits", "letters", "same")
LONGEST = 64  # the hexadecimal digits of the hash


@dataclass(frozen=True)
class PseudonymFormat:
    """How a hash of 64 hexadecimal digits is written.

    `hex`, `digits` and `letters` (16 consonants) have a length. `same` puts a digit for each digit of the original, a
    consonant of the same case for each letter from A to Z, and leaves all else.

    >>> PseudonymFormat("digits", 8).of("0" * 64, "")
    '96554370'
    >>> PseudonymFormat("same").of("0" * 64, "AB-12/c")
    'BB-54/b'
    """

    format: str
    length: int = 16

    def capacity(self) -> float:
        """How many pseudonyms there are; for the same format, nobody knows: 1."""
        return {"hex": 16.0, "letters": 16.0, "digits": 10.0}.get(self.format, 1.0) ** self.length

    def of(self, hashed: str, text: str) -> str:
        """The pseudonym of a hash, for a text."""
        if self.format == "same":
            digits = PseudonymFormat("digits", LONGEST).of(hashed, "")
            return "".join(map(_replaced, text, digits, PseudonymFormat("letters", LONGEST).of(hashed, "")))
        if self.format == "digits":
            return "".join(f"{int(uniform(part) * 10**AT_ONCE):0{AT_ONCE}d}" for part in self._parts(hashed))[
                : self.length
            ]
        digits = hashed[: self.length]
        return digits.translate(str.maketrans(HEX, CONSONANTS)) if self.format == "letters" else digits

    def sql(self, engine: Engine, hashed: str) -> str:
        """The same as SQL, for a format that does not depend on the text."""
        if self.format == "digits":
            parts = (f"concat({hashed}, {literal(mark)})" for mark in self._parts(""))
            return f"substr({_joined(_digits(engine.uniform(part)) for part in parts)}, 1, {self.length})"
        digits = f"substr({hashed}, 1, {self.length})"
        return f"translate({digits}, '{HEX}', '{CONSONANTS}')" if self.format == "letters" else digits

    def _parts(self, hashed: str) -> list[str]:
        return [f"{hashed}|{i}" for i in range(-(-self.length // AT_ONCE))]


def same_format(text: str, digits: str, letters: str, longest: int) -> str:
    """SQL for the pseudonym in the format of a text of at most `longest` characters, from what may stand there."""
    return _joined(_replaced_sql(text, digits, letters, i) for i in range(1, max(longest, 1) + 1))


def identifier(draft: Draft, column: str) -> str:
    """A column as identifiers are compared, as SQL text: the number 12 is `12`, read as a real number or not."""
    return as_identifier(value_of(column), draft.kind(column))


def marked(purpose: str, domain: str) -> str:
    """What goes before an identifier, so that hashes for one purpose and domain are not those for another.

    >>> marked("pseudonym", "site")
    'pseudonym|4|site|'
    """
    return f"{purpose}|{len(domain)}|{domain}|"


def different(draft: Draft, columns: Sequence[str]) -> Draft:
    """Every identifier of some columns once, as a draft of the column `original`."""
    parts = (f"SELECT {identifier(draft, column)} AS original FROM {draft.table} AS record" for column in columns)
    listed = f"SELECT DISTINCT original FROM ({' UNION ALL '.join(parts)}) AS listed WHERE original IS NOT NULL"
    return Draft(draft.engine.numbered(listed, "row"), (DraftColumn("original"),), "row")


def _replaced(character: str, digit: str, letter: str) -> str:
    if character in DIGITS:
        return digit
    if not (character.isascii() and character.isalpha()):
        return character
    return letter if character.isupper() else letter.lower()


def _replaced_sql(text: str, digits: str, letters: str, i: int) -> str:
    character = f"substr({text}, {i}, 1)"
    return (
        f"CASE WHEN {character} BETWEEN '0' AND '9' THEN substr({digits}, {i}, 1) "
        f"WHEN {character} BETWEEN 'A' AND 'Z' THEN substr({letters}, {i}, 1) "
        f"WHEN {character} BETWEEN 'a' AND 'z' THEN lower(substr({letters}, {i}, 1)) "
        f"ELSE {character} END"
    )


def _digits(drawn: str) -> str:
    number = f"CAST(floor({drawn} * {literal(float(10**AT_ONCE))}) AS BIGINT)"
    return f"lpad(concat('', {number}), {AT_ONCE}, '0')"


def _joined(parts: Iterable[str]) -> str:
    return f"concat({', '.join(parts)})"
