"""Tuple files: what the values of several columns together become, one line for each combination."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import UnreadableFile
from sfumato.outputs import whole

if TYPE_CHECKING:
    import pyarrow as pa

RELEASED = " released"  # after the name of a column, for what it becomes


def write_tuples(lines: pa.Table, columns: Sequence[str], path: Path) -> None:
    """Write the original values of some columns, then what each becomes; a missing value is an empty cell.

    `lines` has a column for each value and then one for each label, in the order of the columns.
    """
    from pyarrow import csv

    named = lines.rename_columns([*columns, *(f"{name}{RELEASED}" for name in columns)])
    with whole(path.parent, private=True) as draft:
        csv.write_csv(named, draft / path.name, csv.WriteOptions(delimiter=";", quoting_style="needed"))


def read_tuples(path: Path, columns: Sequence[str]) -> pa.Table:
    """The lines of a tuple file as texts: k0, k1, ... what was there, n0, n1, ... what it becomes."""
    from pyarrow import ArrowException, csv, string

    count = len(columns)
    names = [*(f"k{i}" for i in range(count)), *(f"n{i}" for i in range(count))]
    try:
        lines = csv.read_csv(
            path,
            csv.ReadOptions(column_names=names, skip_rows=0),
            csv.ParseOptions(delimiter=";", newlines_in_values=True),
            csv.ConvertOptions(
                column_types=dict.fromkeys(names, string()), strings_can_be_null=True, null_values=[""],
                quoted_strings_can_be_null=False,
            ),
        )  # fmt: skip
    except (OSError, ArrowException) as error:
        raise UnreadableFile(
            path, f"this is no file of {count} values and {count} labels a line ({type(error).__name__})."
        ) from None
    head = lines.slice(0, 1).to_pylist()[0] if len(lines) else {}
    if [head.get(f"k{i}") for i in range(count)] != list(columns):
        raise UnreadableFile(path, "its first line must name the columns, in the order in which the step does.")
    return lines.slice(1)
