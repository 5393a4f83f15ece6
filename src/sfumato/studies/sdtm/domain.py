"""Clinical domains as CDISC's Study Data Tabulation Model (SDTM) lays them out.

A domain is one table about the subjects of a study: demographics (DM), laboratory results (LB).
A *wide* domain has a column per variable. A *long* one has a row per test: the name of the test in
`--TEST`, its code in `--TESTCD`, the result in `--STRESN` (a number), `--STRESC` (as text) or
`--ORRES` (as it was collected), where `--` stands for the code of the domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sfumato.errors import UnreadableFile, WrongScale, did_you_mean
from sfumato.tables.engine import Kind, Table, literal, quoted

SUBJECT = "USUBJID"
BLANKS = " \t\r\n\xa0\ufeff"  # what surrounds identifiers that were pasted from somewhere


class Rule(StrEnum):
    """Which of several records of a subject stands for the subject."""

    BASELINE = "baseline"  # the one that is flagged as baseline; the first where none is
    FIRST = "first"
    LAST = "last"
    MEAN = "mean"  # none of them: the mean of their numbers


class Naming(StrEnum):
    """What the column of a test is called after."""

    TEST = "test"  # LB__Cholesterol
    TESTCD = "testcd"  # LB__CHOL


@dataclass(frozen=True)
class Pivot:
    """How a domain becomes one row a subject."""

    rule: Rule = Rule.BASELINE
    name: Naming = Naming.TEST
    value: str | None = None  # the column with the results; None: --STRESN, --STRESC or --ORRES


@dataclass(frozen=True)
class IdRule:
    """How an identifier is made: every match of the pattern in a column is replaced."""

    pattern: str
    replacement: str = ""
    column: str = SUBJECT

    def __call__(self, text: str) -> str:
        return f"regexp_replace({text}, {literal(self.pattern)}, {literal(self.replacement)}, 'g')"


@dataclass(frozen=True)
class Domain:
    """One domain, read. In its table the columns are `number` (of the record), `subject`, and `c0`, `c1`, ...

    The names that came with the data are in `names`, so that a column may be called `subject` or `a "b"`.
    """

    name: str
    source: str
    table: Table
    names: tuple[str, ...]
    merged: int = 0  # subjects that became one with another by the rule for identifiers

    @classmethod
    def of(cls, name: str, source: str, table: Table, id_rule: IdRule | None = None) -> Domain:
        """A domain whose every record has a subject; `UnreadableFile` where one has none."""
        kinds = table.kinds
        names = tuple(column for column in kinds if column.upper() != SUBJECT)
        subject = _subject(source, kinds, id_rule)
        columns = [f"{quoted(column)} AS c{i}" for i, column in enumerate(names)]
        selected = ", ".join([f"{subject} AS subject", *columns])
        merged = _merged(table, id_rule, subject) if id_rule else 0
        numbered = table.engine.numbered(f"SELECT {selected} FROM {table}", "number")
        domain = cls(name, source, numbered, names, merged)
        domain.require_subjects()
        return domain

    @property
    def long(self) -> bool:
        """Whether the domain has a row per test."""
        return self.variable("TESTCD") is not None or self.variable("TEST") is not None

    def variable(self, suffix: str) -> str | None:
        """The column of a variable of this domain: `--SEQ` is LBSEQ in LB, and QSSEQ in its part QSCG."""
        return self.column(self.name + suffix) or self.column(self.name[:2] + suffix)

    def column(self, name: str) -> str | None:
        """The column that holds what the file calls by this name, in capitals or not."""
        matches = (f"c{i}" for i, own in enumerate(self.names) if own.upper() == name.upper())
        return next(matches, None)

    def text(self, suffix: str) -> str:
        """A variable as text without blanks around it, as SQL; null where it is empty or not there."""
        column = self.variable(suffix)
        return f"nullif(trim(CAST({column} AS VARCHAR)), '')" if column else "CAST(NULL AS VARCHAR)"

    def test(self, naming: Naming) -> str:
        """The name of the test of a record, as SQL; the code where there is no name, and the other way round."""
        names = [self.text("TEST"), self.text("TESTCD")]
        return f"coalesce({', '.join(names if naming is Naming.TEST else reversed(names))})"

    def require_subjects(self) -> None:
        """Refuse records that belong to nobody: they would vanish from every count."""
        engine = self.table.engine
        ((nameless, first),) = engine.fetch(
            f"SELECT count(*), min(number) FROM {self.table} WHERE subject IS NULL OR subject = ''"
        )
        if nameless:
            problem = f"records without a {SUBJECT}: {nameless}. The first is record {first}, not counting the header."
            raise UnreadableFile(self.source, problem, hint="Complete or remove them.")

    def order(self, *suffixes: str, last: bool = False) -> str:
        """The items of an ORDER BY that puts records in time, then as they stand in the file."""
        way = "DESC NULLS LAST" if last else "NULLS LAST"
        known = [self.timing(suffix) for suffix in suffixes]
        return ", ".join([*(f"{column} {way}" for column in known if column), f"number {'DESC' if last else ''}"])

    def timing(self, suffix: str) -> str | None:
        """A variable of time as something that sorts: dates as ISO text, all others as numbers."""
        column = self.column(suffix) if suffix == "VISITNUM" else self.variable(suffix)
        if column is None:
            return None
        return f"CAST({column} AS VARCHAR)" if suffix == "DTC" else f"TRY_CAST(CAST({column} AS VARCHAR) AS DOUBLE)"

    def baseline(self) -> str:
        """Whether a record is flagged as baseline, as a condition."""
        flags = [column for suffix in ("BLFL", "LOBXFL") if (column := self.variable(suffix))]
        yes = [f"coalesce(upper(CAST({column} AS VARCHAR)) IN ('Y', 'YES', 'TRUE'), FALSE)" for column in flags]
        return f"({' OR '.join(yes)})" if yes else "FALSE"


def ranked(domain: Domain, rule: Rule, timing: Sequence[str]) -> str:
    """The items of an ORDER BY that puts the record that stands for the subject first."""
    order = domain.order(*timing, last=rule is Rule.LAST)
    return f"{domain.baseline()} DESC, {order}" if rule is Rule.BASELINE else order


def _subject(source: str, kinds: dict[str, Kind], id_rule: IdRule | None) -> str:
    wanted = id_rule.column if id_rule else SUBJECT
    column = next((name for name in kinds if name.upper() == wanted.upper()), None)
    if column is None:
        problem = f"there is no column {wanted!r}, by which the domains are joined.{did_you_mean(wanted, kinds)}"
        raise UnreadableFile(source, problem, hint="Every CSV file in the folder of a pilot is taken for a domain.")
    if kinds[column] is Kind.REAL:
        # 101.1 and 101.10 are two subjects and one number.
        raise WrongScale(f"{source}: {column!r} was read as numbers, but it is an identifier. Read it as text.")
    text = f"trim(CAST({quoted(column)} AS VARCHAR), {literal(BLANKS)})"
    return f"trim({id_rule(text)}, {literal(BLANKS)})" if id_rule else text


def _merged(table: Table, id_rule: IdRule, subject: str) -> int:
    before = f"trim(CAST({quoted(id_rule.column)} AS VARCHAR), {literal(BLANKS)})"
    ((merged,),) = table.engine.fetch(f"SELECT count(DISTINCT {before}) - count(DISTINCT {subject}) FROM {table}")
    return int(merged)
