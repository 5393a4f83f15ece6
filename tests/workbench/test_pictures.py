"""Pictures of the workbench in README and docs: drawn here from the demonstration, and of pages as they are now.

    SFUMATO_DRAW=1 pytest tests/workbench/test_pictures.py

draws them anew. Otherwise the words on each page are compared with those that stood there when its picture was drawn:
pixels differ from one Chromium to the next, and words do not.
"""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.workbench.hands import until
from tests.workbench.live_visits import opened, worked
from tests.workbench.visitors import served, signed_in, visitor

from sfumato.service.entities import RegisteredSource, ServiceProject
from sfumato.service.runs import RunWanted, start
from sfumato.service.versions import replace_files
from sfumato.studies.demonstrations.tables import demonstration_files

FIGURES = Path(__file__).parents[2] / "docs" / "figures"
WORDS = FIGURES / "workbench-words.json"
PICTURES = {"columns": ("columns", "light"), "release": ("release", "light"), "release-dark": ("release", "dark")}
SIZE = (1280, 1100)
TABLE = "hospital_admissions.csv"


@pytest.fixture
def demonstration(world):
    """The demonstration project with its table, read once."""
    files, service = demonstration_files("hospital"), world.service
    with service.database.writing() as session:
        project = session.scalars(select(ServiceProject).where(ServiceProject.name == "clinic")).one()
        session.add(
            RegisteredSource(
                project=project.handle, name=TABLE, kind="upload", hash=service.storage.keep(files[TABLE]),
                bytes=len(files[TABLE]), author=world.accounts["stella"].handle, created=service.clock(),
            )
        )  # fmt: skip
    said = {"sfumato.yaml": files["hospital_admissions.yaml"]}
    replace_files(service, world.caller("stella"), "clinic", said, require=lambda _hash: None)
    start(service, world.caller("stella"), "clinic", RunWanted("identify", {}))
    worked(world)
    opened(visitor(world, "stella"), "/projects/clinic/release")
    return world


def test_a_picture_shows_what_its_page_says_now(demonstration, browser):
    draws, words = "SFUMATO_DRAW" in os.environ, {}
    with served(demonstration, workers=0) as server:
        signed_in(browser, server, demonstration, "stella")
        for name, (screen, scheme) in PICTURES.items():
            browser.look(size=SIZE, scheme=scheme)
            browser.driver.get(f"{server}/projects/clinic/{screen}")
            until(browser, "!document.querySelector('progress, [hx-trigger^=load]')")  # nothing grows any more
            words[name] = browser.run("return document.querySelector('main').innerText").split()
            if draws:
                drawn = browser.call("Page.captureScreenshot", format="png")
                (FIGURES / f"workbench-{name}.png").write_bytes(base64.b64decode(drawn["data"]))
    if draws:
        WORDS.write_text(json.dumps(words, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert words == json.loads(WORDS.read_text(encoding="utf-8")), "Draw them anew: SFUMATO_DRAW=1"
    assert all((FIGURES / f"workbench-{name}.png").is_file() for name in PICTURES)
