"""What `identify` shows: what is undecided first, reasons on one line, and a wide table on two screens."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from sfumato.show.documents.identification import FindingDocument, IdentificationDocument, IdentifiedColumnDocument
from sfumato.show.sheets.column_groups import column_groups
from sfumato.show.sheets.identification import identification_sheet

SCREENS = 100  # lines of two screens


def finding(verdict, sentence, weight, method="names"):
    return FindingDocument(
        method=method, verdict=verdict, number=None, sentence=sentence, weight=weight, hipaa=None
    )  # fmt: skip


def column(name, role="undecided", sure=0.0, *evidence):
    return IdentifiedColumnDocument(
        name=name, role=role, decided=False, sure=sure, hipaa=None, risk_rate=0.01, values_seen_once=0.1,
        unique_records=5, influence=None, score=None, g_sum=1.0, quasi_identifier=None, missing=0.0, drop=False,
        type="text", why=None, label=None, different_values=5, missing_records=0, shape=(), evidence=evidence,
        would_decide="a name in words, or you" if role == "undecided" else None,
    )  # fmt: skip


def table(columns, families=()):
    roles = ("direct", "quasi", "sensitive", "non-sensitive", "undecided")
    return IdentificationDocument(
        source="table.csv", records=50, method="evidence", alpha=0.1, beta=0.01, columns=columns, excluded=(),
        roles={role: [c.name for c in columns if c.role == role] for role in roles},
        confirmable={role: [c.name for c in columns if c.role == role and c.sure >= 0.8] for role in roles[:4]},
        families=families, secondary=(), grades=(), ranking=(), combinations=None, notes=(),
    )  # fmt: skip


AGE = column("age", "quasi", 0.9, finding("quasi", "The name says age.", 0.9))
CODED = column("x1")
SMALL = table([AGE, CODED, column("town", "quasi", 0.65, finding("quasi", "The name says place.", 0.65))])


def genes():
    """A table as genetics has them: some columns of the clinic, a column for each gene, one for each mutation."""
    clinic = [column(f"clinical {i}", "quasi", 0.5, finding("quasi", f"It is {'a' * i}.", 0.5)) for i in range(30)]
    said = finding("sensitive", "The name is a gene.", 0.9)
    symbols = [column(f"{chr(97 + i % 26)}{chr(97 + i // 26)}k", "sensitive", 0.9, said) for i in range(489)]
    mutated = [column(f"{c.name}_mut", "sensitive", 0.8, finding("sensitive", "A mutation.", 0.8)) for c in symbols]
    unknown = column("cellularity")
    return [*clinic, unknown, *symbols, *mutated[:173]], [[c.name for c in mutated[:173]]]


def test_undecided_columns_come_first_with_what_would_decide_them():
    text = identification_sheet(SMALL).text()
    assert text.index("Undecided: you decide") < text.index("Proposed roles")
    [row] = [line for line in text.splitlines() if line.startswith("x1") and "you" in line]
    assert "Nothing is known of it." in row
    assert "a name in words, or you" in row
    assert "50 records, 3 columns: 1 undecided, 2 quasi." in text
    assert not any(line.startswith("x1") and "non-sensitive" in line for line in text.splitlines())


def test_what_is_sure_is_offered_as_options_and_what_is_not_is_not():
    text = identification_sheet(SMALL).text()
    assert "1 column: --quasi age\n" in text
    assert "sfumato confirm --sure high" in text


def test_a_proposal_names_the_weightiest_findings_that_decided_and_the_one_that_contradicts():
    findings = [
        finding("quasi", "Third.", 0.5), finding("quasi", "First.", 0.9), finding("quasi", "Second.", 0.8),
        finding("quasi", "Fourth.", 0.4), finding("direct", "Contrary.", 0.5), finding("direct", "Faint.", 0.2),
        finding("direct", "A number.", 0.0, "risk-rate"), finding("drop", "Mostly missing.", 0.0, "completeness"),
    ]  # fmt: skip
    text = identification_sheet(table([column("place", "quasi", 0.7, *findings)])).text()
    assert "First. Second. Third. But: Contrary. Leave out? Mostly missing." in text
    assert not any(word in text for word in ("Fourth", "Faint", "A number."))


def test_693_columns_are_two_screens_and_every_column_is_on_one_of_the_lines():
    columns, families = genes()
    assert len(columns) == 693
    sheet = identification_sheet(table(columns, families))
    assert len(sheet.text().splitlines()) <= SCREENS
    text = sheet.text()
    assert "*_mut (173 columns)" in text
    assert "cellularity" in text
    assert all(f"clinical {i} " in text for i in range(30))
    assert re.search(r"aak, bak, cak and 486 more +sensitive +high +The name is a gene\.", text)
    everything = identification_sheet(table(columns, families), every_column=True).text()
    assert len(everything.splitlines()) > 2 * 693


def test_a_wide_table_in_which_no_two_columns_are_alike_is_two_screens_as_well():
    roles = ("direct", "quasi", "sensitive", "non-sensitive", "undecided")
    columns = [
        column(f"c{chr(97 + i % 26)}{chr(97 + i // 26)}", roles[i % 5], 0.0 if i % 5 == 4 else 0.3 + i % 7 / 10,
               finding(roles[i % 5] if i % 5 < 4 else None, f"Reason {chr(97 + i % 26)}{chr(97 + i // 26)}.", 0.5))
        for i in range(600)
    ]  # fmt: skip
    text = identification_sheet(table(columns)).text()
    assert len(text.splitlines()) <= SCREENS


@pytest.mark.parametrize("most", [5, 12, 40, 1000])
def test_groups_hold_every_column_once_and_never_two_roles(most):
    columns, families = genes()
    groups = column_groups(columns, families, reason=lambda c: "why", level=lambda c: str(c.sure), most=most)
    assert Counter(c.name for group in groups for c in group.columns) == Counter(c.name for c in columns)
    assert all(len({c.role for c in group.columns}) == 1 for group in groups)
    assert len(groups) <= max(most, len({(c.role, c.sure) for c in columns}))
