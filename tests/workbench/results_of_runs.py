"""Results of runs without running them: documents as the verbs write them, kept as a worker would keep them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.service.conftest import World
from tests.service.run_world import TABLE

from sfumato.columns.identify import identify
from sfumato.service import runs
from sfumato.service.entities import Run
from sfumato.service.run_commands import DOCUMENT
from sfumato.service.run_queue import RunState
from sfumato.service.run_results import ResultFile, result_of


def with_result(
    world: World, verb: str, document: dict[str, Any], *, rows: dict[str, str] | None = None, who: str = "stella"
) -> str:
    """A run of a verb that is done and has found a document, and files of records; its handle."""
    contents = {DOCUMENT: json.dumps(document).encode(), **{name: text.encode() for name, text in (rows or {}).items()}}
    storage = world.service.storage
    files = [
        ResultFile(name, storage.keep(content), len(content), rows=name != DOCUMENT)
        for name, content in contents.items()
    ]
    run = runs.start(world.service, world.caller(who), "clinic", runs.RunWanted(verb, {}))
    with world.service.database.writing() as session:
        known = session.get_one(Run, run.handle)
        known.state, known.exit_code = RunState.DONE, 0
        known.result = result_of(files, met=None, log_head=None)
    return run.handle


@cache
def identified(table: str = TABLE) -> str:
    """What `identify --json` writes of a table, as text."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "patients.csv"
        file.write_text(table, encoding="utf-8")
        return identify(file).to_json()


def with_identification(world: World, table: str = TABLE) -> str:
    """A run that has identified a table."""
    return with_result(world, "identify", json.loads(identified(table)))


ASSESSED: dict[str, Any] = {
    "records": 12,
    "readings": [
        {"measure": "k_anonymity", "sensitive": None, "value": 2.0, "bound": 3, "met": False, "flagged": 4},
    ],
    "classes": {"smallest": 2, "singletons": 0, "average_risk": 0.4},
    "overlap": {"any": 4},
    "open": [],
}
EXPOSED: dict[str, Any] = {
    "scenarios": [
        {
            "name": "neighbour", "quasi_identifiers": ["age", "sex"], "singled_out": 3, "percent": 25.0, "k": 1,
            "highest_risk": 1.0, "average_risk": 0.5,
        }
    ],
    "attackers": [
        {"name": "prosecutor", "knows": "that a person is in the table", "highest": 1.0, "average": 0.5, "caveat": ""}
    ],
}  # fmt: skip
