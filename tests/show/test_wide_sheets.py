"""Sheets of tables with thousands of columns: what nobody reads on a terminal is counted, and stands in the JSON."""

from __future__ import annotations

import pyarrow as pa

import sfumato as sf
from sfumato.show.documents.safe_harbor import ChecklistItemDocument, OpenColumnDocument, SafeHarborDocument
from sfumato.show.sheets.losses import LISTED, losses_sheet
from sfumato.show.sheets.safe_harbor import SHOWN, safe_harbor_sheet


def letters(sheet: object) -> int:
    return len(repr(sheet))


def test_of_thousands_of_open_columns_some_are_named_and_the_rest_are_counted() -> None:
    open_columns = [OpenColumnDocument(name=f"c{i}", why="its values say nothing") for i in range(4000)]
    item = ChecklistItemDocument(item="R", identifier="any other", passed=False, columns=(), left=(), open=open_columns)
    document = SafeHarborDocument(
        source="d.csv",
        release="r.csv",
        records=5,
        met=False,
        year=None,
        kept=[f"k{i}" for i in range(4000)],
        items=[item],
    )
    sheet = safe_harbor_sheet(document)
    assert letters(sheet) < 20_000
    assert f"and {4000 - SHOWN} more: --json FILE has them all" in repr(sheet)
    assert "and 3900 more" in sheet.verdict


def test_what_is_left_is_named_before_what_was_treated() -> None:
    from sfumato.show.documents.safe_harbor import TreatedColumnDocument

    treated = [TreatedColumnDocument(name=f"c{i}", done="dropped") for i in range(4000)]
    item = ChecklistItemDocument(item="A", identifier="names", passed=False, columns=treated, left=["surname"], open=())
    document = SafeHarborDocument(
        source="d.csv", release="r.csv", records=5, met=False, year=None, kept=(), items=[item]
    )
    assert "surname: left" in repr(safe_harbor_sheet(document))


def test_of_a_comparison_some_columns_have_a_line_and_the_rest_are_counted() -> None:
    wide = pa.table({f"c{i}": ["x", "y"] for i in range(LISTED + 20)})
    losses = sf.compare(wide, wide, by_position=True, models=["loss"])
    section = next(s for s in losses_sheet(losses.content()).sections if s.title == "Column by column")
    assert len(section.rows) == LISTED
    assert "20 more are not listed here: --json FILE has them all." in section.remarks
