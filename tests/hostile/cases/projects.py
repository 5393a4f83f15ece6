"""Project files."""

from __future__ import annotations

from pathlib import Path

from tests.hostile.case import MARK, Case, Place, text

DATA = "data: {source: d.csv}\n"
COLUMNS = "columns: {age: {role: quasi}, dx: {role: sensitive}, name: {role: direct}}\n"
MEASURES = "measures: [{measure: k_anonymity, at_least: 2}]\n"
OTHER = {"data": DATA, "columns": COLUMNS, "measures": MEASURES}
LINE = "sfumato.yaml, line"


def project(name: str, what: str, content: str | bytes, *, whole: bool = False, **known: object) -> Case:
    """A project: these lines, and the usual ones for the keys that they do not have."""

    def make(place: Place) -> Path:
        place.put("d.csv", text())
        (place.folder / "out.csv").symlink_to(place.neighbour / "victim.csv")
        if isinstance(content, bytes):
            return place.put("sfumato.yaml", content)
        rest = "" if whole else "".join(lines for key, lines in OTHER.items() if f"{key}:" not in content)
        said = content.replace("NEIGHBOUR", str(place.neighbour)).replace("FOLDER", str(place.folder))
        return place.put("sfumato.yaml", rest + said + "\n")

    return Case(f"project-{name}", what, "project", make, may_write=("case/sfumato.yaml",), **known)  # type: ignore[arg-type]


def query(name: str, what: str, sql: str) -> Case:
    """A project whose query would do more than read a table of its database."""

    def make(place: Place) -> Path:
        import duckdb

        with duckdb.connect(str(place.folder / "d.duckdb")) as connection:
            connection.execute(
                f"CREATE TABLE d AS SELECT 20 + i % 2 AS age, '{MARK}' AS dx, '{MARK}' AS name FROM range(12) r(i)"
            )
        said = sql.replace("NEIGHBOUR", str(place.neighbour)).replace("FOLDER", str(place.folder))
        lines = f"data:\n  source: d.duckdb\n  query: >-\n    {said}\n" + COLUMNS + MEASURES
        return place.put("sfumato.yaml", lines)

    return Case(f"query-{name}", what, "project", make, refused="query")


def source(name: str, what: str, path: str, **known: object) -> Case:
    return project(f"source-{name}", what, f"data: {{source: {path}}}", **{"refused": "", **known})


ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{c}: &{c} [{', '.join([f'*{p}'] * 9)}]\n" for p, c in zip("abcdefghi", "bcdefghij", strict=True)
)
WRONG_TYPES = {
    "data": "data: [1, 2]", "data-text": "data: d.csv", "source-number": "data: {source: 5}", "source-list": "data: {source: [d.csv]}",
    "columns": "columns: [age]", "columns-text": "columns: age", "column-text": "columns: {age: quasi}", "role-list": "columns: {age: {role: [quasi]}}",
    "role-null": "columns: {age: {role: null}}", "measures": "measures: {k: 2}", "measures-text": "measures: k", "measure-number": "measures: [{measure: 5, at_least: 2}]",
    "measure-list": "measures: [[k_anonymity]]", "subject-list": "subject: [age]", "bins-text": "columns: {age: {role: quasi, bins: many}}",
    "level-text": "columns: {age: {role: quasi, hierarchy: h.csv, level: first}}", "plan-list": "plan: [1]", "plan-text": "plan: drop", "context-list": "context: [1]",
    "anonymise-list": "anonymise: [1]", "scenarios": "scenarios: {a: 1}", "subsets": "subsets: [1]", "population": "population: 5", "preset-list": "preset: [x]",
    "engine-list": "engine: [duckdb]", "key-number": "5: 6", "key-list": "[1, 2]: 3", "key-null": "null: 1",
}  # fmt: skip
BOUNDS = {
    "minus": "-1", "zero": "0", "huge": "1e99", "nan": ".nan", "infinity": ".inf", "minus-infinity": "-.inf", "digits": "9" * 400, "power": "1e400",
    "octal": "0o17", "text": "'5; DROP'", "true": "true", "sexagesimal": "1:30", "date": "2026-01-01",
}  # fmt: skip

