"""Everything that is released, read together, as a section of a sheet: apart from what the policy says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sfumato.show.documents.everything_released import EverythingDocument
from sfumato.show.sheet import Section, number, percent

TITLE = "Everything that is released, apart from the policy"
UNREAD = "Who is alone on everything that is released was not looked at."


def everything_section(document: EverythingDocument | None) -> Section:
    """Who is alone on all released columns, the smallest sets that single people out, and the column that adds most."""
    if document is None:
        return Section(TITLE, remarks=(UNREAD,))
    return told(document, number, lambda n: percent(n / max(document.people, 1)))


def told(document: EverythingDocument, count: Callable[[int], str], share: Callable[[int], str]) -> Section:
    """The same with counts and shares as their reader may see them."""
    rows = tuple((" + ".join(each.columns), count(each.alone), share(each.alone)) for each in document.sets)
    remarks = (_whole(document, count), *_added(document, count), *_looked_at(document), *_apart(document.apart))
    columns = ("alone on", document.members, "share") if rows else ()
    return Section(TITLE, columns, rows, remarks, numbers=(1, 2))


def _whole(document: EverythingDocument, count: Callable[[int], str]) -> str:
    columns, who = len(document.columns), document.members
    released = f"the {number(columns)} released columns together" if columns > 1 else "the released column"
    on_asked = f"; on those that the policy asks something of, {count(document.alone_on_asked)}"
    asked = on_asked if document.asked and len(document.asked) < columns else ""
    alone = f"{count(document.alone)} of {number(document.people)} {who} {_are(document.alone)} alone"
    return f"{alone} on {released}{asked}."


def _added(document: EverythingDocument, count: Callable[[int], str]) -> tuple[str, ...]:
    added = document.adds_most
    if added is None:
        return ()
    beside = f" when it joins {' + '.join(added.beside)}" if added.beside else " by itself"
    return (
        f"{added.column} adds most: it singles out {count(added.gain)} more{beside}. On all columns without it "
        f"{count(added.alone_without)} {_are(added.alone_without)} alone.",
    )


def _looked_at(document: EverythingDocument) -> tuple[str, ...]:
    if not document.alone:
        return ("So no set of fewer columns singles anybody out.",)
    looked = f"{number(document.examined)} of {number(document.possible)} sets of up to 3 columns were looked at: each "
    pairs = f"column, and pairs and threes of the {document.combined} with the most different values"
    looked += f"{pairs if document.combined > 1 else 'column'}."
    follow = f" {number(document.implied)} more {_are(document.implied)} known from them." if document.implied else ""
    left = f" Of {number(document.left)} nothing is known: not looked at is not safe." if document.left else ""
    return (f"{looked}{follow}{left}",)


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _apart(columns: Sequence[str]) -> tuple[str, ...]:
    return (f"Not among them: {', '.join(columns)} (direct identifiers, or whom a record is about).",) * bool(columns)
