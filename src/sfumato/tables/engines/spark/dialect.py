"""SQL in DuckDB's dialect, said in the words of another engine.

`sqlglot` translates the grammar. What it cannot see is where two engines read the same words
differently; those are the rules below, and each has a test in `tests/engines/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import sqlglot
from sqlglot import exp

# What is no real number and no decimal: a cast of it means the same in both engines.
NO_NUMBERS = (
    *exp.DataType.TEXT_TYPES, *exp.DataType.INTEGER_TYPES, exp.DataType.Type.BOOLEAN, exp.DataType.Type.DATE,
    exp.DataType.Type.TIMESTAMP, exp.DataType.Type.TIMESTAMPNTZ,
)  # fmt: skip
TEXTS = (exp.Concat, exp.DPipe, exp.Lower, exp.Pad, exp.RegexpReplace, exp.Substring, exp.Trim, exp.Upper)

Rule = Callable[[exp.Expression], exp.Expression | None]


@lru_cache(maxsize=1024)
def spark_sql(sql: str) -> str:
    """A SELECT of DuckDB in the dialect of Spark, with the same result.

    >>> spark_sql("SELECT n FROM t ORDER BY n")
    'SELECT n FROM t ORDER BY n NULLS LAST'
    """
    tree = sqlglot.parse_one(sql, read="duckdb")
    # Leaves first, so that a rule never meets what it has itself written.
    for node in reversed(list(tree.walk())):
        written = _rewritten(node)
        if written is not None:
            tree = written if node is tree else tree
            node.replace(written)
    return str(tree.sql(dialect="spark", unsupported_level=sqlglot.ErrorLevel.RAISE))


def spark_name(name: str) -> str:
    """A column name as Spark quotes it.

    >>> spark_name("a`b")
    '`a``b`'
    """
    return "`" + name.replace("`", "``") + "`"


def real_text(text: str) -> str:
    """Spark SQL that turns a real number as Java prints it (1.0E10) into DuckDB's text (10000000000.0)."""
    exponent = f"CAST(regexp_extract({text}, 'E(.*)$', 1) AS INT)"
    plain = f"regexp_replace(CAST(CAST({text} AS DECIMAL(38, 21)) AS STRING), '(\\\\.\\\\d+?)0+$', '$1')"
    mantissa = f"regexp_replace(substring_index({text}, 'E', 1), '\\\\.0$', '')"
    power = f"printf('%s%02d', CASE WHEN {exponent} < 0 THEN 'e-' ELSE 'e+' END, abs({exponent}))"
    return (
        f"CASE WHEN {text} LIKE '%N%' THEN 'nan' "
        f"WHEN {text} LIKE '%y' THEN replace(lower({text}), 'inity', '') "
        f"WHEN {text} NOT LIKE '%E%' THEN {text} "
        f"WHEN {exponent} BETWEEN -4 AND 15 THEN {plain} "
        f"ELSE concat({mantissa}, {power}) END"
    )


def _rewritten(node: exp.Expression) -> exp.Expression | None:
    rule = RULES.get(type(node).__name__)
    return rule(node) if rule else None


def _cast(node: exp.Expression) -> exp.Expression | None:
    target = node.args["to"]
    if target.is_type(*exp.DataType.TEXT_TYPES):
        return _text(node)
    if target.is_type(*exp.DataType.INTEGER_TYPES):
        return _whole(node)
    return None


def _text(node: exp.Expression) -> exp.Expression | None:
    """A real number as text: Java writes 1.0E10 where DuckDB writes 10000000000.0."""
    if isinstance(node.this, exp.Literal | exp.Null) or _is_no_number(node.this):
        return None
    plain = _spark(node)
    return _typed(f"CASE WHEN {_real(node.this)} THEN {real_text(plain)} ELSE {plain} END", "TEXT")


def _whole(node: exp.Expression) -> exp.Expression | None:
    """A real number as a whole one: Spark cuts off, DuckDB rounds (halves to even, of decimals up)."""
    if _is_no_number(node.this):
        return None
    value, target = _spark(node.this), _spark(node.args["to"])
    cast = "TRY_CAST" if isinstance(node, exp.TryCast) else "CAST"
    return _typed(
        f"CASE WHEN {_real(node.this)} THEN {cast}(rint({cast}({value} AS DOUBLE)) AS {target}) "
        f"WHEN typeof({value}) LIKE 'decimal%' "
        f"THEN {cast}(round({cast}({value} AS DECIMAL(38, 12)), 0) AS {target}) "
        f"ELSE {_spark(node)} END",
        node.args["to"].this.value,
    )


def _division(node: exp.Expression) -> exp.Expression:
    """Real division: Spark divides decimals into a decimal with few places."""
    return exp.Paren(this=exp.Div(this=_double(node.this), expression=_double(node.expression)))


def _mean(node: exp.Expression) -> exp.Expression | None:
    """A mean is a real number: Spark's mean of decimals is a decimal."""
    return None if isinstance(node.this, exp.Distinct) else exp.Avg(this=_double(node.this))


