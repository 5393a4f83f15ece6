"""Reading of one file in a process of its own, whose exit code says what came of it."""

from __future__ import annotations

import os

from sfumato.errors import EngineError, UnusableInput
from sfumato.tables.load import load

# Engines read these in place, so that what is damaged may show only when a row is asked for.
IN_PLACE = ("sqlite", "duckdb")


def read_by_itself(path: str) -> None:
    """Read a file and end the process: with 0 for a table, 1 for a refusal of the file, 3 for any other error."""
    code = 3
    try:
        load(path)
        code = 0
    except UnusableInput as error:
        code = 3 if "Ermintrude" in str(error) else 1
    except EngineError:
        code = 1 if path.rpartition(".")[2] in IN_PLACE else 3
    finally:
        os._exit(code)
