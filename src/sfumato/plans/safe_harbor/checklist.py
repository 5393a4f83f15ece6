"""The 18 identifiers of HIPAA's Safe Harbor, ticked off one by one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sfumato.columns.identification import Identification, IdentifiedColumn
from sfumato.columns.lexicon import Hipaa
from sfumato.plans.safe_harbor.open_columns import OpenColumn
from sfumato.plans.safe_harbor.plan import SafeHarbor
from sfumato.schema import Role
from sfumato.show.documents.safe_harbor import (
    ChecklistItemDocument,
    OpenColumnDocument,
    SafeHarborDocument,
    TreatedColumnDocument,
)
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.safe_harbor import safe_harbor_sheet

LETTERS = "ABCDEFGHIJKLMNOPQR"
# Ages over 89 stand under C, with the dates.
ITEMS: tuple[tuple[Hipaa, ...], ...] = tuple(
    (item, Hipaa.AGES) if item is Hipaa.DATES else (item,) for item in Hipaa if item is not Hipaa.AGES
)


@dataclass(frozen=True)
class ChecklistItem:
    """One of the 18 identifiers: the columns that held it, what was done, and in which columns something is left."""

    letter: str
    identifier: str
    done: tuple[tuple[str, str], ...]  # column, and what was done to it
    left: tuple[str, ...]
    open: tuple[OpenColumn, ...] = ()  # left out, until somebody decides what they are

    @property
    def passed(self) -> bool:
        """Whether nothing is left, and nothing is open."""
        return not self.left and not self.open

    def content(self) -> ChecklistItemDocument:
        """The item as plain values."""
        return ChecklistItemDocument(
            item=self.letter,
            identifier=self.identifier,
            passed=self.passed,
            columns=[TreatedColumnDocument(name=column, done=words) for column, words in self.done],
            left=self.left,
            open=[OpenColumnDocument(name=column.name, why=column.why) for column in self.open],
        )


@dataclass(frozen=True, repr=False)
class Checklist(Presented):
    """One line for each of the 18 identifiers, after a look at the release."""

    source: str
    release: str
    records: int
    items: tuple[ChecklistItem, ...]
    kept: tuple[str, ...] = ()
    year: int | None = None  # in which ages are counted

    @property
    def met(self) -> bool:
        """Whether nothing is left of any of them, and every column is accounted for."""
        return all(item.passed for item in self.items)

    def content(self) -> SafeHarborDocument:
        """Everything as plain values; it holds no cell."""
        return SafeHarborDocument(
            source=self.source,
            release=self.release,
            records=self.records,
            met=self.met,
            year=self.year,
            kept=self.kept,
            items=[item.content() for item in self.items],
        )

    def sheet(self) -> Sheet:
        """The lines for people."""
        return safe_harbor_sheet(self.content())


def checked_items(harbor: SafeHarbor, after: Identification, coarse: Collection[str]) -> tuple[ChecklistItem, ...]:
    """The items A to R: what was done, and what is left by a look at the release, or by somebody's decision.

    `coarse` are columns of the release that hold nothing but what may be released.
    """
    recognised = [(column.name, item_of(column)) for column in after if column.name not in coarse]
    left = dict.fromkeys([*((treatment.column, treatment.item) for treatment in harbor.left), *recognised])
    return tuple(
        ChecklistItem(
            letter=letter,
            identifier=", ".join(items),
            done=tuple((step.column, step.words) for step in harbor.treatments if step.item in items),
            left=tuple(dict.fromkeys(name for name, item in left if item in items)),
            open=harbor.open if Hipaa.OTHER in items else (),
        )
        for letter, items in zip(LETTERS, ITEMS, strict=True)
    )


def item_of(column: IdentifiedColumn) -> Hipaa | None:
    """What a column of a release still is; what names people without being on the list is under `any other`."""
    if column.hipaa is not None:
        return Hipaa(column.hipaa)
    return Hipaa.OTHER if column.role is Role.DIRECT else None