def _rounded_off(node: exp.Expression) -> exp.Expression:
    """What floor and ceil give is a real number: Spark gives a whole one."""
    return _double(node.copy())


def _quantile(node: exp.Expression) -> exp.Expression | None:
    """The interpolated quantile, which Spark calls percentile."""
    return exp.func("percentile", node.this.copy(), node.expression.copy()) if node.expression else None


def _replacement(node: exp.Expression) -> exp.Expression | None:
    r"""Spark replaces every match, DuckDB the first unless told otherwise ('g'); a group is $1 there and \1 here."""
    if "g" not in (node.text("modifiers") or ""):
        raise sqlglot.UnsupportedError("regexp_replace needs the option 'g' to mean the same in every engine")
    written = node.args.get("replacement")
    if not isinstance(written, exp.Literal):
        return None
    plain = re.sub(r"[\\$](?![0-9])|\$", r"\\\g<0>", written.this)  # what Java would read as a group or an escape
    java = exp.Literal.string(re.sub(r"(?<!\\)\\([0-9])", r"$\1", plain))
    if java == written:
        return None
    return exp.RegexpReplace(
        this=node.this.copy(), expression=node.expression.copy(), replacement=java, modifiers=node.args["modifiers"]
    )


def _any_value(node: exp.Expression) -> exp.Expression:
    """Any value but null, said so that a FILTER may follow."""
    return exp.Anonymous(this="any_value", expressions=[node.this.copy(), exp.true()])


def _ignoring_nulls(node: exp.Expression) -> exp.Expression | None:
    return node.this.copy() if isinstance(node.this, exp.Anonymous) else None


def _like(node: exp.Expression) -> exp.Expression | None:
    r"""A pattern without an escape character: Spark's is the backslash unless told otherwise."""
    if isinstance(node.parent, exp.Escape):
        return None
    return exp.Escape(this=node.copy(), expression=exp.Literal.string("\x01"))


def _full_match(node: exp.Expression) -> exp.Expression:
    """A pattern that has to match the whole text."""
    text, pattern = map(_spark, node.expressions or (node.this, node.expression))
    return _as_spark(f"({text} RLIKE concat('^(?:', {pattern}, ')\\\\z'))")


def _function(node: exp.Expression) -> exp.Expression | None:
    """Functions that Spark does not have, or has otherwise."""
    name = str(node.this).lower()
    if name == "hash":  # of 64 bits, in which a null has its place: Spark's passes over nulls
        parts = ", ".join(f"{_spark(part)} IS NULL, {_spark(part)}" for part in node.expressions)
        return _as_spark(f"xxhash64({parts})")
    if name == "isfinite":  # what is no number is larger than infinity in Spark
        return _as_spark(f"(abs({_spark(node.expressions[0])}) < CAST('Infinity' AS DOUBLE))")
    if name == "regexp_full_match":  # older versions of sqlglot have no class for it
        return _full_match(node)
    return None


def _is_no_number(node: exp.Expression) -> bool:
    """Whether the SQL itself says that something is no real number and no decimal, so that no case of one is written.

    Each case names what is cast several times over: casts within casts would grow without end.
    """
    if isinstance(node, exp.Paren) and node.type is None:
        return _is_no_number(node.this)
    kind = node.type if node.type is not None else node.args.get("to") if isinstance(node, exp.Cast) else None
    if kind is not None:
        return bool(kind.is_type(*NO_NUMBERS))
    return isinstance(node, TEXTS) or (isinstance(node, exp.Literal) and bool(node.is_string))


def _typed(sql: str, kind: str) -> exp.Expression:
    """SQL of Spark, and the type that it gives."""
    written = _as_spark(sql)
    written.type = exp.DataType.build(kind)
    return written


def _real(node: exp.Expression) -> str:
    return f"typeof({_spark(node)}) IN ('double', 'float')"


def _double(node: exp.Expression) -> exp.Expression:
    return exp.cast(node.copy(), exp.DataType.Type.DOUBLE)


def _spark(node: exp.Expression) -> str:
    return str(node.sql(dialect="spark"))


def _as_spark(sql: str) -> exp.Expression:
    return exp.Paren(this=sqlglot.parse_one(sql, read="spark"))


# By the name of the class, since which of them exist depends on the version of sqlglot.
RULES: dict[str, Rule] = {
    "Cast": _cast,
    "TryCast": _cast,
    "Div": _division,
    "Avg": _mean,
    "Floor": _rounded_off,
    "Ceil": _rounded_off,
    "PercentileCont": _quantile,
    "RegexpReplace": _replacement,
    "AnyValue": _any_value,
    "IgnoreNulls": _ignoring_nulls,  # around what _any_value has written
    "Like": _like,
    "ILike": _like,
    "RegexpFullMatch": _full_match,
    "SimilarTo": _full_match,
    "Anonymous": _function,
}
