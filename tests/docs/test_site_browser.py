"""The site in a real browser, opened from disk: it asks for nothing elsewhere, and its search gives answers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.proof.report.browser import DESK, PHONE, SCHEMES, Browser

from sfumato import __version__

PAGES = (
    "docs/index.html",
    "docs/assess.html",
    "docs/explanation/risk.html",
    "docs/reference/measures.html",
    "docs/reference/python/functions.html",
    "docs/reference/commands.html",
)
# Answers come one by one: they are all there when there are as many as half a second before.
FINISHED = """
const before = window.answers;
window.answers = document.querySelectorAll('#search-results li').length;
return window.answers > 0 && window.answers === before;
"""
RESULTS = "return [...document.querySelectorAll('#search-results li a')].map(link => [link.innerText, link.href])"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    opened = Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.driver.quit()


def elsewhere(browser: Browser) -> list[str]:
    """What was asked for that is not on this disk; a new window of the browser asks for parts of the browser itself."""
    return [place for place in browser.asked_for() if not place.startswith(("file:", "data:", "chrome:"))]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_for_nothing_elsewhere_and_nothing_in_it_fails(page: str, site: Path, browser: Browser) -> None:
    browser.open(site / __version__ / page)
    assert elsewhere(browser) == []
    assert [words for words in browser.complaints() if "[PST]" not in words and "theme mode" not in words] == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("page", [*PAGES, "../index.html"])
def test_axe_has_nothing_to_say_of_a_page(page: str, scheme: str, site: Path, browser: Browser) -> None:
    browser.open(site / __version__ / page, scheme=scheme)
    assert browser.violations() == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_no_wider_than_its_window(page: str, size: tuple[int, int], site: Path, browser: Browser) -> None:
    browser.open(site / __version__ / page, size=size)
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("words", "title", "page"),
    [
        ("suppressed", "Information loss while records are suppressed", "docs/figures/README.html"),
        ("assess_project", "sfumato.assess_project", "docs/reference/python/functions.html"),
        ("wasserstein", "All measures", "docs/reference/measures.html"),
    ],
)  # fmt: skip
def test_the_search_gives_answers_from_disk(words: str, title: str, page: str, site: Path, browser: Browser) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    browser.driver.get(f"{(site / __version__ / 'search.html').as_uri()}?q={words}")
    WebDriverWait(browser.driver, 20).until(lambda _: browser.run(FINISHED))
    answers = browser.run(RESULTS)
    assert [title for name, place in answers if title in name and page in place], answers
    browser.driver.get(answers[0][1])
    assert words.split("_")[0] in browser.run("return document.body.innerText").lower()
    assert elsewhere(browser) == []


def test_the_menu_lists_the_versions_that_are_beside(site: Path, tmp_path: Path, browser: Browser) -> None:
    beside = tmp_path / "site"
    shutil.copytree(site, beside, copy_function=os.link)
    (beside / "versions.js").unlink()
    (beside / "versions.js").write_text(f'window.SFUMATO_VERSIONS = ["0.0.9", "{__version__}"];', encoding="utf-8")
    browser.open(beside / __version__ / "docs" / "assess.html")
    script = (
        "return [...document.querySelectorAll('.navbar-header-items .versions a')].map(a => [a.textContent, a.href])"
    )
    listed = browser.run(script)
    assert [words for words, _ in listed] == ["0.0.9", __version__, "All versions"]
    browser.driver.get(listed[1][1])
    assert browser.run("return document.querySelector('h1').innerText").startswith("The documentation of Sfumato")


def test_a_formula_is_drawn_by_the_browser(site: Path, browser: Browser) -> None:
    browser.open(site / __version__ / "docs" / "explanation" / "risk.html")
    tall = "return [...document.querySelectorAll('math')].map(math => math.getBoundingClientRect().height)"
    heights = browser.run(tall)
    assert len(heights) > 10
    assert min(heights) > 5
    assert max(heights) > 30  # a fraction is taller than a line
