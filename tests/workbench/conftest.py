"""A world of the service for every test of the workbench, and one browser for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.proof.report.browser import Browser
from tests.service.conftest import pattern, world

__all__ = ["pattern", "world"]  # fixtures


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Chromium; each test signs in anew."""
    opened = Browser(tmp_path_factory.mktemp("browser"))
    yield opened
    opened.driver.quit()
