"""Formats of dates: how a column writes its dates, as a person says it: %d/%m/%Y, %d-%b-%y from 1927."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sfumato.canonical import is_whole_text
from sfumato.errors import SchemaError
from sfumato.tables.engine import Kind, literal
from sfumato.tables.read.notation import Notation

PARTS = {
    "%Y": "([1-9][0-9]{3})", "%y": "([0-9]{2})", "%m": "([0-9]{1,2})", "%d": "([0-9]{1,2})", "%b": "([A-Za-z]{3})",
    "%H": "([0-9]{1,2})", "%M": "([0-9]{1,2})", "%S": "([0-9]{1,2})",
}  # fmt: skip
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
LATEST = {"%H": 23, "%M": 59, "%S": 59}
WRITTEN = "%d, %m or %b (Feb), %Y (four digits) or %y (two), and perhaps %H, %M and %S, each once, such as '%d/%m/%Y'"


@dataclass(frozen=True)
class DateFormat:
    """How dates are written; years of two digits are those of the hundred that begin with `first`.

    A guess at the century would make newborns of the old, or dates of birth that are still to come: so it is said.

    >>> DateFormat.of("%d-%b-%y from 1927").years
    '1927 to 2026'
    """

    form: str
    first: int | None = None

    @classmethod
    def of(cls, text: str) -> DateFormat:
        """The format that a text says; `SchemaError` with what may stand there."""
        match = re.fullmatch(r"(.*?)(?:\s+from\s+([0-9]{4}))?", text.strip(), re.DOTALL)
        form, first = (match[1], match[2]) if match else (text, None)
        if not readable(form, years=("%Y", "%y")) or not is_whole_text(form):
            raise SchemaError(f"A format of dates cannot be read. Write {WRITTEN}.")
        if ("%y" in form) != (first is not None):
            raise SchemaError(
                "Years of two digits need their hundred years, and those of four have none: "
                "'%d-%b-%y from 1927' is 1927 to 2026."
            )
        return cls(form, int(first) if first else None)

    @property
    def kind(self) -> Kind:
        """Dates, or dates with a time."""
        return Kind.TIMESTAMP if "%H" in self.form else Kind.DATE

    @property
    def years(self) -> str:
        """The hundred years that two digits stand for."""
        return f"{self.first} to {self.first + 99}" if self.first is not None else ""

    @property
    def notation(self) -> Notation:
        """The format as a notation of text."""
        day, time = self.sql("{x}")
        value = day if self.kind is Kind.DATE else time
        return Notation(
            name=self.form + (f", years {self.years}" if self.years else ""), kind=self.kind, why="",
            pattern=f"^{self._shape}$", guard=f"{_braced(value)} IS NOT NULL", value=_braced(value),
            told=True,
        )  # fmt: skip

    @property
    def _shape(self) -> str:
        pieces = re.findall("%.|.", self.form, re.DOTALL)
        fixed = re.search("%[YymdHMS]%[YymdHMS]", self.form)  # with nothing between them, parts have their full width
        shape = "".join(PARTS.get(piece) or _exactly(piece) for piece in pieces)
        return shape.replace("{1,2}", "{2}") if fixed else shape

    def sql(self, text: str) -> tuple[str, str]:
        """Day and time of a text (SQL): each part by its place, put together as ISO 8601; null where none fits."""
        parts = [part for part in re.findall("%.", self.form) if part in PARTS]
        shape = literal(f"^{self._shape}$")
        written = {part: f"regexp_extract({text}, {shape}, {i})" for i, part in enumerate(parts, 1)}
        two = {part: f"lpad({sql}, 2, '0')" for part, sql in written.items()}
        month = two["%m"] if "%m" in two else _month(written["%b"])
        year = written["%Y"] if "%Y" in written else self._year(written["%y"])
        day = f"{year} || '-' || {month} || '-' || {two['%d']}"
        clock = " || ':' || ".join(two.get(part, "'00'") for part in LATEST)
        within = [f"{sql} <= '{LATEST[part]}'" for part, sql in two.items() if part in LATEST]
        read = f"CASE WHEN {' AND '.join(within) or 'TRUE'} THEN TRY_CAST({day} AS DATE) END"
        return read, f"CASE WHEN {read} IS NOT NULL THEN TRY_CAST({day} || ' ' || {clock} AS TIMESTAMP) END"

    def _year(self, two: str) -> str:
        century, least = divmod(self.first or 0, 100)
        return f"(CASE WHEN {two} >= '{least:02}' THEN '{century}' ELSE '{century + 1}' END || {two})"


def readable(form: str, years: tuple[str, ...] = ("%Y",)) -> bool:
    """Whether a form has a day, a month and a year, each once, and nothing that is unknown."""
    parts = re.findall("%.", form)
    known = set(PARTS) - {"%Y", "%y"} | set(years)
    month, year = ([part for part in parts if part in some] for some in (("%m", "%b"), years))
    once = len(set(parts)) == len(parts) and len(month) == len(year) == 1
    return once and "%d" in parts and set(parts) <= known


def _braced(sql: str) -> str:
    """SQL over `{x}` in which the other braces stay as they are when the text is filled in."""
    return "{x}".join(part.replace("{", "{{").replace("}", "}}") for part in sql.split("{x}"))


def _exactly(character: str) -> str:
    return character if character.isalnum() or character == " " else f"[{character}]" if character != "^" else r"\^"


def _month(name: str) -> str:
    whens = " ".join(f"WHEN '{month}' THEN '{number:02}'" for number, month in enumerate(MONTHS, 1))
    return f"CASE upper({name}) {whens} ELSE '00' END"
