"""Notations: the ways in which numbers, dates and truth values are written as text."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import Kind, literal


@dataclass(frozen=True)
class Notation:
    """One way of writing values: what such a text looks like, and which value it stands for.

    `pattern` is a regular expression; `guard` and `value` are SQL in which `{x}` is the text.
    """

    name: str
    kind: Kind
    why: str
    pattern: str
    guard: str = "TRUE"
    value: str = "{x}"
    told: bool = False  # whether a person is told that values are written so, since there are other ways

    def fits(self, x: str) -> str:
        """SQL: whether the text is written like this. The guard only ever sees texts of the right look."""
        looks = f"regexp_matches({x}, {literal(self.pattern)})"
        if self.guard == "TRUE":
            return looks
        return f"CASE WHEN {looks} THEN {self.guard.format(x=x)} ELSE FALSE END"

    def read(self, x: str) -> str:
        """SQL: the value that the text stands for."""
        return self.value.format(x=x)


GROUPS = "[1-9][0-9]{0,2}([.][0-9]{3})"
DAYS = "(0[1-9]|[12][0-9]|3[01])"
ISO_DAY = f"[0-9]{{4}}-(0[1-9]|1[0-2])-{DAYS}"
CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?"

POINTED = "replace(replace({x}, '.', ''), ',', '.')"
DIGITS = "length(ltrim(regexp_replace({x}, '[^0-9]', '', 'g'), '0')) <= 15"


def kept(text: str) -> str:
    """SQL: whether a number (given as SQL over `{x}`, with a point) survives being a double.

    A double keeps 15 significant digits, so a longer text may come back as another number. It does not where it is
    one of the ways in which programs write a double in full. Most texts are short, and need no look at their digits.
    """
    double = f"TRY_CAST({text} AS DOUBLE)"
    in_full = f"CAST({double} AS VARCHAR), format('{{{{:.16g}}}}', {double}), format('{{{{:.17g}}}}', {double})"
    return f"CASE WHEN length({{x}}) <= 15 OR {DIGITS} THEN TRUE ELSE {text} IN ({in_full}) END"


def _whole(name: str, digits: str, text: str) -> Notation:
    value = f"CAST({text} AS BIGINT)"
    why, pattern = "every value is a whole number", f"^(0|-?({digits}))$"
    return Notation(name=name, kind=Kind.INTEGER, why=why, pattern=pattern, value=value)


def _decimal(sign: str, digits: str, point: str, text: str) -> Notation:
    # Minus zero is left out: -0.0 would come back as 0.
    pattern = f"^(-?({digits})({point}[0-9]+)?|0({point}[0-9]+)?|-0{point}[0-9]*[1-9][0-9]*)$"
    why = f"every value is a number, with a decimal {sign}"
    value = f"CAST({text} AS DOUBLE)"
    return Notation(name=f"decimal {sign}", kind=Kind.REAL, why=why, pattern=pattern, guard=kept(text), value=value)


def _date(order: str, sep: str) -> Notation:
    places = {part: i for i, part in enumerate(order.split(sep), 1)}
    year, month, day = (f"split_part({{x}}, '{sep}', {places[part]})" for part in ("year", "month", "day"))
    iso = f"{year} || '-' || lpad({month}, 2, '0') || '-' || lpad({day}, 2, '0')"
    pattern = f"^[0-9]{{1,2}}[{sep}][0-9]{{1,2}}[{sep}][0-9]{{4}}$"
    guard = f"TRY_CAST({iso} AS DATE) IS NOT NULL AND {year} <> '0000'"
    why = f"every value is a date, written {order}"
    value = f"CAST({iso} AS DATE)"
    return Notation(name=order, kind=Kind.DATE, why=why, pattern=pattern, guard=guard, value=value, told=True)


WHOLE = _whole("whole", "[1-9][0-9]{0,17}", "{x}")
WHOLE_GROUPED = _whole("whole grouped", f"[1-9][0-9]{{0,17}}|{GROUPS}{{1,5}}", "replace({x}, '.', '')")
SHORT_WHOLE = _whole("short whole", "[1-9][0-9]{0,13}", "{x}")  # fits each of the other three for numbers as well
DECIMAL = _decimal("point", "[1-9][0-9]*", "[.]", "{x}")
DECIMAL_COMMA = _decimal("comma", f"[1-9][0-9]*|{GROUPS}+", ",", POINTED)
ISO_DATE = Notation(
    name="iso date", kind=Kind.DATE, why="every value is a date, written year-month-day", pattern=f"^{ISO_DAY}$",
    guard="TRY_CAST({x} AS DATE) IS NOT NULL AND {x} >= '0001'", value="CAST({x} AS DATE)",
)  # fmt: skip
DATE_TIME = Notation(
    name="date-time", kind=Kind.TIMESTAMP, why="every value is a date with a time",
    pattern=f"^{ISO_DAY}[T ]{CLOCK}$",
    guard="TRY_CAST({x} AS TIMESTAMP) IS NOT NULL AND {x} >= '0001'", value="CAST({x} AS TIMESTAMP)",
)  # fmt: skip
DAY_DOT = _date("day.month.year", ".")
MONTH_DOT = _date("month.day.year", ".")
DAY_SLASH = _date("day/month/year", "/")
MONTH_SLASH = _date("month/day/year", "/")

# What a column may turn out to be by itself. A truth value is never guessed.
NUMBERS = (WHOLE, DECIMAL, WHOLE_GROUPED, DECIMAL_COMMA)
DATES = (ISO_DATE, DATE_TIME, DAY_DOT, MONTH_DOT, DAY_SLASH, MONTH_SLASH)

BLANKS_AROUND = "blanks around a number"

# Why numbers stay text: as numbers they would lose what these patterns see.
LOSSES = tuple(
    Notation(why, Kind.TEXT, why, pattern, guard)
    for why, pattern, guard in (
        ("a leading zero", "^[-+]?0[0-9]+([.,][0-9]+)?$", "TRUE"),
        ("a plus sign", "^[+][0-9.,]+$", "TRUE"),
        ("an exponent, as codes may", "^[-+]?[0-9]+[.,]?[0-9]*[eE][-+]?[0-9]+$", "TRUE"),
        ("a minus sign before zero", "^-0([.,]0*)?$", "TRUE"),
        (BLANKS_AROUND, "^( +[-+]?[0-9][0-9.,]* *|[-+]?[0-9][0-9.,]* +)$", "TRUE"),
        ("more digits than a number keeps", "^-?[1-9][0-9.,]{15,}$", f"({kept('{x}')}) IS NOT TRUE"),
    )
)

# Where there is nothing of this in a text, it fits no number, no date and no loss: each of them has a digit, but for
# the plus sign before points.
NUMERAL = Notation(name="numeral", kind=Kind.TEXT, why="", pattern="[0-9+]")

# A person may decide what a guess must not: that 007 is the number seven. These accept what can be converted; marks and
# blanks that spreadsheets and people set into numbers ('12, 1'234, 12 345) are nothing else anywhere.
MARKS = "['\u2019\u00a0\u202f ]"
ANY_POINT = f"[0-9]+([.][0-9]*)?|[.][0-9]+|[0-9]{{1,3}}({MARKS}[0-9]{{3}})+([.][0-9]*)?"
ANY_COMMA = f"([0-9]+|[0-9]{{1,3}}([.][0-9]{{3}})+|[0-9]{{1,3}}({MARKS}[0-9]{{3}})+)(,[0-9]*)?|,[0-9]+"
COMMA_GROUPS = "[0-9]{1,3}(,[0-9]{3})*([.][0-9]*)?"
UNMARKED = f"regexp_replace({{x}}, {literal(MARKS).replace('{', '{{').replace('}', '}}')}, '', 'g')"


def _number(kind: Kind, sign: str, *, grouped: bool = False) -> Notation:
    digits = COMMA_GROUPS if grouped else ANY_COMMA if sign == "," else ANY_POINT
    without = f"replace({UNMARKED}, '{'.' if sign == ',' else ','}', '')"
    text = f"replace({without}, ',', '.')"
    value = f"TRY_CAST({text} AS {'BIGINT' if kind is Kind.INTEGER else 'DOUBLE'})"
    real = f"TRY_CAST({text} AS DOUBLE)"
    guard = f"{value} = {real}" if kind is Kind.INTEGER else f"{value} IS NOT NULL AND NOT isinf({value})"
    pattern = f"^ *'?[-+]?({digits})([eE][-+]?[0-9]+)? *$"
    name = "numbers with commas between thousands" if grouped else f"any {kind} {sign}"
    return Notation(name=name, kind=kind, why="", pattern=pattern, guard=guard, value=value, told=grouped)


GROUPED = {kind: (_number(kind, ".", grouped=True),) for kind in (Kind.INTEGER, Kind.REAL)}
TRUTH = Notation(
    name="truth", kind=Kind.BOOLEAN, why="", pattern="^(?i) *(true|t|yes|y|1|false|f|no|n|0) *$",
    value="regexp_matches({x}, '^(?i) *(true|t|yes|y|1) *$')",
)  # fmt: skip
MIDNIGHT = Notation(
    name="date or date-time", kind=Kind.TIMESTAMP, why="", pattern=f"^{ISO_DAY}([T ]{CLOCK})?$",
    guard="TRY_CAST({x} AS TIMESTAMP) IS NOT NULL", value="CAST({x} AS TIMESTAMP)",
)  # fmt: skip
DECIDED: dict[tuple[Kind, str], tuple[Notation, ...]] = {
    (kind, sign): notations
    for sign in ".,"
    for kind, notations in {
        Kind.INTEGER: (_number(Kind.INTEGER, sign),),
        Kind.REAL: (_number(Kind.REAL, sign),),
        Kind.DATE: (ISO_DATE, DAY_DOT, DAY_SLASH, MONTH_SLASH),
        Kind.TIMESTAMP: (DATE_TIME, MIDNIGHT),
        Kind.BOOLEAN: (TRUTH,),
    }.items()
}
