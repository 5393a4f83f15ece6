"""`sfumato assess` and `sfumato columns`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import (
    Bins,
    BoundOptions,
    ColumnOptions,
    Distance,
    Json,
    MaybeSource,
    ProjectFile,
    Require,
    Source,
    distances_of,
    pairs,
    shared,
)
from sfumato.cli.output import as_json, progress, require_apart, show, spare_sources
from sfumato.cli.use_log import recorded

if TYPE_CHECKING:
    from sfumato.proof.use_log.entry import Use
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions

ANOTHER = "Choose another folder for --out."


class FlaggedFormat(StrEnum):
    """The formats of files of flagged records."""

    CSV = "csv"
    PARQUET = "parquet"


@app.command(
    epilog="Example: sfumato assess patients.csv --quasi age,sex,postcode --sensitive diagnosis --k 5 --l 3 --t 0.3"
)
@shared
@recorded
def assess(
    *,
    data: MaybeSource = None,
    project: ProjectFile = None,
    columns: ColumnOptions,
    bounds: BoundOptions,
    distance: Distance = None,
    require: Require = None,
    bins: Bins = None,
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
        str | None,
        typer.Option(metavar="READING", help="A missing quasi-identifier: own_value, wildcard or never_matches."),
    ] = None,
    count_missing: Annotated[
        bool, typer.Option("--count-missing", help="A missing sensitive value counts as a value.")
    ] = False,
    json_file: Json = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="DIR", help="Folder for one file of flagged records per failed measure."),
    ] = None,
    file_format: Annotated[
        FlaggedFormat, typer.Option("--format", help="Of the files of flagged records.")
    ] = FlaggedFormat.CSV,
    engine: Engine | None,
    options: ReadOptions,
    use: Use,
) -> None:
    """Which records are at risk, why, and how many: k, l, t and other measures against their bounds."""
    from sfumato.plans.assess_project import assess_source
    from sfumato.privacy.flagged_files import write_flagged
    from sfumato.privacy.question import Question

    spare_sources(json_file, data, project)
    _spare_flagged(out, data, project)
    question = Question.written(
        **columns.named(), **vars(bounds), distances=distances_of(distance), requirements=require or (),
        bins=pairs(bins, "--bins COLUMN=EDGES"), orders=pairs(order, "--order COLUMN=A,B,C"),
        sensitive_bins=pairs(sensitive_bins, "--sensitive-bins COLUMN=EDGES"),
        hierarchies=pairs(hierarchy, "--hierarchy COLUMN=FILE@LEVEL"),
        scales=pairs(scale, "--scale COLUMN=SCALE"), missing=missing_values, count_missing=count_missing,
    )  # fmt: skip
    with progress() as tell:
        assessment = assess_source(data, project, question, options=options, engine=engine, tell=tell)
        files = write_flagged(assessment, out, file_format=file_format.value) if out is not None else ()
    show(assessment.sheet(), assessment.to_json, json_file)
    use.note(assessment.sheet().verdict, records=assessment.records, flagged=assessment.overlap.any, met=assessment.met)
    for file in files:
        typer.echo(f"Flagged records: {file}", err=json_file == "-")
    raise typer.Exit(1 if assessment.met is False else 0)


@app.command("columns", epilog="Example: sfumato columns patients.csv --type postcode=text")
@shared
def show_columns(
    data: Source,
    json_file: Json = None,
    *,
    options: ReadOptions,
) -> None:
    """How each column was read, and why: text, number or date, and how many values are missing."""
    from sfumato.show.documents.table import ExtractDocument
    from sfumato.show.sheets.extract import extract_sheet
    from sfumato.tables.load import load

    with progress() as tell:
        tell("Reading the data")
        document = ExtractDocument.of(load(data, options).document())
    show(extract_sheet(document), lambda: as_json(document.plain()), json_file)


def _spare_flagged(out: Path | None, data: str | None, project: Path | None) -> None:
    """Refuse a folder in which a file of flagged records could take the place of the data."""
    from sfumato.privacy.assess import sources_of
    from sfumato.privacy.flagged_files import PREFIX

    sources = sources_of(data, project) if out is not None and out.is_dir() else ()
    for source in sources:
        if source.name.startswith(PREFIX):
            require_apart(out, source.parent, what="where the data lie, under a name of its results", instead=ANOTHER)
