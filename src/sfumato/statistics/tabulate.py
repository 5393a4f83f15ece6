"""The verb: publish counts, sums and means instead of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sfumato.errors import PolicyError, ProjectError, UnknownColumn, WrongScale
from sfumato.plans.made_columns import loaded_with_made
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.meaning_of_columns import project_and_source, project_dataset, understood
from sfumato.privacy.question import Question
from sfumato.privacy.uncounted_persons import uncounted_persons
from sfumato.progress import Tell, quiet
from sfumato.project.file import Project
from sfumato.schema import Role
from sfumato.statistics.attack import solver
from sfumato.statistics.count_cells import SEVERAL, CountedCells, Statistic, count_cells
from sfumato.statistics.disclosure_rules import DisclosureRules
from sfumato.statistics.protect import CellProtection
from sfumato.statistics.sensitive_cells import sensitive_cells
from sfumato.statistics.tabulation import Tabulation, audited
from sfumato.tables.engine import Engine, Kind
from sfumato.tables.source import ReadOptions


def tabulate(
    data: Any = None,
    by: Sequence[str] | Sequence[Sequence[str]] | str = (),
    *,
    sums: Sequence[str] | str = (),
    means: Sequence[str] | str = (),
    preset: str | None = None,
    threshold: int | None = None,
    round_to: int | None = None,
    zeros: str | None = None,
    p: float | None = None,
    dominance: tuple[int, float] | None = None,
    subject: str | None = None,
    bins: Mapping[str, Any] | None = None,
    hierarchies: Mapping[str, str] | None = None,
    project: Project | str | Path | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Tabulation:
    """Counts, sums and means by columns with all totals, in which no small group can be worked out.

    `by` names the columns of a table, or is a list of tables, which are protected together. `preset` is acro,
    opensafely or datashield; what is given beside it goes before it. Counts below `threshold` are hidden and others
    rounded to a multiple of `round_to`; `zeros` are hidden or shown. `p` and `dominance` (how many parts, and per cent)
    are the rules for sums and means. With a `subject` persons are counted, and each has one part in a sum.

    >>> import pyarrow as pa
    >>> table = pa.table({"sex": ["f"] * 60 + ["m"] * 40, "ward": ["a"] * 57 + ["b"] * 23 + ["a"] * 20})
    >>> tabulated = tabulate(table, by=["sex", "ward"])
    >>> tabulated.hidden, tabulated.fewest
    (4, True)
    """
    solver()  # says what to install, before anything is read
    tables = _tables(by)
    wanted = (*(Statistic(name, "sum") for name in _names(sums)), *(Statistic(name, "mean") for name in _names(means)))
    rules = DisclosureRules.of(
        preset, threshold=threshold, base=round_to, zeros=zeros, p=p,
        largest=dominance[0] if dominance else None, share=dominance[1] if dominance else None,
    )  # fmt: skip
    known, source = project_and_source(data, project, "tabulate")
    columns = tuple(dict.fromkeys(column for table in tables for column in table))
    measured = tuple(dict.fromkeys(statistic.column for statistic in wanted))
    tell("Reading the data")
    extract = loaded_with_made(source, known, options, engine, named=(*columns, *measured))
    base = project_dataset(known, extract) if known else Dataset.of(extract.table)
    whose = subject or base.subject
    _check_columns(base, columns, measured, subject=whose)
    if known is not None:
        # What a step of the plan makes was decided by whoever wrote the step, unless its role is still open.
        by_step = set(extract.made) - {*known.decided(), *known.proposed, *known.undecided}
        _check_decided([name for name in (*columns, *measured) if name not in by_step], known)
    question = Question.written(
        quasi=columns, sensitive=measured, subject=whose, bins=bins, hierarchies=hierarchies
    )  # fmt: skip
    plain = base.with_roles(dict.fromkeys(base.schema.columns, Role.NON_SENSITIVE))
    dataset = understood(plain, question)
    tell("Counting the cells")
    cells = count_cells(dataset, wanted, max(2, rules.largest), extract.name)
    protection = CellProtection.of(sensitive_cells(cells, tables, rules), tell)
    return Tabulation(
        cells=cells,
        tables=tables,
        rules=rules,
        protection=protection,
        intervals=audited(protection, tell),
        source=extract.name,
        open=(*uncounted_persons(dataset), *_rare_labels(dataset, cells, rules)),
        notes=(*extract.notes, *_notes(cells.labels, columns)),
    )


def _tables(by: Any) -> tuple[tuple[str, ...], ...]:
    """The tables by their columns: one, or several."""
    if not isinstance(by, str) and by and all(isinstance(each, Sequence) and not isinstance(each, str) for each in by):
        tables = tuple(_names(each) for each in by)
    else:
        tables = (_names(by),)
    if not all(tables):
        raise PolicyError("Name the columns of the table: --by sex,region.")
    return tuple(dict.fromkeys(tables))


def _names(names: Any) -> tuple[str, ...]:
    """Names of columns, given as several or as one, each once."""
    several = (names,) if isinstance(names, str) else tuple(names)
    if not all(isinstance(name, str) for name in several):
        raise PolicyError("Columns are named by texts: by=['sex', 'region'].")
    return tuple(dict.fromkeys(several))


def _check_columns(dataset: Dataset, by: Sequence[str], measured: Sequence[str], *, subject: str | None) -> None:
    """Refuse columns that are not there, that say whom a record is about, or that are no numbers."""
    kinds = dataset.table.kinds
    for name in (*by, *measured):
        if name not in kinds:
            raise UnknownColumn(name, kinds)
        if name == subject:
            raise PolicyError(f"{name!r} says whom a record is about. A table by persons is a list of rows.")
        if kinds[name] is Kind.OTHER:
            raise WrongScale(f"Column {name!r} holds lists or parts, by which nothing is counted. Leave it out.")
    for name in measured:
        _check_measured(name, kinds[name], by)


def _check_measured(name: str, kind: Kind, by: Sequence[str]) -> None:
    if name in by:
        raise PolicyError(f"{name!r} is in --by and is added up as well: the groups tell what their sums are.")
    if not kind.numeric:
        raise WrongScale(
            f"Column {name!r} holds {kind}, which cannot be added up. Name it with --by, or read it as a number "
            f"(--type)."
        )


def _check_decided(names: Sequence[str], project: Project) -> None:
    """Refuse direct identifiers, and columns that nobody decided about."""
    for name in names:
        role = project.decided().get(name)
        if role is Role.DIRECT:
            problem = f"column {name!r} is a direct identifier, which is in no table that leaves. Leave it out."
            raise ProjectError(project.path, problem, line=project.line_of("columns", name))
        if role is None:
            problem = f"nobody has decided about column {name!r}, and what nobody decided about does not leave. "
            raise ProjectError(project.path, f"{problem}Confirm its role (`sfumato confirm`), or give it one.")


def _rare_labels(dataset: Dataset, cells: CountedCells, rules: DisclosureRules) -> Iterator[str]:
    """What is open where the table names values that few persons have: a hidden count does not hide the name."""
    counts = cells.counts.reshape(cells.lattice.shape)
    for axis, name in enumerate(cells.columns):
        if dataset.schema[name].bins or dataset.schema[name].level:
            continue  # what they are called was said by a person, and not by the data
        totals = counts[tuple(slice(0, -1) if a == axis else -1 for a in range(len(cells.columns)))]
        few = int((totals < rules.threshold).sum())
        if few:
            have = "value of it that is" if few == 1 else "values of it that are"
            yield (
                f"{name}: the table names {few} {have} of fewer than {rules.threshold} {cells.counted}. Read it more "
                f"coarsely (--bins, --hierarchy) where the name of a value alone says too much."
            )


def _notes(labels: Sequence[Sequence[str]], columns: Sequence[str]) -> tuple[str, ...]:
    """What to know of a table of persons who have several values."""
    several = [name for name, each in zip(columns, labels, strict=True) if each and each[-1].strip("()") == SEVERAL]
    return tuple(
        f"Persons with several values of {name} are in a row of their own: {SEVERAL}." for name in several
    )  # fmt: skip