CASES = [
    project("good", "A project as it should be.", "", records=12),
    project("empty", "An empty file.", b""),
    project("one-byte", "One byte.", b"{"),
    project("rubbish", "Rubbish.", bytes(range(256)) * 9, refused="sfumato.yaml"),
    project("nul", "NUL alone.", bytes(900), refused="sfumato.yaml"),
    project("utf-16", "UTF-16.", (DATA + COLUMNS).encode("utf-16")),
    project("bom", "A byte order mark.", b"\xef\xbb\xbf" + (DATA + COLUMNS + MEASURES).encode(), records=12),
    project("bom-within", "A byte order mark within.", (DATA + "\ufeff" + COLUMNS).encode()),
    project("surrogate", "Half a surrogate pair.", '"\\ud800": 1', refused="sfumato.yaml"),
    project("list", "A list for a project.", "[1, 2, 3]", whole=True, refused="sfumato.yaml"),
    project("text", "A text for a project.", MARK * 50, whole=True),
    project("cut", "YAML that breaks off.", "columns: {age: {role: [quasi", refused=LINE),
    project("two-documents", "Two documents.", "---\ndata: {source: d.csv}\n---\ndata: {source: e.csv}", refused="sfumato.yaml"),
    project("tabs", "Tabs for indentation.", "columns:\n\tage: {role: quasi}", refused=LINE),
    project("keys-twice", "A key twice.", f"subject: age\nsubject: {MARK}", refused=LINE),
    project("unknown-key", "A key that is none.", "colums: {age: {role: quasi}}", refused="columns"),
    project("unknown-terminal", "A key that moves a cursor.", '"\\e[2J\\u202e": 1', refused="sfumato.yaml"),
    project("tag-python", "A tag that would run something.", "subject: !!python/object/apply:os.system ['touch evil']", refused=LINE),
    project("tag-name", "A tag that would import something.", "subject: !!python/name:os.system", refused=LINE),
    project("tag-binary", "A tag of bytes.", "subject: !!binary aGVsbG8=", refused=LINE),
    project("tag-set", "A tag of sets.", "columns: !!set {age, dx}", refused=LINE),
    project("tag-own", "A tag of nobody.", "subject: !x age", refused=LINE),
    project("tag-float", "A text that is tagged as a number.", "subject: !!float abc", refused=LINE),
    project("tag-int", "A text that is tagged as an integer.", "subject: !!int ''", refused=LINE),
    project("tag-timestamp", "A text that is tagged as a day.", "subject: !!timestamp 2026-99-99", refused=LINE),
    project("day-wrong", "A day of no calendar.", "subject: 2026-02-30"),
    project("aliases", "Aliases that unfold to a thousand million.", ALIASES, refused=LINE),
    project("alias", "One alias.", "x: &x 1\ny: *x", refused=LINE),
    project("alias-itself", "An alias within itself.", "columns: &a {age: *a}", refused=LINE),
    project("merge", "Merged keys.", "columns:\n  age: &a {role: quasi}\n  dx: {<<: *a, scale: nominal}", refused=LINE),
    project("merge-value", "A merge of what is no mapping.", "columns: {<<: 5, age: {role: quasi}}", refused=LINE),
    project("deep", "Lists in each other.", "subject: " + "[" * 20_000, refused="sfumato.yaml"),
    project("deep-blocks", "Blocks in each other.", "subject:\n" + "".join(" " * i + "a:\n" for i in range(1, 1500)), refused="sfumato.yaml"),
    project("deep-keys", "Keys in keys.", "? " * 3000 + "a", refused="sfumato.yaml"),
    project("long", "Five megabytes of comments.", "# " + "x" * (5 << 20)),
    project("long-key", "A key of a megabyte.", f"? {'k' * (1 << 20)}\n: 1", refused="sfumato.yaml"),
    project("many-columns", "Ten thousand columns that are not there.", "columns: {" + ", ".join(f"c{i}: {{role: quasi}}" for i in range(10_000)) + "}"),
    project("many-bins", "Twenty thousand edges.", f"columns: {{age: {{role: quasi, bins: [{', '.join(map(str, range(20_000)))}]}}}}"),
    *(project(f"type-{name}", f"A value of another type: {name}.", content, refused="sfumato.yaml") for name, content in WRONG_TYPES.items()),
    *(project(f"bound-{name}", f"A bound that is {name}.", f"measures: [{{measure: k_anonymity, at_least: {bound}}}]") for name, bound in BOUNDS.items()),
    project("bins-nan", "Edges that are no numbers.", "columns: {age: {role: quasi, bins: [.nan, .inf]}}", refused=LINE),
    project("bins-down", "Edges that fall.", "columns: {age: {role: quasi, bins: [9, 1]}}", refused=LINE),
    project("level-minus", "A level below nothing.", "columns: {age: {role: quasi, hierarchy: h.csv, level: -1}}", refused=LINE),
    project("level-huge", "A level above everything.", f"columns: {{age: {{role: quasi, hierarchy: h.csv, level: {10**30}}}}}", refused="sfumato.yaml"),
    project("suppress-huge", "A share of more than all.", "anonymise: {suppress: 1e99}", refused=LINE),
    project("suppress-nan", "A share that is no number.", "anonymise: {suppress: .nan}", refused=LINE),
    project("seconds", "A search without end.", "anonymise: {seconds: .inf}"),
    project("fraction", "A share of the population above all.", "population: {fraction: 5}"),
    project("encoding", "An encoding that is no encoding of texts.", "data: {source: d.csv, encoding: zip}", refused=LINE),
    project("encoding-path", "An encoding that leads out.", "data: {source: d.csv, encoding: ../../x}", refused=LINE),
    project("delimiter", "A delimiter of NUL.", 'data: {source: d.csv, delimiter: "\\0"}'),
    project("delimiter-quote", "A quote for a delimiter.", "data: {source: d.csv, delimiter: '\"'}"),
    project("date-format", "A form of dates that is none.", "columns: {dx: {role: sensitive, date_format: '%d%n%(x)s'}}", refused=LINE),
    project("date-century", "A hundred years that nobody has.", "columns: {dx: {role: sensitive, date_format: '%d-%b-%y from 99999999999'}}", refused=LINE),
    project("column-sql", "A column whose name is SQL.", "columns: {\"x\\\"); DROP TABLE d; --\": {role: quasi}}"),
    project("measure-sql", "A measure whose name is SQL.", "measures: [{measure: \"k'); DROP TABLE d; --\", at_least: 2}]", refused="sfumato.yaml"),
    project("measure-dunder", "A measure whose name is a part of Python.", "measures: [{measure: __class__, at_least: 2}]", refused="sfumato.yaml"),
    project("measure-parameter", "A measure with a parameter of Python.", "measures: [{measure: k_anonymity, at_least: 2, __class__: x}]", refused="sfumato.yaml"),
    project("preset-path", "A preset that leads out.", "preset: ../../../neighbour/levels", refused=LINE),
    project("engine-path", "An engine that leads out.", "engine: ../../x", refused="engine"),
    project("recipient-out", "A recipient whose answers are somebody else's.", "context: {recipient: ../neighbour/victim.csv}"),
    project("population-out", "A population that is somebody else's table.", "population: {table: ../neighbour/victim.csv}"),
    project("hierarchy-out", "A hierarchy that is somebody else's.", "columns: {age: {role: quasi, hierarchy: ../neighbour/levels.csv, level: 1}}", refused="leads out"),
    project("subset-sql", "A condition with SQL.", "subsets: [{name: x, columns: [age], where: {column: \"age\\\" OR 1=1 --\", equals: \"' OR 1=1\"}}]"),
    project("subset-pattern", "A pattern that takes for ever.", "subsets: [{name: x, columns: [age], where: {column: dx, matches: '(a+)+$'}}]"),
    source("up", "A table above the folder of the project.", "../neighbour/victim.csv", refused="leads out"),
    source("absolute", "A table elsewhere.", "NEIGHBOUR/victim.csv", refused="leads out"),
    source("link", "A link out of the folder.", "out.csv", refused="leads out"),
    source("passwords", "The list of users.", "/etc/passwd", refused=""),
    source("device", "A device.", "/dev/zero", refused=""),
    source("home", "Somebody's home.", "'~/x.csv'", refused=""),
    source("pattern", "A pattern of files.", "'*.csv'", refused=""),
    source("network", "A table of the network.", "http://127.0.0.1:9/d.csv", refused=""),
    source("itself", "The project itself.", "sfumato.yaml", refused=""),
    source("nul", "A name with NUL.", '"d\\0.csv"', refused=""),
    query("copy", "A query that writes a file.", "SELECT * FROM d); COPY (SELECT 1) TO 'NEIGHBOUR/victim.csv'; --"),
    query("copy-alone", "A statement that writes a file.", "COPY d TO 'FOLDER/evil.csv'"),
    query("two", "Two statements.", "SELECT * FROM d; SELECT 1 AS age"),
    query("drop", "A statement that drops a table.", "DROP TABLE d"),
    query("attach", "A statement that attaches another database.", "ATTACH 'NEIGHBOUR/evil.duckdb' AS evil"),
    query("install", "A statement that installs an extension.", "INSTALL httpfs"),
    query("pragma", "A statement that changes settings.", "SET enable_external_access = true"),
    query("call", "A statement that calls something.", "CALL pragma_version()"),
    query("read-csv", "A query that reads a file.", "SELECT * FROM read_csv('NEIGHBOUR/victim.csv')"),
    query("read-text", "A query that reads the text of a file.", "SELECT content AS age, content AS dx, filename AS name FROM read_text('/etc/hostname')"),
    query("by-name", "A query that reads a file by its name.", "SELECT * FROM 'NEIGHBOUR/victim.csv'"),
    query("by-quoted-name", "A query that reads a file by its quoted name.", 'SELECT * FROM "NEIGHBOUR/victim.csv"'),
    query("glob", "A query that lists files.", "SELECT file AS age FROM glob('/etc/*')"),
    query("within", "A file function deep within.", "SELECT * FROM d WHERE age IN (SELECT age FROM (SELECT * FROM read_csv_auto('NEIGHBOUR/victim.csv')))"),
    query("environment", "A query that asks for a variable.", "SELECT getenv('HOME') AS age FROM d"),
    query("settings", "A query that asks for the settings.", "SELECT name AS age, value AS dx FROM duckdb_settings()"),
    query("dynamic", "A query of a query in a text.", "SELECT * FROM query('SELECT 1 AS age')"),
    query("create", "A table of a query.", "CREATE TABLE e AS SELECT * FROM d"),
    query("comment", "Nothing but a comment.", "-- SELECT"),
    query("rubbish", "No SQL.", "It was a dark and stormy night."),
    query("deep", "A thousand brackets.", "SELECT " + "(" * 1500 + "1" + ")" * 1500 + " AS age FROM d"),
]  # fmt: skip
