"""ZIP codes of the United States: their first three digits, where enough people live."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.plans.blocks.parameters import choice, one_column
from sfumato.plans.blocks.record_numbers import in_rows
from sfumato.plans.blocks.values_in_sql import value_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, listed, literal

# Areas of three digits with 20,000 people or fewer, by the census of 2000, as the Department of Health and Human
# Services lists them in its guidance on 45 CFR 164.514(b)(2)(i)(B).
RESTRICTED = ("036", "059", "063", "102", "203", "556", "692", "790", "821", "823", "830", "831", "878", "879", "884",
              "890", "893")  # fmt: skip
PLACEHOLDER = "000"
FORM = "[0-9]{5}(-?[0-9]{4})?|[0-9]{3}"


@dataclass(frozen=True)
class Zip3(Transformation):
    """Keep the first three digits of a ZIP code; 000 where all codes that begin with them hold 20,000 people or fewer.

    Codes have five digits, or nine with or without a hyphen; three digits stay as they are. Codes that were read as
    whole numbers have lost their noughts, and get them back. `restricted` are the beginnings that become 000: those of
    the census of 2000 unless others are given, since the law asks for the current ones. With `unknown: missing`
    anything else becomes missing; otherwise it is an error.

    References
    ----------
    45 CFR 164.514(b)(2)(i)(B); Office for Civil Rights (2012), Guidance regarding methods for de-identification.

    Examples
    --------
    >>> Zip3("zip").examples()
    (('02139', '021'), ('03601', '000'), ('94110-1234', '941'))
    """

    column: str
    restricted: tuple[str, ...] = RESTRICTED
    unknown: str = "error"

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        choice(self, "unknown", self.unknown, ("error", "missing"))
        if isinstance(self.restricted, str) or any(not _is_prefix(prefix) for prefix in self.restricted):
            raise self.wrong("restricted must be a list of texts of three digits each, in quotes.")
        object.__setattr__(self, "restricted", tuple(self.restricted))

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        text = self._text(draft)
        fits = f"coalesce(regexp_full_match({text}, {literal(FORM)}), FALSE)"
        if self.unknown == "error":
            self._require_codes(draft, f"{text} IS NOT NULL AND NOT {fits}")
        start = f"substr({text}, 1, 3)"
        kept = start
        if self.restricted:
            few = f"{start} IN ({listed(map(literal, self.restricted))})"
            kept = f"CASE WHEN {few} THEN {literal(PLACEHOLDER)} ELSE {start} END"
        return draft.changed({self.column: f"CASE WHEN {fits} THEN {kept} ELSE NULL END"})

    def explained(self) -> str:
        few = f", or {PLACEHOLDER} for the {len(self.restricted)} beginnings of few people" if self.restricted else ""
        return f"Of the ZIP codes in {self.column} the first three digits are kept{few}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        return tuple((code, self._kept(code)) for code in ("02139", "03601", "94110-1234"))

    def _kept(self, code: str) -> str:
        return PLACEHOLDER if code[:3] in self.restricted else code[:3]

    def _text(self, draft: Draft) -> str:
        """The code as SQL text; a whole number gets its noughts back."""
        kind, value = draft.kind(self.column), value_of(self.column)
        if kind is Kind.TEXT:
            return f"trim({value})"
        if kind is not Kind.INTEGER:
            raise self.wrong(f"column {self.column!r} holds {kind.value}, and no ZIP codes.")
        text = f"CAST({value} AS VARCHAR)"
        return f"CASE WHEN length({text}) <= 5 THEN lpad({text}, 5, '0') ELSE lpad({text}, 9, '0') END"

    def _require_codes(self, draft: Draft, others: str) -> None:
        records = draft.count(others)
        if records:
            raise self.wrong(
                f"column {self.column!r}: {records} record{'s hold' if records > 1 else ' holds'} no ZIP code "
                f"({in_rows(draft.rows(others), records)}). Correct {'them' if records > 1 else 'it'}, or write "
                f"unknown: missing."
            )


def _is_prefix(text: object) -> bool:
    return isinstance(text, str) and len(text) == 3 and text.isdigit()
