"""docs/openapi.json: the document of the API, written anew. `make test` says where it has drifted."""

from __future__ import annotations

import json
import tempfile
from importlib.metadata import version
from pathlib import Path

FILE = Path(__file__).parents[1] / "docs" / "openapi.json"


def document() -> str:
    """The document as text; it says by which version of FastAPI, whose wording of some schemas differs."""
    from sfumato.api.app import application
    from sfumato.service.service import Service

    with tempfile.TemporaryDirectory() as folder:
        service = Service.at(Path(folder) / "root")
        told = application(service).openapi()
        service.database.close()
    told["info"]["x-fastapi"] = version("fastapi")
    return json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
