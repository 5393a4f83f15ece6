"""Units: whether the results of a test can stand in one column at all."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.studies.sdtm.domain import Domain, Pivot

STANDARD = ("STRESN", "STRESC")
COLLECTED = ("ORRES",)


def unit_notes(domain: Domain, pivot: Pivot) -> list[str]:
    """A warning for each test whose results differ in unit or specimen: 5 mmol/L is not less than 90 mg/dL."""
    counted = domain.table.engine.fetch(f"""
        WITH read AS (
            SELECT {domain.test(pivot.name)} AS test, lower({domain.text("SPEC")}) AS specimen,
                {_result(domain, pivot, STANDARD)} AS standard, lower({domain.text("STRESU")}) AS standard_unit,
                {_result(domain, pivot, COLLECTED)} AS collected, lower({domain.text("ORRESU")}) AS collected_unit
            FROM {domain.table}
        )
        SELECT test, count(DISTINCT specimen),
            CASE WHEN count(standard) > 0
                 THEN count(DISTINCT CASE WHEN standard IS NOT NULL THEN standard_unit END)
                 ELSE count(DISTINCT CASE WHEN collected IS NOT NULL THEN collected_unit END) END
        FROM read WHERE test IS NOT NULL GROUP BY test ORDER BY test
    """)
    mixed = [
        (test, n, what) for test, *counts in counted for n, what in zip(counts, ("specimens", "units"), strict=True)
    ]
    return [
        f"WARNING: the results of {domain.name}__{test} come in {n} {what}, which its column does not tell apart."
        for test, n, what in mixed
        if n > 1
    ]


def _result(domain: Domain, pivot: Pivot, suffixes: Sequence[str]) -> str:
    """The first of some kinds of result that a record has, as SQL; null where results are read from elsewhere."""
    named = domain.column(pivot.value) if pivot.value else None
    read = [suffix for suffix in suffixes if named is None or named == domain.variable(suffix)]
    return f"coalesce({', '.join([*map(domain.text, read), 'NULL', 'NULL'])})"
