"""`sfumato anonymise`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import (
    BoundOptions,
    ColumnOptions,
    Distance,
    Format,
    HierarchyFolder,
    Json,
    KeyFile,
    MaybeSource,
    Population,
    ProjectFile,
    Require,
    Secret,
    distances_of,
    pairs,
    scenarios_of,
    secrets_of,
    shared,
)
from sfumato.cli.output import progress, release_name, say, show, spare_sources, typed
from sfumato.cli.use_log import recorded
from sfumato.errors import PolicyError

if TYPE_CHECKING:
    from sfumato.proof.use_log.entry import Use
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions

WAY = ("method", "suppress", "nodes")  # the options that say which way to a release is taken


@app.command(
    epilog="Example: sfumato anonymise patients.csv --quasi age,sex,postcode --k 5 --suppress 0.02 --out release"
)
@shared
@recorded
def anonymise(
    *,
    data: MaybeSource = None,
    project: ProjectFile = None,
    columns: ColumnOptions,
    bounds: BoundOptions,
    distance: Distance = None,
    require: Require = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=A,B", help="The policy holds for what an attacker knows. Repeatable."),
    ] = None,
    population: Population = None,
    hierarchies: HierarchyFolder = None,
    suppress: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0,
            max=1,
            help="Share of records that may be left out: 0.02 is 2 %. If not said: 5 % with auto, none with others.",
        ),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What is made small: loss (usual), nue, precision, class-size, discernibility, ambiguity, divergence, "
            "height.",
        ),
    ] = None,
    aggregate: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="How columns count together: sum, arithmetic (usual), geometric, maximum."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="auto (usual: what loses least of all others), optimal, local, mondrian or cells."
        ),
    ] = None,
    level: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN=N[-M]", help="Fix a level, or its lowest and highest.")
    ] = None,
    weight: Annotated[list[str] | None, typer.Option(metavar="COLUMN=N", help="How much a column matters.")] = None,
    balance: Annotated[
        float | None,
        typer.Option(metavar="X", min=0, max=1, help="0: only generalisation counts, 1: only suppression; 0.5: both."),
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="N", min=0, help="Stop then, with the best so far.")] = None,
    nodes: Annotated[int | None, typer.Option(metavar="N", min=1, help="Look at so many combinations at most.")] = None,
    heuristic: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Instead of the proof: beam, bottom-up, top-down, genetic or restarts."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Whom t and others compare a class with: release (usual) or original."),
    ] = None,
    plan: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Steps that are done before the search, or recipe:NAME.")
    ] = None,
    secret: Secret = None,
    key_file: KeyFile = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="DIR", help="Folder for release, plan, assessment and comparison."),
    ] = None,
    file_format: Format = "csv",
    no_compare: Annotated[bool, typer.Option("--no-compare", help="Do not measure what was lost.")] = False,
    json_file: Json = None,
    engine: Engine | None,
    options: ReadOptions,
    use: Use,
) -> None:
    """Find the release that keeps to a policy and loses least; write it with its plan and its evidence."""
    from sfumato.privacy.meaning_of_columns import project_and_source
    from sfumato.privacy.question import Question
    from sfumato.search.anonymise import anonymise_source
    from sfumato.search.keep_choice import keep_choice

    spare_sources(json_file, data, project)
    name = release_name(file_format)
    question = Question.written(
        **columns.named(), **vars(bounds), distances=distances_of(distance), requirements=require or (),
    )  # fmt: skip
    settings = {
        "method": method, "objective": objective, "aggregate": aggregate, "suppress": suppress, "balance": balance,
        "levels": {name: _ends(name, text) for name, text in pairs(level, "--level COLUMN=N").items()} or None,
        "weights": {name: _weight(name, text) for name, text in pairs(weight, "--weight COLUMN=N").items()} or None,
        "scenarios": scenarios_of(scenario) or None,
        "population": population, "seconds": seconds, "nodes": nodes, "heuristic": heuristic, "against": against,
        "hierarchies": hierarchies, "plan": plan,
    }  # fmt: skip
    settings = {name: value for name, value in settings.items() if value is not None}
    with progress() as tell:
        anonymised, sources = anonymise_source(
            data, project, question, settings,
            compare=not no_compare, secrets=secrets_of(secret, key_file), options=options, engine=engine, tell=tell,
        )  # fmt: skip
        files = anonymised.write(out, name, protect=sources, tell=tell) if out and anonymised.met else ()
    known = project_and_source(data, project, "anonymise")[0] if files else None
    kept = keep_choice(known, anonymised, question, settings)
    sheet = anonymised.sheet()
    show(sheet, anonymised.to_json, json_file)
    counts = {"records": anonymised.solution.records, "suppressed": anonymised.solution.suppressed}
    if out and files:
        use.wrote(out / name)
    use.note(sheet.verdict, **counts, files=len(files), met=anonymised.met)
    if out and not files:
        say(f"Nothing was written: {'; '.join(anonymised.broken)}.", wrong=True)
    elif json_file != "-":
        if anonymised.alternatives:
            typer.echo(f"Another way: {typed(without=WAY)}, with its options from the table.")
        typer.echo(f"Wrote {', '.join(f.name for f in files)} to {out}." if out else "Nothing was written: add --out.")
        if kept:
            typer.echo(f"Wrote the way that was taken into {kept.path}, so that it stays.")
    raise typer.Exit(0 if anonymised.met else 1)


def _ends(name: str, text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    if not low.isdigit() or not (high or low).isdigit():
        raise PolicyError(f"The level of {name!r} must be a number, or lowest and highest: {name}=1-3.")
    return int(low), int(high or low)


def _weight(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise PolicyError(f"The weight of {name!r} must be a number: {name}=2.") from None
