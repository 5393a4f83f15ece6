"""The command line: parse, call one verb, show what it found.

Exit codes: 0 done and every requirement met, 1 a requirement is not met, 2 wrong use or unusable input.
Nothing heavy is imported here: `sfumato --help` must answer at once.
"""

from __future__ import annotations

import io
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.errors import OutputError, PolicyError, SfumatoError

if TYPE_CHECKING:
    from sfumato.engine import Engine
    from sfumato.flow import Tell
    from sfumato.source import ReadOptions

app = typer.Typer(
    name="sfumato",
    help="Find, measure and remove what could re-identify people in tabular health data.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
study_app = typer.Typer(
    help="Assess a study folder: its files are combined into one table first.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(study_app, name="study")

Source = Annotated[str, typer.Argument(metavar="DATA", help="A file, a folder of Parquet files, or a database.")]
MaybeSource = Annotated[
    str | None,
    typer.Argument(metavar="DATA", help="A file, a folder of Parquet files, a database, or sfumato.yaml."),
]
Columns = Annotated[list[str] | None, typer.Option(metavar="A,B", help="Columns, comma separated; may be repeated.")]
Json = Annotated[str | None, typer.Option("--json", metavar="FILE", help="Write JSON here; - is the terminal.")]
Table = Annotated[str | None, typer.Option(help="The table of a database, or the sheet of a workbook.")]
Query = Annotated[str | None, typer.Option(help="A SELECT to run in a database, instead of a table.")]
Delimiter = Annotated[str | None, typer.Option(help="Between the fields of a CSV file. Detected.")]
Encoding = Annotated[str | None, typer.Option(help="Of a CSV file. Detected.")]
Decimal = Annotated[str | None, typer.Option(help="The decimal sign of a CSV file. Detected.")]
Tokens = Annotated[list[str] | None, typer.Option("--missing-token", help="A text that means: no value. Repeatable.")]
Types = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="COLUMN=TYPE", help="text, integer, real, date, timestamp."),
]


def main() -> None:
    """Run the command line. Errors are sentences, and never show what is in a cell."""
    _show_any_letter()
    try:
        app(prog_name="sfumato")
    except SfumatoError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        _fail("stopped.")
    except Exception as error:
        if "interrupt" in str(error).lower():
            _fail("stopped.")
        # An unforeseen error may carry a cell value in its message, so only its kind and place are shown.
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}, line {last.lineno}"
        _fail(f"Something unforeseen went wrong ({type(error).__name__} at {place}). Please report this.")


@app.command(
    epilog="Example: sfumato assess patients.csv --quasi age,sex,postcode --sensitive diagnosis --k 5 --l 3 --t 0.3"
)
def assess(
    data: MaybeSource = None,
    project: Annotated[Path | None, typer.Option(help="A project file (sfumato.yaml).")] = None,
    quasi: Columns = None,
    sensitive: Columns = None,
    direct: Columns = None,
    subject: Annotated[str | None, typer.Option(help="The column that says whom a record is about.")] = None,
    k: Annotated[int | None, typer.Option("--k", min=1, help="At least k people alike.")] = None,
    l: Annotated[float | None, typer.Option("--l", min=1, help="At least l different sensitive values.")] = None,
    t: Annotated[float | None, typer.Option("--t", min=0, help="At most this far from everybody's values.")] = None,
    distance: Annotated[
        list[str] | None,
        typer.Option(metavar="[COLUMN=]NAME", help="For t: total-variation, ordered or wasserstein."),
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Any measure: 'entropy_l_diversity(diagnosis) >= 2'."),
    ] = None,
    bins: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=EDGES", help="Read a number in intervals: age=0,6,12,18."),
    ] = None,
    sensitive_bins: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=EDGES", help="Intervals of a sensitive number, for l only."),
    ] = None,
    hierarchy: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=FILE@LEVEL", help="Read a column at a level of a hierarchy."),
    ] = None,
    order: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=A,B,C", help="The order of ordinal values, lowest first."),
    ] = None,
    scale: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN=SCALE", help="nominal, ordinal, numeric or date.")
    ] = None,
    missing_values: Annotated[
        str | None, typer.Option(help="A missing quasi-identifier: own_value, wildcard or never_matches.")
    ] = None,
    count_missing: Annotated[
        bool, typer.Option("--count-missing", help="A missing sensitive value counts as a value.")
    ] = False,
    json_file: Json = None,
    out: Annotated[Path | None, typer.Option(help="Folder for one CSV of flagged records per failed measure.")] = None,
    engine: Annotated[str | None, typer.Option(help="duckdb or spark.")] = None,
    memory: Annotated[str | None, typer.Option(help="What DuckDB may use before it spills to disk, e.g. 4GB.")] = None,
    master: Annotated[str | None, typer.Option(help="The Spark master, for --engine spark.")] = None,
    table: Table = None,
    query: Query = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing_token: Tokens = None,
    type_: Types = None,
) -> None:
    """Which records are at risk, why, and how many: k, l, t and other measures against their bounds."""
    from sfumato.flow import assess_source
    from sfumato.question import Question

    _spare(json_file, data, project)

    question = Question.written(
        quasi=_listed(quasi), sensitive=_listed(sensitive), direct=_listed(direct), subject=subject,
        k=k, l=l, t=t, distances=_pairs(distance, bare=True), requirements=require or (),
        bins=_pairs(bins), sensitive_bins=_pairs(sensitive_bins), hierarchies=_pairs(hierarchy), orders=_pairs(order),
        scales=_pairs(scale), missing=missing_values, count_missing=count_missing,
    )  # fmt: skip
    options = _options(table, query, delimiter, encoding, decimal, missing_token, type_)
    with _progress() as tell:
        found = assess_source(
            data, project, question, options=options, engine=_engine(engine, master, memory), tell=tell
        )
        files = _flagged(found, out)
    _show(found.sheet(), found.to_json(), json_file)
    for file in files:
        typer.echo(f"Flagged records: {file}", err=json_file == "-")
    raise typer.Exit(1 if found.met is False else 0)


@app.command(epilog="Example: sfumato columns patients.csv --type postcode=text")
def columns(
    data: Source,
    json_file: Json = None,
    table: Table = None,
    query: Query = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing_token: Tokens = None,
    type_: Types = None,
) -> None:
    """How each column was read, and why: text, number or date, and how many values are missing."""
    from sfumato.loading import load
    from sfumato.sheets.extract import extract_sheet

    options = _options(table, query, delimiter, encoding, decimal, missing_token, type_)
    with _progress() as tell:
        tell("Reading the data")
        document = load(data, options).document()
    _show(extract_sheet(document), _json(document), json_file)


@app.command(epilog="Example: sfumato init patients.csv --out sfumato.yaml")
def init(
    data: Source,
    out: Annotated[Path, typer.Option(help="The project file to write.")] = Path("sfumato.yaml"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
    json_file: Json = None,
    table: Table = None,
    query: Query = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
) -> None:
    """Write a commented first project file (sfumato.yaml) for a table; the roles are yours to decide."""
    from sfumato.flow import first_project

    with _progress() as tell:
        tell("Reading the data")
        found = first_project(data, out, _options(table, query, delimiter, encoding), overwrite=force)
    if json_file:
        _write(json_file, _json({"written": str(out), "columns": found}))
    if json_file != "-":
        typer.echo(f"Wrote {out}: {found} columns. Give each its role, then run: sfumato assess --project {out}")


@app.command(epilog="Example: sfumato schema > sfumato.schema.json")
def schema(json_file: Json = None) -> None:
    """The JSON Schema of the project file, for editors that check and complete it."""
    from sfumato.project import Project

    _write(json_file or "-", _json(Project.json_schema()))


@app.command(epilog="Example: sfumato measures t_closeness")
def measures(
    name: Annotated[str | None, typer.Argument(help="One measure, in full.")] = None,
    json_file: Json = None,
) -> None:
    """The measures there are, what each says, and which way is safer."""
    from sfumato.catalogue import described
    from sfumato.sheets.measures import measure_sheet

    document = described(name)
    _show(measure_sheet(document), _json(document), json_file)


@study_app.command("bio-streams", epilog="Example: sfumato study bio-streams --root . --pilot PENTELI")
def bio_streams(
    root: Annotated[Path, typer.Option(help="The folder with .env and pilot_report/.")] = Path(),
    pilot: Annotated[
        str | None, typer.Option(help="The pilot; else BIOSTREAMS_PILOT of the environment or .env.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="The configuration, JSON or YAML.")] = None,
    json_file: Json = None,
) -> None:
    """CDISC domain files of a BIO-STREAMS pilot: combined, assessed on k, l and t, risky rows and summary written."""
    from sfumato.study_flow import bio_streams as run

    with _progress() as tell:
        found = run(root, pilot=pilot, config=config, tell=tell)
    if json_file:
        _write(json_file, found.assessment.to_json())
    if json_file != "-":
        typer.echo(found.summary)
        for file in found.files:
            typer.echo(f"Wrote {file}")
    raise typer.Exit(1 if found.assessment.met is False else 0)


@app.command(hidden=True, epilog="Example: sfumato demo --folder demo")
def demo(
    folder: Annotated[Path, typer.Option(help="Where to write the made-up pilot.")] = Path("demo"),
) -> None:
    """Write a made-up pilot of 633 children, for trying things out."""
    from sfumato.studies.bio_streams.pilot import write_pilot

    write_pilot(folder)
    typer.echo(f"Wrote a made-up pilot to {folder}")


def _version(wanted: bool) -> None:  # noqa: FBT001
    if wanted:
        from sfumato import __version__

        typer.echo(f"sfumato {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Find, measure and remove what could re-identify people in tabular health data."""


def _engine(name: str | None, master: str | None, memory: str | None) -> Engine | None:
    from sfumato.loading import engine_named

    return engine_named(name, master=master, memory=memory) if name or master or memory else None


def _options(
    table: str | None = None,
    query: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    tokens: Sequence[str] | None = None,
    types: Sequence[str] | None = None,
) -> ReadOptions:
    from sfumato.question import read_options

    return read_options(
        table=table, query=query, delimiter=delimiter, encoding=encoding, decimal=decimal,
        missing=tuple(tokens) if tokens else None, kinds=_pairs(types),
    )  # fmt: skip


def _flagged(found: Any, out: Path | None) -> tuple[Path, ...]:
    if out is None:
        return ()
    from sfumato.flagged import write_flagged

    return write_flagged(found, out)


QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?:,|$)|([^,]*)(?:,|$)', re.DOTALL)
PAIR = re.compile(r'(?:"((?:[^"]|"")*)"|([^="]*))=(.*)', re.DOTALL)


def _listed(options: Sequence[str] | None) -> tuple[str, ...]:
    """Comma-separated names; a name with a comma, or with blanks at its ends, stands in double quotes."""
    found = (
        match[1].replace('""', '"') if match[1] is not None else match[2].strip()
        for option in options or ()
        for match in QUOTED.finditer(option)
    )
    return tuple(name for name in found if name)


def _pairs(options: Sequence[str] | None, *, bare: bool = False) -> dict[str, str]:
    """COLUMN=VALUE settings; with `bare`, a value alone holds for every column."""
    found = {}
    for option in options or ():
        match = PAIR.fullmatch(option)
        if match is None and not bare:
            raise PolicyError(f"{option!r} cannot be read: write COLUMN=VALUE.")
        column = "" if match is None else match[1].replace('""', '"') if match[1] is not None else match[2]
        found[column] = option if match is None else match[3]
    return found


@contextmanager
def _progress() -> Iterator[Tell]:
    """Says on the terminal what is going on; silent when nobody is watching."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("Starting") as status:
        yield lambda words: status.update(f"{words} ...")


def _show(sheet: Any, document: str, json_file: str | None) -> None:
    if json_file:
        _write(json_file, document)
    if json_file != "-":
        from sfumato.reports.terminal import show

        show(sheet)


def _show_any_letter() -> None:
    """A name that the terminal has no letters for is shown in numbers, instead of stopping the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _spare(target: str | None, *sources: str | Path | None) -> None:
    """Refuse to write over the data, or over the project file and the data that it names."""
    from sfumato.flow import sources_of

    if target in (None, "-") or not Path(str(target)).exists():
        return
    for source in sources_of(*sources):
        if source.exists() and Path(str(target)).samefile(source):
            raise OutputError(f"{target} is the data itself, or its project file. Choose another file for --json.")


def _write(target: str, text: str) -> None:
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))  # JSON is UTF-8, whatever the terminal is
        return
    from sfumato.outputs import write_text

    write_text(target, text)


def _json(document: object) -> str:
    import json

    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _fail(message: str) -> None:
    sys.stderr.write(f"sfumato: {message}\n")
    sys.exit(2)
