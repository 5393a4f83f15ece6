"""What the values of a column look like."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import meaning_of
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers import Recogniser, recognisers
from sfumato.columns.recognisers.recogniser import spoken
from sfumato.columns.recognisers.text_words import TextWords, written
from sfumato.columns.surroundings import ALONE, Surroundings

# What a text is about says less where people wrote it freely: names may be in it, so it is direct first.
WRITTEN = 0.5
# Values that are looked at first, in an order that is as good as random. Of a shape that `ENOUGH` of the values have,
# twelve in a row are without in 0.6 ** 12, two of a thousand columns; most shapes need twice as many.
FIRST = 12
ENOUGH = 0.4


@dataclass(frozen=True)
class Values(Evidence):
    """The shape that most of the values have: e-mail addresses, dates, national numbers with right check digits.

    Of the shapes that fit, the one that can be confused with the fewest other things is told. A shape that much else
    has as well (three digits) is told only under a name that goes with it (`icd9_code`).
    """

    method = "values"

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        named = meaning_of(column.name, column.label)
        concept = named.concept.name if named else None
        said = spoken(column.name, column.label)
        fitting = [
            (weight, share, recogniser)
            for recogniser in recognisers()
            if recogniser.only_for in (None, concept) and _varied(recogniser, column)
            if (recogniser.unnamed != 0 or recogniser.named(said)) and _possible(recogniser, column)
            if (share := recogniser.share(column.sample)) >= recogniser.needed
            if (weight := recogniser.weight(column.sample, said))
        ]
        if not fitting:
            return None
        strength, share, recogniser = max(fitting, key=lambda fit: fit[:2])
        if isinstance(recogniser, TextWords) and written(column):
            strength = min(strength, WRITTEN)
        sentence = f"{_percent(share)} of the values look like this: {recogniser.concept}."
        return Finding(self.method, recogniser.role, share, sentence, strength, recogniser.hipaa)


def _possible(recogniser: Recogniser, column: ColumnProfile) -> bool:
    """Whether any of the first values has the shape: where two in five must have it, a dozen without one say no."""
    first = recogniser.values(column.sample[:FIRST])
    return recogniser.needed < ENOUGH or len(first) < FIRST or any(map(recogniser.matches, first))


def _varied(recogniser: Recogniser, column: ColumnProfile) -> bool:
    """Whether the column has as many different values as such a column has."""
    return column.known >= recogniser.varied * column.present


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "Less than 1%"
