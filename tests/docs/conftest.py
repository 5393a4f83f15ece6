"""The site, built once for all tests that look at it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.site import build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make site` builds it, in a process that has no network."""
    folder = tmp_path_factory.mktemp("built") / "site"
    done = build(folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder
