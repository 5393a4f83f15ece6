"""`sfumato presets`: requirements and settings that come with Sfumato."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Json
from sfumato.cli.output import as_json, show


@app.command(epilog="Example: sfumato presets ema_0070")
def presets(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="One preset, with every threshold and its source.")
    ] = None,
    json_file: Json = None,
) -> None:
    """The presets for `preset:` in a project file, and where each threshold comes from."""
    from sfumato.project.presets import preset_named, preset_names
    from sfumato.show.documents.presets import PresetsDocument
    from sfumato.show.sheets.presets import preset_sheet, presets_sheet

    if name is not None:
        preset = preset_named(name).content()
        show(preset_sheet(preset), lambda: as_json(preset.plain()), json_file)
        return
    presets = PresetsDocument(presets=[preset_named(each).content() for each in preset_names()])
    show(presets_sheet(presets), lambda: as_json(presets.plain()), json_file)
