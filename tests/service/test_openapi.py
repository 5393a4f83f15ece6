"""The document of the API: it is as it was written down, and the API does what it says."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.service.conftest import World, a_world

from sfumato.api.app import application

schemathesis = pytest.importorskip("schemathesis")
CONFORMANCE = pytest.importorskip("schemathesis.specs.openapi.checks").response_schema_conformance
ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "openapi.json"
EXAMPLES = 2  # of each path and caller; `make soak` tries many more


@schemathesis.serializer("application/zip")
def any_bytes(_context, value):
    """What stands for an archive: schemathesis makes none."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


def test_the_document_is_the_one_that_was_written_down():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import openapi
    finally:
        sys.path.remove(str(ROOT / "tools"))
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    if kept["info"]["x-fastapi"] != version("fastapi"):
        pytest.skip("it was written by another version of FastAPI")
    assert openapi.document() == FILE.read_text(encoding="utf-8"), "Run: python tools/openapi.py"


def test_the_document_is_one_of_openapi_3_1_with_a_name_of_its_own_for_every_path():
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    assert kept["openapi"].startswith("3.1")
    operations = [operation for path in kept["paths"].values() for operation in path.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    assert all(operation.get("description") for operation in operations)
    assert [path for path in kept["paths"] if not path.startswith("/api/v1/")] == []
    referred = {part["$ref"] for part in _parts(kept) if "$ref" in part}
    known = {f"#/components/schemas/{name}" for name in kept["components"]["schemas"]}
    assert referred <= known


def _parts(value: Any):
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _parts(part)


def test_every_text_that_a_client_sends_has_a_longest_length():
    """But for parts of a path: the server takes no address of more than 64 kilobytes."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    unbounded = []
    for path, all_ in kept["paths"].items():
        for method, operation in all_.items():
            for parameter in operation.get("parameters", ()):
                for part in _parts(parameter["schema"]) if parameter["in"] != "path" else ():
                    if part.get("type") == "string" and not part.keys() & {"maxLength", "pattern", "enum", "const"}:
                        unbounded.append((method, path, parameter["name"]))
    assert unbounded == []


def asked_as(world: World, who: str, examples: int) -> list[str]:
    """Ask every path with questions that its own description allows or forbids; what is not as it says."""
    app = application(world.service)
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
    headers = {"Authorization": f"Bearer {world.token(who)}"}
    wrong: list[str] = []
    for result in schema.get_all_operations():
        operation = result.ok()

        @settings(
            max_examples=examples, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def ask(case):
            label = case.operation.label
            answer = case.call(headers=headers)
            documented = {str(status) for status in case.operation.definition.raw["responses"]} | {"405", "406", "413"}
            if answer.status_code >= 500:
                wrong.append(f"{label}: {answer.status_code}")
            elif str(answer.status_code) not in documented:
                wrong.append(f"{label}: {answer.status_code} is not documented")
            elif answer.status_code < 400 or answer.status_code in (401, 403, 404, 409, 422):
                try:
                    case.validate_response(
                        answer, checks=(schemathesis.checks.CHECKS.get_one("response_schema_conformance"),)
                    )
                except Exception as error:
                    wrong.append(f"{label}: {type(error).__name__}: {str(error)[:300]}")

        ask()
    return sorted(set(wrong))


@pytest.mark.parametrize("who", ["ada", "stella"])
def test_the_api_does_what_its_document_says(tmp_path, who):
    assert asked_as(a_world(tmp_path / "root"), who, EXAMPLES) == []
