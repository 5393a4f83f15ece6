"""A project that was taken out of the service: the command line makes the same bytes of it as a run in the service."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.service.project_of_visits import BASE, PROJECT, put, uploaded, visits

from sfumato.service.entities import ServiceProject
from sfumato.service.work_folder import work_folder

# A step that draws at random, so that the key counts.
DRAWN = PROJECT.replace(
    "anonymise:\n", "plan: {steps: [{post_randomise: {column: diagnosis, keep: 0.7}}]}\nanonymise:\n"
)


def released(folder: Path, environment: dict[str, str]) -> dict[str, bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "sfumato", "release", "--no-report"], cwd=folder, capture_output=True, text=True,
        env={"PATH": os.environ["PATH"], **environment}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    package = folder / "release"
    return {path.name: path.read_bytes() for path in sorted(package.iterdir())}


def test_the_command_line_makes_the_same_bytes_of_what_was_taken_out(world, tmp_path):
    door = world.door("stella")
    assert put(door, "sfumato.yaml", DRAWN).status_code == 200
    uploaded(door, visits(200))
    with world.service.database.reading() as session:
        project = session.query(ServiceProject).filter_by(name="clinic").one()
        prepared = work_folder(world.service, session, project, 1, None, tmp_path / "work")
    here = released(tmp_path / "work", dict(prepared.environment))
    there = tmp_path / "laptop"
    there.mkdir()
    with zipfile.ZipFile(io.BytesIO(door.get(f"{BASE}/versions/1/files").content)) as archive:
        archive.extractall(there)
    (there / "visits.csv").write_bytes(visits(200))
    (there / "sfumato.key").write_bytes(door.get(f"{BASE}/key").content)
    (there / "sfumato.key").chmod(0o600)
    assert released(there, {}) == here
    (there / "sfumato.key").write_text(f"{bytes(range(32)).hex()}\n")
    (there / "release").rename(there / "earlier")
    (there / "release-evidence").rename(there / "earlier-evidence")
    assert released(there, {})["released.csv"] != here["released.csv"]  # another key draws something else
