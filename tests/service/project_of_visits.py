"""A small project of the tests: a table of visits, the project file for it, and ways to bring both into a service."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

BASE = "/api/v1/projects/clinic"
CANARY = "CANARY4711"  # stands in a cell, and must stand in no log, error or answer that is not for rows

PROJECT = """\
data:
  source: visits.csv
columns:
  id: {role: direct, type: text}
  age: {role: quasi, scale: numeric}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures:
- {measure: k_anonymity, at_least: 2}
anonymise:
  method: optimal
  suppress: 0.5
  hierarchies: .
"""


def visits(records: int = 40) -> bytes:
    """A table with a canary in one cell."""
    rows = [f"p{i},{20 + i % 4 * 10},{'fm'[i % 2]},{'flu' if i % 3 else CANARY}" for i in range(records)]
    return "\n".join(["id,age,sex,diagnosis", *rows, ""]).encode()


def put(door: TestClient, name: str, content: str | bytes, *, match: str = "*", base: str = BASE):
    """Write a file of the project."""
    return door.put(f"{base}/files/{name}", content=content, headers={"If-Match": match})


def uploaded(door: TestClient, content: bytes, name: str = "visits.csv", base: str = BASE) -> str:
    """Upload a file in one part; the handle of the source."""
    begun = door.post(f"{base}/uploads", json={"name": name, "bytes": len(content)})
    assert begun.status_code == 201, begun.text
    place = f"{base}/uploads/{begun.json()['handle']}"
    sent = door.patch(f"{place}/parts", content=content, headers={"Upload-Offset": "0"})
    assert sent.status_code == 200, sent.text
    finished = door.post(f"{place}/source", json={})
    assert finished.status_code == 201, finished.text
    return str(finished.json()["handle"])


def log_of(service) -> bytes:
    """Everything that the log holds."""
    return Path(service.events.log.path).read_bytes()
