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
    from sfumato.proof.report.glossary import find, terms
    from sfumato.show.documents.glossary import GlossaryDocument
    from sfumato.show.sheets.glossary import glossary_sheet

    document = GlossaryDocument(terms=terms() if term is None else (find(term),))
    show(glossary_sheet(document), lambda: as_json(document.plain()), json_file)
