"""Earlier releases of the same people: what is already out, and what a new release adds to it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import Session

from sfumato.errors import Conflict
from sfumato.service.entities import DataRequest, ServiceProject
from sfumato.service.request_documents import names_of
from sfumato.service.request_states import OUT
from sfumato.show.sheet import named


class EarlierReleaseDocument(BaseModel):
    """A release that is out, and what a new one adds to it."""

    request: str
    released: datetime
    recipient: str
    purpose: str
    state: str
    package_hash: str
    columns: list[str]
    levels: dict[str, int]
    k: int | None
    records: int
    adds_columns: list[str]
    finer_columns: list[str]  # at a lower level of their hierarchy than before
    other_columns: list[str]  # generalised in another way than before
    other_data: bool  # the source has changed since, or it cannot be told
    warning: str | None


def earlier_releases(session: Session, project: ServiceProject, summary: dict[str, Any]) -> list[DataRequest]:
    """The releases of a project from the same source, by its hash or its name, oldest first."""
    out = select(DataRequest).where(
        DataRequest.project == project.handle,
        DataRequest.state.in_([state.value for state in OUT]),
        DataRequest.released.is_not(None),
    )
    rows = session.scalars(out.order_by(DataRequest.released))
    return [row for row in rows if row.summary and _same_source(row.summary, summary)]


def require_within_limit(session: Session, project: ServiceProject, summary: dict[str, Any]) -> None:
    """Refuse one release more of the same people than the project allows; one of other data, where it says nothing.

    Of one table as often as it is released the same people come out, and nobody is told apart by that. Of a table that
    somebody has joined or left, the difference of two releases is that person.
    """
    limit, out = project.releases_per_source, earlier_releases(session, project, summary)
    if limit is not None and len(out) >= limit:
        raise Conflict(
            f"The same people were released {len(out)} times, and the project allows {limit}. Each release more lets "
            f"somebody combine them."
        )
    if limit is None and any(_other_data(row.summary or {}, summary) for row in out):
        raise Conflict(
            "The source was released before, and has changed since or cannot be compared: the difference of two "
            "releases may be one person. Where that is looked at and wanted, set how often the same people may be "
            "released (releases_per_source)."
        )


def beside(session: Session, project: ServiceProject, summary: dict[str, Any]) -> list[EarlierReleaseDocument]:
    """What is already out of the same people, each beside a new release."""
    rows = earlier_releases(session, project, summary)
    names = names_of(session, [row.recipient for row in rows])
    return [_compared(row, names[row.recipient], summary) for row in rows]


def _compared(row: DataRequest, recipient: str, new: dict[str, Any]) -> EarlierReleaseDocument:
    old = row.summary or {}
    both = [name for name in new["columns"] if name in old["columns"]]
    finer = [name for name in both if _level(new, name) < _level(old, name)]
    other = [name for name in both if _otherwise(old, new, name)]
    other_data = _other_data(old, new)
    return EarlierReleaseDocument(
        request=row.handle,
        released=row.released or row.changed,
        recipient=recipient,
        purpose=row.purpose,
        state=row.state,
        package_hash=row.package_hash or "",
        columns=old["columns"],
        levels=old["levels"],
        k=old["k"],
        records=old["records"],
        adds_columns=[name for name in new["columns"] if name not in old["columns"]],
        finer_columns=finer,
        other_columns=other,
        other_data=other_data,
        warning=_warning(other, other_data=other_data),
    )


def _warning(other: list[str], *, other_data: bool) -> str | None:
    words = []
    if other:
        words.append(
            f"The same people are out already, and {named(other)} differently generalised: whoever has both releases "
            f"can combine them, and neither promises anything of the two together."
        )
    if other_data:
        words.append(
            "The source has changed since that release, or cannot be compared: whoever has both sees who came and who "
            "left, and the difference may be one person."
        )
    return " ".join(words) or None


def _otherwise(old: dict[str, Any], new: dict[str, Any], column: str) -> bool:
    """Whether a column may show the same people in another way. Ways without levels are compared by their plan."""
    if _by_levels(old) and _by_levels(new):
        return _level(old, column) != _level(new, column)
    return column in new["quasi_identifiers"] and old["plan"] != new["plan"]


def _by_levels(summary: dict[str, Any]) -> bool:
    return bool(summary["levels"])


def _level(summary: dict[str, Any], column: str) -> int:
    return int(summary["levels"].get(column, 0))


def _same_source(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return any(set(one["sources"][key]) & set(other["sources"][key]) for key in ("hashes", "names"))


def _other_data(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether the source has changed between two releases; where neither has a hash, as of a database, it may have."""
    return not set(old["sources"]["hashes"]) & set(new["sources"]["hashes"])
