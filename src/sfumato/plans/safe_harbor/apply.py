"""The verb of HIPAA's Safe Harbor: remove the 18 identifiers, look at the release, and tick them off."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sfumato.columns.gather_evidence import Inquiry, identify_extract
from sfumato.errors import PolicyError, UnknownColumn
from sfumato.plans.apply import apply_plan
from sfumato.plans.safe_harbor.ages import aged_columns, latest_year
from sfumato.plans.safe_harbor.allowed_values import holds_only_allowed
from sfumato.plans.safe_harbor.checklist import Checklist, checked_items
from sfumato.plans.safe_harbor.plan import SafeHarbor
from sfumato.progress import Tell, quiet
from sfumato.project.file import Project
from sfumato.schema import Role
from sfumato.tables.engine import Engine
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.tables.write.release import WriteOptions

QUICK = Inquiry(largest=0)  # columns one by one, and no combinations


def safe_harbor(
    data: Any,
    out: str | Path,
    *,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    project: str | Path | None = None,
    year: int | None = None,
    options: ReadOptions | None = None,
    write: WriteOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Checklist:
    """Remove the 18 identifiers from a table and write the rest; one line for each says what was done and what is left.

    `keep` are columns to release as they are: where they hold an identifier, its line fails. Columns that are not
    recognised as anything, and may hold an identifier, are left out and open until somebody decides: by `keep` or
    `drop`, or by a role in the `project` file. `year` is the one in which ages are counted; the latest of the
    table's dates, those of birth left out, where it is not given.
    """
    roles: dict[str, Role] = Project.read(project).decided() if project else {}
    gone = (*drop, *(name for name, role in roles.items() if role is Role.DIRECT))
    twice = sorted({*keep} & {*drop})
    if twice:
        raise PolicyError(f"Column {twice[0]!r} is to be kept and to be dropped. Choose one.")
    tell("Reading the data")
    extract = data if isinstance(data, Extract) else load(data, options, engine)
    before = identify_extract(extract, QUICK, tell=tell)
    for name in (*keep, *drop):
        if name not in before.roles:
            raise UnknownColumn(name, before.roles)
    harbor = SafeHarbor(
        before,
        year=year or latest_year(extract, before),
        aged=tuple(aged_columns(extract, before)),
        kept=tuple(keep),
        decided=tuple(roles),
        dropped=tuple(name for name in gone if name not in keep),
    )
    source = data if isinstance(data, str | Path) else None
    apply_plan(harbor.plan(), extract, out, release_rest=True, write=write, source=source, tell=tell)
    release = load(Path(out), ReadOptions(header=True), extract.table.engine)
    tell("Looking at the release")
    after = identify_extract(release, QUICK, tell=tell)
    coarse = [treatment.column for treatment in harbor.treatments if holds_only_allowed(release.table, treatment)]
    return Checklist(
        source=extract.name,
        release=Path(out).name,
        records=after.records,
        items=checked_items(harbor, after, coarse),
        kept=tuple(keep),
        year=harbor.year,
    )
