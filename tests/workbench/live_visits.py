"""What tests of live screens share: a project with people enough to be coarse about, and a page that is ready."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import select
from tests.service.conftest import World

from sfumato.service.entities import RegisteredSource, ServiceProject
from sfumato.service.run_queue import claim
from sfumato.service.versions import replace_files
from sfumato.service.worker import Worker

# Names with blanks, quotes and accents, as tables have them.
PROJECT = """\
data:
  source: visits.csv
columns:
  id: {role: direct, type: text}
  age: {role: quasi, scale: numeric}
  "sex, \\"as told\\"": {role: quasi}
  größe: {role: quasi, scale: numeric}
  diagnosis: {role: sensitive}
measures:
- {measure: k_anonymity, at_least: 3}  # the rule of this house
anonymise:
  suppress: 0.1
"""
HEADER = 'id,age,"sex, ""as told""",größe,diagnosis'


def visits(records: int = 120) -> bytes:
    """A table of made-up visits."""
    rows = (
        f"p{i},{20 + i * 7 % 40},{'fm'[i % 2]},{150 + i * 3 % 45},{'flu' if i % 3 else 'asthma'}"
        for i in range(records)
    )
    return "\n".join([HEADER, *rows, ""]).encode()


def with_visits(world: World, text: str = PROJECT, table: bytes | None = None, name: str = "clinic") -> None:
    """Give the project of the world that table, and a version."""
    service, content = world.service, table or visits()
    with service.database.writing() as session:
        project = session.scalars(select(ServiceProject).where(ServiceProject.name == name)).one()
        session.add(
            RegisteredSource(
                project=project.handle, name="visits.csv", kind="upload", hash=service.storage.keep(content),
                bytes=len(content), author=world.accounts["stella"].handle, created=service.clock(),
            )
        )  # fmt: skip
    who = "stella" if name == "clinic" else "other"
    replace_files(service, world.caller(who), name, {"sfumato.yaml": text.encode()}, require=lambda _hash: None)


def worked(world: World) -> None:
    """Let the real program do whatever is queued."""
    worker = Worker(world.service)
    while (lease := claim(world.service, worker.name)) is not None:
        worker.take(lease)


def opened(client: Any, address: str, seconds: float = 300) -> Any:
    """A page once its live process is ready, and no first search is under way; long enough for a busy machine."""
    until = time.monotonic() + seconds
    while any(f'id="{busy}"' in (answer := client.get(address)).text for busy in ("opening", "search")):
        assert time.monotonic() < until, "it never came"
        time.sleep(0.3)
    return answer
