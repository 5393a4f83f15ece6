"""`sfumato compare` and `sfumato models`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import (
    ByPosition,
    HierarchyFolder,
    Json,
    Key,
    KeyFile,
    Mark,
    Quasi,
    Secret,
    listed,
    secrets_of,
    shared,
)
from sfumato.cli.output import as_json, progress, require_apart, show
from sfumato.cli.use_log import recorded

if TYPE_CHECKING:
    from sfumato.proof.use_log.entry import Use
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions


Model = Annotated[list[str] | None, typer.Option(metavar="NAME", help="A utility model; all, if not said. Repeatable.")]


@app.command(epilog="Example: sfumato compare patients.csv release.csv --key visit --quasi age,sex,postcode")
@shared
@recorded
def compare(
    original: Annotated[str, typer.Argument(metavar="ORIGINAL", help="The table before.")],
    released: Annotated[str | None, typer.Argument(metavar="RELEASED", help="The table after.")] = None,
    plan: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Instead of a release: a plan that makes it, or recipe:NAME.")
    ] = None,
    secret: Secret = None,
    key_file: KeyFile = None,
    quasi: Quasi = None,
    hierarchies: HierarchyFolder = None,
    key: Key = None,
    by_position: ByPosition = False,
    mark: Mark = None,
    target: Annotated[str | None, typer.Option(metavar="COLUMN", help="A column that models are to predict.")] = None,
    model: Model = None,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Also fit models: propensity, prediction, clusters, queries.")
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="For what --thorough draws at random.")] = 0,
    json_file: Json = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A page with each column before and after (needs [plots]).")
    ] = None,
    *,
    engine: Engine | None,
    options: ReadOptions,
    use: Use,
) -> None:
    """What was lost: a release compared with its original, on every utility model, by column and in total."""
    from sfumato.outputs import write_text
    from sfumato.utility.compare import compare as compared
    from sfumato.utility.losses_page import losses_page
    from sfumato.utility.paired.pairing import MARKS

    require_apart(json_file, original, released, html, what="one of the tables, or the page")
    require_apart(html, original, released, what="one of the tables", instead="Choose another file for --html.")
    with progress() as tell:
        losses = compared(
            original, released, quasi=listed(quasi), hierarchies=hierarchies, key=key, by_position=by_position,
            plan=plan, secrets=secrets_of(secret, key_file), marks=tuple(mark or MARKS), target=target,
            models=tuple(model or ()), thorough=thorough, seed=seed,
            options=options, engine=engine, tell=tell,
        )  # fmt: skip
        if html:
            write_text(html, losses_page(losses, tell))
    show(losses.sheet(), losses.to_json, json_file)
    use.note(losses.sheet().verdict, records=losses.compared.records)


@app.command(epilog="Example: sfumato models loss")
def models(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One utility model, in full.")] = None,
    json_file: Json = None,
) -> None:
    """The utility models there are: what each says was lost, and of which changes."""
    from sfumato.show.sheets.models import model_sheet
    from sfumato.utility.catalogue import described_models

    document = described_models(name)
    show(model_sheet(document), lambda: as_json(document.plain()), json_file)
