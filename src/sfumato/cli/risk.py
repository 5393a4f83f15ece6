"""`sfumato risk`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.app import app
from sfumato.cli.options import (
    Bins,
    ByPosition,
    Json,
    Key,
    KeyFile,
    Mark,
    MaybeSource,
    NoAttacks,
    Population,
    ProjectFile,
    Quasi,
    Secret,
    Sensitive,
    Subject,
    listed,
    pairs,
    scenarios_of,
    secrets_of,
    shared,
)
from sfumato.cli.output import progress, require_apart, show, spare_sources
from sfumato.cli.use_log import recorded
from sfumato.errors import PolicyError

if TYPE_CHECKING:
    from sfumato.proof.use_log.entry import Use
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions


@app.command(
    epilog="Example: sfumato risk patients.csv release.csv --quasi age,sex,postcode --scenario neighbour=age,sex"
)
@shared
@recorded
def risk(
    data: MaybeSource = None,
    released: Annotated[str | None, typer.Argument(metavar="RELEASED", help="The release, if there is one.")] = None,
    project: ProjectFile = None,
    plan: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Instead of a release: a plan that makes it, or recipe:NAME.")
    ] = None,
    secret: Secret = None,
    key_file: KeyFile = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    subject: Subject = None,
    scenario: Annotated[
        list[str] | None, typer.Option(metavar="NAME=A,B", help="Columns that an attacker may know. Repeatable.")
    ] = None,
    subset: Annotated[
        list[str] | None,
        typer.Option(
            metavar="YAML", help="'{name: died, columns: [age], where: {column: outcome, equals: D}, mode: subset}'."
        ),
    ] = None,
    bins: Bins = None,
    population: Population = None,
    fraction: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="The share of the population that is in the table: 0.1 is 10 %."),
    ] = None,
    population_size: Annotated[
        int | None, typer.Option(metavar="N", help="How many people the population has.")
    ] = None,
    region: Annotated[
        str | None, typer.Option(metavar="NAME", help="The country whose residents are the population.")
    ] = None,
    uniques: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Look for records alone on up to N columns (special uniques); 0: none."),
    ] = 3,
    sets: Annotated[int, typer.Option(metavar="N", min=0, help="Look at all sets of up to N columns.")] = 0,
    patterns: Annotated[bool, typer.Option("--patterns", help="Several records of a person known together.")] = False,
    no_attacks: NoAttacks = False,
    attempts: Annotated[int, typer.Option(metavar="N", min=1, help="How often each attack is tried, at most.")] = 2000,
    seed: Annotated[int, typer.Option(metavar="N", help="For what is drawn at random.")] = 0,
    key: Key = None,
    by_position: ByPosition = False,
    mark: Mark = None,
    json_file: Json = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="A page with heat maps (needs [plots]).")] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="DIR", help="Folder for scores by record, and for linkable records."),
    ] = None,
    *,
    engine: Engine | None,
    options: ReadOptions,
    use: Use,
) -> None:
    """Who could be found, by whom, and because of what: scenarios, attackers, population, uniques, linkage."""
    from sfumato.attackers.exposed_files import write_exposed
    from sfumato.attackers.exposure_page import exposure_page
    from sfumato.attackers.risk import risk as risk_of
    from sfumato.outputs import write_text
    from sfumato.privacy.question import Question
    from sfumato.utility.paired.pairing import MARKS

    spare_sources(json_file, data, project)
    require_apart(json_file, released, html, what="the release, or the page")
    question = Question.written(
        quasi=listed(quasi), sensitive=listed(sensitive), subject=subject, bins=pairs(bins, "--bins COLUMN=EDGES")
    )  # fmt: skip
    with progress() as tell:
        exposure = risk_of(
            data, released, question=question, project=project, plan=plan, secrets=secrets_of(secret, key_file),
            scenarios=scenarios_of(scenario),
            subsets=[_subset(text) for text in subset or ()], population=population, fraction=fraction,
            population_size=population_size, region=region, uniques=uniques, sets=sets, patterns=patterns,
            attacks=not no_attacks, attempts=attempts, seed=seed, key=key, by_position=by_position,
            marks=tuple(mark or MARKS), options=options, engine=engine, tell=tell,
        )  # fmt: skip
        if html:
            write_text(html, exposure_page(exposure))
        files = write_exposed(exposure, out) if out else ()
    show(exposure.sheet(), exposure.to_json, json_file)
    use.note(exposure.sheet().verdict, files=len(files))
    for file in files:
        typer.echo(f"Records: {file}", err=json_file == "-")


def _subset(text: str) -> dict[str, Any]:
    """A subset as it is typed."""
    import yaml

    try:
        condition = yaml.safe_load(text)
    except yaml.YAMLError:
        condition = None
    if not isinstance(condition, dict):
        raise PolicyError("A subset is written {name: died, columns: [age], where: {column: outcome, equals: D}}.")
    return condition
