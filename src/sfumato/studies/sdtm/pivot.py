"""One row a subject: a wide domain reduced, a long one pivoted, by a rule that is said and counted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfumato.errors import SchemaError, UnreadableFile, WrongScale
from sfumato.studies.sdtm.domain import Domain, Pivot, Rule, ranked
from sfumato.studies.sdtm.units import unit_notes
from sfumato.tables.engine import Table, literal, quoted, total

RECORD_TIMING = ("DTC", "VISITNUM", "DY", "SEQ")
RESULT_TIMING = ("VISITNUM", "DTC", "DY", "SEQ")
RESULTS = {"numbers": "STRESN", "words": "STRESC", "collected": "ORRES"}
PLAIN_NUMBER = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?"  # 007 and +1 are codes: as numbers they would lose something


@dataclass(frozen=True)
class SubjectRows:
    """A domain with one row a subject: `subject`, then columns with their final names."""

    name: str
    table: Table
    columns: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Test:
    """One test of a long domain: what its column is called, and whether its results are numbers."""

    name: str
    column: str
    results: int
    numeric: bool
    whole: bool
    unread: int  # results without a number where one was expected

    @property
    def expression(self) -> str:
        """Its column, read off the one result that each subject has left."""
        value = f"max({'amount' if self.numeric else 'words'}) FILTER (WHERE test = {literal(self.name)})"
        return f"{f'CAST({value} AS BIGINT)' if self.whole else value} AS {quoted(self.column)}"


def subject_rows(domain: Domain, pivot: Pivot) -> SubjectRows:
    """The domain with one row a subject, and notes on what was left out."""
    return _pivoted(domain, pivot) if domain.long else _reduced(domain, pivot)


def _reduced(domain: Domain, pivot: Pivot) -> SubjectRows:
    engine, columns = domain.table.engine, tuple(f"{domain.name}__{name}" for name in domain.names)
    named = [f"c{i} AS {quoted(column)}" for i, column in enumerate(columns)]
    selected = f"SELECT {', '.join(['subject', *named])} FROM {domain.table}"
    ((rows, subjects),) = engine.fetch(f"SELECT count(*), count(DISTINCT subject) FROM {domain.table}")
    if rows == subjects:
        return SubjectRows(domain.name, engine.query(selected), columns)
    if pivot.rule is Rule.MEAN:
        raise WrongScale(
            f"{domain.source}: the rule 'mean' is for rows per test; this domain has a column per variable, "
            f"and several rows a subject. Choose 'first', 'last' or 'baseline' under pivot / {domain.name}."
        )
    order = ranked(domain, pivot.rule, RECORD_TIMING)
    kept = engine.query(f"{selected} QUALIFY row_number() OVER (PARTITION BY subject ORDER BY {order}) = 1")
    note = (
        f"{domain.name}: {rows - subjects} of {rows} rows were left out: one row stands for each subject "
        f"(rule: {pivot.rule})."
    )
    return SubjectRows(domain.name, kept, columns, (note,))


def _pivoted(domain: Domain, pivot: Pivot) -> SubjectRows:
    engine = domain.table.engine
    results = _results(domain, pivot)
    tests = _tests(domain, results)
    if pivot.rule is Rule.MEAN:
        _require_numbers(domain, tests)
    kept = _kept(results, pivot.rule)
    tests = _with_whole_numbers(tests, kept)
    columns = ", ".join(["subject", *(test.expression for test in tests)])
    table = engine.query(
        f"""
        WITH subjects AS (SELECT DISTINCT subject FROM {domain.table})
        SELECT {columns}
        FROM subjects LEFT JOIN {kept} USING (subject)
        GROUP BY subject
        """
    )
    notes = _notes(domain, pivot, tests, results, kept)
    engine.drop(kept, results)
    return SubjectRows(domain.name, table, tuple(test.column for test in tests), notes)


def _results(domain: Domain, pivot: Pivot) -> Table:
    """Every result: `subject, test, code, words, amount, place`, the lowest place being the one to keep."""
    values = _values(domain, pivot)
    place = ranked(domain, Rule.FIRST if pivot.rule is Rule.MEAN else pivot.rule, RESULT_TIMING)
    return domain.table.engine.query(
        f"""
        WITH read AS (
            SELECT subject, {domain.test(pivot.name)} AS test, {domain.text("TESTCD")} AS code,
                {values["numbers"]} AS numbers, {values["words"]} AS words,
                {values["collected"]} AS collected,
                row_number() OVER (ORDER BY {place}) AS place
            FROM {domain.table}
        ), kinds AS (
            SELECT test, count(numbers) > 0 AS numeric, count(words) > 0 AS worded FROM read GROUP BY test
        ), chosen AS (
            SELECT subject, test, code, numbers, numeric, place, coalesce(words, collected) AS said,
                CASE WHEN worded THEN words ELSE collected END AS words
            FROM read JOIN kinds USING (test)
        ), plain AS (
            SELECT test, bool_and(regexp_full_match(words, {literal(PLAIN_NUMBER)})) AS plain
            FROM chosen GROUP BY test
        )
        SELECT subject, test, code, place, numeric OR coalesce(plain, TRUE) AS numeric, words, said,
            CASE WHEN numeric THEN numbers WHEN plain THEN TRY_CAST(words AS DOUBLE) END AS amount
        FROM chosen JOIN plain USING (test)
        """
    )


def _values(domain: Domain, pivot: Pivot) -> dict[str, str]:
    """Where the numbers, the words and the collected results stand, as SQL."""
    if pivot.value is not None:
        column = domain.column(pivot.value)
        columns = {"words": column} if column else {}
    else:
        columns = {what: column for what, suffix in RESULTS.items() if (column := domain.variable(suffix))}
    if not columns:
        expected = repr(pivot.value) if pivot.value else ", ".join("--" + suffix for suffix in RESULTS.values())
        hint = f"Name the column with the results as `value` under pivot / {domain.name}."
        raise UnreadableFile(domain.source, f"there is a row per test, but no column {expected}.", hint=hint)
    values = {what: f"CAST({columns.get(what, 'NULL')} AS VARCHAR)" for what in RESULTS}
    number = f"TRY_CAST({values['numbers']} AS DOUBLE)"
    return values | {"numbers": f"CASE WHEN isfinite({number}) THEN {number} END"}


def _tests(domain: Domain, results: Table) -> tuple[Test, ...]:
    """The tests of the domain in alphabetical order; an error where two would share a column."""
    counted = results.engine.fetch(
        f"""
        SELECT test, any_value(numeric), count(*),
            count(*) FILTER (WHERE amount IS NULL AND said IS NOT NULL),
            list_sort(array_agg(DISTINCT code) FILTER (WHERE code IS NOT NULL))
        FROM {results} GROUP BY test ORDER BY test
        """
    )
    for test, _, _, _, codes in counted:
        if len(codes or ()) > 1:
            _refuse(domain, f"the tests with the codes {' and '.join(map(repr, codes))} are both called {test!r}")
    _require_distinct(domain, [row[0] for row in counted])
    return tuple(
        Test(
            test,
            f"{domain.name}__{test}",
            results=n,
            numeric=numeric,
            whole=False,
            unread=words if numeric else 0,
        )
        for test, numeric, n, words, _ in counted
    )


def _require_distinct(domain: Domain, tests: list[str]) -> None:
    names: dict[str, str] = {}
    for test in tests:
        other = names.setdefault(test.casefold(), test)  # engines do not tell "BMI" from "bmi"
        if other != test:
            _refuse(domain, f"the tests {other!r} and {test!r} would share one column")


def _refuse(domain: Domain, problem: str) -> None:
    raise SchemaError(
        f"{domain.source}: {problem}. Name the columns by the other variable (`name: test` or `name: testcd` "
        f"under pivot / {domain.name}), or make the names differ."
    )


def _require_numbers(domain: Domain, tests: tuple[Test, ...]) -> None:
    words = [test.column for test in tests if not test.numeric]
    if words:
        raise WrongScale(
            f"{domain.source}: the rule 'mean' needs numbers, and {words[0]!r} holds words. "
            f"Choose 'first', 'last' or 'baseline' under pivot / {domain.name}."
        )


def _kept(results: Table, rule: Rule) -> Table:
    """The one result that stands for each subject and test; a test that was not done has none."""
    if rule is Rule.MEAN:
        mean = f"{total('amount')} / count(amount) AS amount, max(words) FILTER (WHERE FALSE) AS words"
        return results.engine.query(
            f"SELECT subject, test, {mean} FROM {results} WHERE amount IS NOT NULL GROUP BY subject, test"
        )
    return results.engine.query(
        f"""
        SELECT subject, test, amount, words FROM {results}
        WHERE CASE WHEN numeric THEN amount IS NOT NULL ELSE words IS NOT NULL END
        QUALIFY row_number() OVER (PARTITION BY subject, test ORDER BY place) = 1
        """
    )


def _with_whole_numbers(tests: tuple[Test, ...], kept: Table) -> tuple[Test, ...]:
    """The tests, knowing which have only whole numbers, so that 202 is not written as 202.0."""
    tests_of_whole_numbers = kept.engine.fetch(
        f"""
        SELECT test FROM {kept}
        GROUP BY test
        HAVING bool_and(amount = floor(amount) AND abs(amount) < 1e15)
        """
    )
    whole = {row[0] for row in tests_of_whole_numbers}
    return tuple(replace(test, whole=test.numeric and test.name in whole) for test in tests)


def _notes(domain: Domain, pivot: Pivot, tests: tuple[Test, ...], results: Table, kept: Table) -> tuple[str, ...]:
    notes = [
        f"{domain.name}: {len(tests)} columns, made from {results.count()} results: one per subject and test, "
        f"{kept.count()} in all (rule: {pivot.rule})."
    ]
    unread = sum(test.unread for test in tests)
    if unread:
        notes.append(
            f"{domain.name}: {unread} results without a number were read as missing; their tests have numbers."
        )
    nameless = domain.table.count() - results.count()
    if nameless:
        notes.append(f"{domain.name}: {nameless} rows name no test and were left out.")
    return (*notes, *unit_notes(domain, pivot))
