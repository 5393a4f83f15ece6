"""A query that somebody wrote into a project file: one SELECT over tables of the database, and nothing else.

The text itself is never run. It is read into a tree, everything in the tree must be on a list, every table becomes the
one that the catalogue of the database has, and what is run is written anew out of the tree. The views of a database
file are queries too, of whoever made the file: they are run as they are, once they are found to have nothing else. So
are the columns that a table computes. A file may also hold functions of its own, under the name of any function or
operator: what could call one of them is refused.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sfumato.errors import UnreadableFile, did_you_mean
from sfumato.tables.read.query_words import FUNCTIONS, OF_TABLES, PARTS, QUERIES, TYPES, WORDS

if TYPE_CHECKING:
    from sqlglot import exp

    from sfumato.tables.read.store import Relation

LONGEST = 50_000  # characters: the longest SELECT that a person reviews is far shorter
DEEPEST = 40  # brackets within brackets: a tree is walked by functions that call themselves, and their stack is finite
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_ ]*|[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?")
ESCAPED = re.compile(r"(?i)\bu&['\"]")  # texts and names in escapes: some versions of sqlglot see an operator
GENERATED = re.compile("Generated|Computed")  # how sqlglot calls the parts of a table's statement that compute a column
COMPUTING = frozenset({"GeneratedAsIdentityColumnConstraint", "ComputedColumnConstraint"})  # those it has for DuckDB's
STRINGS = frozenset({"Identifier", "Literal"})  # which write what they hold in quotes
WRONG = "this is no SELECT that can be read."
QUERY = "the query (--query, or `query:` in a project file) is not run"
EXPORT = "Export the table that you need to a file (CSV, Parquet), and read that file instead."


@dataclass(frozen=True)
class CheckedQuery:
    """Checks queries for one database: in its dialect, over its tables."""

    source: str
    dialect: str  # as sqlglot calls it
    relations: Sequence[Relation]
    what: str = QUERY  # how a refusal begins
    within: frozenset[str] = frozenset()  # the views that lead to this one
    macros: Mapping[str, bool] = field(default_factory=dict)  # functions of the file: whether DuckDB has one so named

    def check_computed(self, relation: Relation) -> None:
        """Refuse a view or a column that is computed by what a query may not have, or reads what is."""
        if relation.made_by is None or relation.sql in self.within:  # a view that reads itself fails when it is read
            return
        sort = "view" if relation.view else "table"
        what = f"the {sort} {str(relation)!r} is not read"
        checks = replace(self, what=what, within=self.within | {relation.sql})
        try:
            checks._refuse_macros(relation.made_by)
            for part in checks._computing(relation.made_by):
                checks._check(part, frozenset())
        except RecursionError:
            raise checks._refused("it is too long.") from None

    def _computing(self, statement: str) -> list[exp.Expression]:
        """What computes values in a statement that makes a view (its SELECT) or a table (those of its columns)."""
        made = self._statement(statement)
        select = made.args.get("expression")
        if type(made).__name__ == "Create" and made.args.get("kind") == "VIEW" and type(select).__name__ in QUERIES:
            return [select]
        if type(made).__name__ == "Create" and made.args.get("kind") == "TABLE" and select is None:
            constraints = [node for node in made.walk() if GENERATED.match(type(node).__name__)]
            if constraints and all(type(node).__name__ in COMPUTING for node in constraints):
                return [node.args.get("expression") or node.this for node in constraints]
        raise self._refused(WRONG)

    def _refuse_macros(self, text: str) -> None:
        """Refuse what could call a function of the file: it has the name of one of DuckDB's, or stands in the text."""
        words = set(re.findall(r"\w+", text.casefold()))
        for name, known in self.macros.items():
            if known or name.casefold() in words or not name.isidentifier():
                raise self._refused(f"the file has a function {name!r} of its own, which it could call.")

    def sql(self, text: str) -> str:
        """What is run instead of the text; `UnreadableFile` says what a query may not have."""
        try:
            self._refuse_macros(text)
            tree = self._parsed(text)
            self._check(tree, frozenset())
            written = str(tree.sql(dialect=self.dialect, comments=False))
            self._check(self._parsed(written), frozenset())  # what is written must read as something that may be run
        except RecursionError:  # long chains, such as 1 + 1 + 1 ...
            raise self._refused("it is too long.") from None
        return written

    def _parsed(self, text: str) -> exp.Expression:
        statement = self._statement(text)
        if type(statement).__name__ not in QUERIES:
            raise self._refused("this is no SELECT.", "Nothing but reading is done.")
        return statement

    def _statement(self, text: str) -> exp.Expression:
        import sqlglot
        from sqlglot.errors import SqlglotError

        if len(text) > LONGEST or _depth(text) > DEEPEST:
            raise self._refused(f"it is longer than {LONGEST} characters, or has brackets {DEEPEST} deep.")
        if "\0" in text or ESCAPED.search(text):
            raise self._refused(WRONG)
        log = logging.getLogger("sqlglot")
        before, log.disabled = log.disabled, True  # it repeats the text of what it cannot read
        try:
            statements = sqlglot.parse(text, read=self.dialect)
        except (SqlglotError, ValueError, TypeError, AttributeError, LookupError):
            raise self._refused(WRONG, "Check its brackets, quotes and commas.") from None
        finally:
            log.disabled = before
        statements = [one for one in statements if one is not None and type(one).__name__ != "Semicolon"]
        if len(statements) != 1:
            raise self._refused(f"{len(statements)} statements were found.", "Write one SELECT.")
        return statements[0]

    def _check(self, node: exp.Expression, named: frozenset[str]) -> None:
        """Refuse a part that is not on the lists; `named` are the queries that WITH has given a name so far."""
        kind = type(node).__name__
        self._check_part(node, kind)
        if kind == "Table":
            self._check_table(node, named)
        defined = next((part for part in _parts(node) if type(part).__name__ == "With"), None)
        if defined is not None:
            named = self._check_named(defined, named)
        for part in _parts(node):
            if part is not defined:
                self._check(part, named)

    def _check_part(self, node: exp.Expression, kind: str) -> None:
        from sqlglot import exp

        if isinstance(node, exp.Func) and kind not in WORDS:
            self._check_function(node, kind)
        elif kind == "DataType":
            self._check_type(node)
        elif kind not in PARTS | WORDS:
            raise self._refused(f"it has something that a query may not have ({_words(kind)}).")
        for key, value in node.args.items():
            if isinstance(value, str) and not PLAIN.fullmatch(value) and not _quoted(node, kind, key):
                raise self._refused(WRONG)

    def _check_function(self, node: exp.Func, kind: str) -> None:
        if kind in ("Anonymous", "AnonymousAggFunc"):
            bare = isinstance(node.this, str)
            if not bare or node.this.lower() not in FUNCTIONS:
                raise self._refused_function(node.name)
        elif not FUNCTIONS & {name.lower() for name in node.sql_names()}:
            raise self._refused_function(node.sql_names()[0].lower())

    def _check_type(self, node: exp.Expression) -> None:
        declared = getattr(node.this, "name", None)
        if declared not in TYPES or node.args.get("nested"):
            raise self._refused("it casts to a type that a query may not use.", "Cast to text, a number or a date.")

    def _check_table(self, node: exp.Expression, named: frozenset[str]) -> None:
        """Let a table be the one of the catalogue, in quotes; a query of WITH goes before it, as in every database."""
        from sqlglot import exp

        more = {key for key, value in node.args.items() if value and key not in OF_TABLES}
        if not isinstance(node.this, exp.Identifier) or more:
            raise self._refused(
                "it reads from something else than a table by its name (a function, a file, a sample or another "
                "database)."
            )
        schema = node.args.get("db")
        if schema is None and self._folded(node.this) in named:
            return
        meant = [
            r for r in self.relations if self._is(node.this, r.name) and (schema is None or self._is(schema, r.schema))
        ]
        meant = [r for r in meant if r.usual] or meant
        if len(meant) != 1:
            problem = "no" if not meant else "more than one"
            name = ".".join(part.name for part in (schema, node.this) if part is not None)
            close = did_you_mean(name, [r.name for r in self.relations]) if not meant else " Write SCHEMA.TABLE."
            raise self._refused(f"it reads {name!r}, and the database has {problem} such table.{close}", "")
        self.check_computed(meant[0])
        node.set("this", exp.to_identifier(meant[0].name, quoted=True))
        node.set("db", exp.to_identifier(meant[0].schema, quoted=True))

    def _check_named(self, defined: exp.Expression, named: frozenset[str]) -> frozenset[str]:
        """The names of WITH and those before it; each of its queries sees those that stand before it."""
        if defined.args.get("recursive"):
            raise self._refused("WITH RECURSIVE may never end.")
        self._check_part(defined, "With")
        for query in defined.expressions:
            if type(query).__name__ != "CTE" or type(query.this).__name__ not in QUERIES:
                raise self._refused("WITH may name a SELECT only.")
            self._check(query, named)
            named |= {self._folded(query.args["alias"].this)}
        return named

    def _folded(self, name: exp.Expression) -> str:
        """A name as the database compares it: PostgreSQL keeps the case of what stands in quotes."""
        exact = self.dialect == "postgres" and name.args.get("quoted")
        return str(name.name) if exact else str(name.name).lower()

    def _is(self, written: exp.Expression, name: str) -> bool:
        return self._folded(written) == (name if self.dialect == "postgres" else name.lower())

    def _refused_function(self, name: str) -> UnreadableFile:
        return self._refused(f"it calls {name}, which is not one of the functions that a query may call.")

    def _refused(self, problem: str, hint: str = EXPORT) -> UnreadableFile:
        return UnreadableFile(self.source, f"{self.what}: {problem}", hint=hint)


def _parts(node: exp.Expression) -> Iterator[exp.Expression]:
    """The parts of a part, in order."""
    from sqlglot import exp

    def nodes(value: Any) -> Iterator[exp.Expression]:
        if isinstance(value, exp.Expression):
            yield value
        elif isinstance(value, list | tuple):
            for one in value:
                yield from nodes(one)

    return (part for value in list(node.args.values()) for part in nodes(value))


def _quoted(node: exp.Expression, kind: str, key: str) -> bool:
    """Whether what a part holds is written in quotes, in which it may be anything."""
    if kind not in STRINGS or key != "this":
        return False
    return bool(node.args.get("quoted") or node.args.get("is_string"))


def _depth(text: str) -> int:
    """How deep brackets stand in each other, at most; those in quotes count too."""
    deepest = depth = 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        deepest = max(deepest, depth)
    return deepest


def _words(kind: str) -> str:
    """The name of a part of the tree in words: `TableSample` is `table sample`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()
