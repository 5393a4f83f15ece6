"""Recoding of several columns together, as a file says for every combination of their values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sfumato.plans.blocks.parameters import choice, column_names
from sfumato.plans.blocks.people_per_value import noted
from sfumato.plans.blocks.tuple_file import read_tuples
from sfumato.plans.blocks.values_in_sql import text_of
from sfumato.plans.draft import Draft
from sfumato.plans.kept_files import FilesByName, KeptFile, Steward
from sfumato.plans.step_interface import Resources, Transformation

if TYPE_CHECKING:
    import pyarrow as pa

LEAVE_OUT = "leave_out"


@dataclass(frozen=True)
class RecodeTuples(Transformation):
    """Replace the values of several columns together (local recoding).

    `file` is beside the plan: one line for each combination of values, first the values and then what each becomes. A
    search for a recoding writes it. A combination that the file lacks is an error, or its records are left out
    (`unknown: leave_out`). The columns become text. The file holds combinations of values of the original: it belongs
    to those who hold the original, and never to a release. Where a plan is handed on, `sha256` says which file it is.

    References
    ----------
    LeFevre, DeWitt, Ramakrishnan (2006). Mondrian multidimensional k-anonymity. ICDE 2006 (multidimensional recoding).

    Examples
    --------
    >>> RecodeTuples(("age", "sex"), "recoding.csv").explained()
    'Replace the values of age, sex together, as recoding.csv says.'
    """

    columns: str | tuple[str, ...]
    file: str
    unknown: str = "error"
    sha256: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))
        choice(self, "unknown", self.unknown, ("error", LEAVE_OUT))
        if not isinstance(self.file, str) or not self.file:
            raise self.wrong("file must name the file with the combinations.")

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(*self.columns)
        table = draft.engine.load(self._lines(resources))
        alike = " AND ".join(
            f"{table}.k{i} IS NOT DISTINCT FROM {text_of(draft, name)}" for i, name in enumerate(self.columns)
        )
        join = f"LEFT JOIN {table} AS {table} ON {alike}"
        before = draft.count()
        lacking = draft.engine.fetch(f"""
            SELECT count(*) FROM {draft.table} AS record {join} WHERE {table}.there IS NULL""")[0][0]
        if lacking and self.unknown == "error":
            raise self.wrong(
                f"{lacking} of {before} records have values that {self.file} lacks in this combination. "
                f"Search anew with these data, or leave them out: unknown: leave_out."
            )
        if lacking == before and before:
            raise self.wrong(f"no record would be left: {self.file} has none of the combinations of these data.")
        labels = {name: f"{table}.n{i}" for i, name in enumerate(self.columns)}
        if not lacking:
            return draft.changed(labels, join=join)
        kept = draft.where(f"{table}.there IS NOT NULL", join=join).changed(labels, join=join)
        return noted(kept, f"Records suppressed: {lacking} of {before}.")

    def explained(self) -> str:
        left_out = " Records that it lacks are left out." if self.unknown == LEAVE_OUT else ""
        return f"Replace the values of {', '.join(self.columns)} together, as {self.file} says.{left_out}"

    def handed_on(self, steward: Steward) -> tuple[RecodeTuples, FilesByName]:
        if self.sha256:
            return self, {}
        kept, files = steward.keep("recoding", ".csv", steward.read(self.file))
        return replace(self, file=kept.file, sha256=kept.sha256), files

    def places(self) -> tuple[str, ...]:
        return () if self.sha256 else (self.file,)  # of a kept file only the name counts

    def _lines(self, resources: Resources) -> pa.Table:
        import pyarrow as pa

        kept = KeptFile(self.file, self.sha256)
        path = resources.kept_file(kept) if self.sha256 else resources.folder / self.file
        lines = read_tuples(path, self.columns)
        return lines.append_column("there", pa.array([True] * len(lines)))
