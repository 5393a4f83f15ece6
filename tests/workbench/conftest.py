"""A world of the service for every test of the workbench, and one browser for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.proof.report.browser import Browser
from tests.service.conftest import pattern, world

__all__ = ["pattern", "world"]  # fixtures


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Chromium for all tests."""
    opened = Browser(tmp_path_factory.mktemp("browser"))
    yield opened
    opened.driver.quit()


@pytest.fixture
def browser(chromium: Browser) -> Browser:
    """The Chromium, with nothing left of what an earlier test asked a server of its own; each test signs in anew."""
    chromium.driver.get("about:blank")  # a page that asks again and again would go on asking for that server
    chromium.asked_for()
    chromium.complaints()
    return chromium
