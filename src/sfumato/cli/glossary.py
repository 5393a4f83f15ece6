"""`sfumato glossary`: what the words of the reports mean."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Json
from sfumato.cli.output import as_json, show


@app.command(epilog="Example: sfumato glossary 'homogeneity attack'")
def glossary(
    term: Annotated[str | None, typer.Argument(metavar="TERM", help="One term, or another word for it.")] = None,
    json_file: Json = None,
) -> None:
    """The terms and attacks that reports speak of, in plain words."""
    from sfumato.proof.report.glossary import TERMS, find
    from sfumato.show.sheets.glossary import glossary_sheet

    terms = TERMS if term is None else (find(term),)
    document = {"terms": [each.document() for each in terms]}
    show(glossary_sheet(document), as_json(document), json_file)
