"""Everything that is released, read together: who is alone on it, by which columns, and which adds most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class LoneSetDocument(Document):
    """Some columns, and how many people are alone on them."""

    columns: Sequence[str]
    alone: int


@dataclass(frozen=True, kw_only=True)
class AddedDocument(Document):
    """The column that adds most, beside which others, and how many are alone on all columns without it."""

    column: str
    gain: int
    beside: Sequence[str]
    alone_without: int


@dataclass(frozen=True, kw_only=True)
class EverythingDocument(Document):
    """All released columns together, whatever their role. It holds no cell value."""

    columns: Sequence[str]
    apart: Sequence[str]  # not read: direct identifiers that do not leave, and the subject
    asked: Sequence[str]  # those that the policy asks something of
    members: str  # who is counted: persons, or records
    people: int
    alone: int  # on all columns together
    alone_on_asked: int
    sets: Sequence[LoneSetDocument]  # the smallest first
    adds_most: AddedDocument | None  # null where nobody is alone
    combined: int  # columns of which every pair and three were looked at
    possible: int  # sets of up to three columns
    examined: int
    implied: int  # known without being looked at
    left: int  # not looked at: nothing is known of them
