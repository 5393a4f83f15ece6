"""A labelled column, and how one is drawn with the dirt of real extracts."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from random import Random

from .harmless_sorts import HARMLESS, SENSITIVE
from .sorts import DIRECT, QUASI, Sort

SORTS: dict[str, Sort] = DIRECT | QUASI | SENSITIVE | HARMLESS
# A key of persons is never missing; of other columns up to four cells of ten are.
MISSING = (0.0, 0.01, 0.05, 0.15, 0.4)
UNKNOWN = {
    "en": ("unknown", "n/a", "-"), "nl": ("onbekend", "nvt", "-"), "de": ("unbekannt", "k.A.", "-"),
    "fr": ("inconnu", "NR", "-"), "pt": ("desconhecido", "n/d", "-"), "es": ("desconocido", "s/d", "-"),
    "el": ("άγνωστο", "Δ/Υ", "-"), "ko": ("모름", "해당없음", "-"), "it": ("non noto", "n/d", "-"),
    "pl": ("nieznane", "bd", "-"), "sv": ("okänt", "uppgift saknas", "-"),
}  # fmt: skip


@dataclass(frozen=True)
class LabelledColumn:
    """A column of which it is beyond argument whether it is a direct identifier and whether HIPAA lists it."""

    name: str
    values: tuple[object, ...] = field(repr=False)
    role: str  # direct, quasi, sensitive or non-sensitive
    hipaa: str | None  # the item of the HIPAA list, see `HIPAA`
    language: str
    why: str
    sort: str = ""
    decoy: bool = False  # looks like an identifier by its name or values, and is none

    @property
    def held_out(self) -> bool:
        """Whether the column is kept apart: two of five, by the digest of language and name."""
        return sha256(f"{self.language}:{self.name}".encode()).digest()[0] % 5 < 2


def drawn(name: str, sort: str, language: str, *, decoy: bool, seed: int) -> LabelledColumn:
    """The column of that name; its values follow from the seed, the language and the name alone."""
    kind, _, fate = sort.partition("~")
    known, draw = SORTS[kind], Random(f"{seed}:{language}:{name}")
    rows = draw.randint(200, 500)
    missing = 0.96 if fate == "sparse" else 0.0 if known.hipaa == "unique code" else None
    values = dirtied(draw, known.make(draw, language, rows), language, missing)
    hipaa, why = known.hipaa, known.why
    if fate == "hashed":
        values = [value if value is None else digest(value, seed) for value in values]
        hipaa, why = "unique code", f"{why}, hashed: still one code a person"
    elif fate == "sparse":
        why = f"{why}, mostly missing"
    return LabelledColumn(name, tuple(values), known.role, hipaa, language, why, kind, decoy)


def digest(value: object, seed: int) -> str:
    return sha256(f"{seed}:{value}".encode()).hexdigest()[:16]


def dirtied(draw: Random, values: list[object], language: str, missing: float | None) -> list[object]:
    """The values with cells missing, words for unknown, and blanks at the edges."""
    share = draw.choice(MISSING) if missing is None else missing
    textual = all(isinstance(value, str) for value in values)
    unknown = 0.015 if textual and draw.random() < 0.15 else 0.0
    blanks = 0.05 if textual and draw.random() < 0.25 else 0.0
    return [dirty(draw, value, language, share, unknown, blanks) for value in values]


def dirty(draw: Random, value: object, language: str, missing: float, unknown: float, blanks: float) -> object:
    chance = draw.random()
    if chance < missing:
        return None
    if chance < missing + unknown:
        return draw.choice(UNKNOWN[language])
    return draw.choice((f" {value}", f"{value} ", f"  {value} ")) if draw.random() < blanks else value
