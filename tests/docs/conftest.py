"""The site, built once for all tests that look at it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest
from tests.docs.site import build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make site` builds it, in a process that has no network; once for all processes of a run."""
    own = tmp_path_factory.getbasetemp()
    built = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "built"
    built.mkdir(exist_ok=True)
    with (built / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (built / "site").exists():
            done = build(built / "site")
            assert (done.returncode, done.stderr) == (0, "")
    return built / "site"
