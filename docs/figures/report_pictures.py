"""Pictures of the report: its first screen in the light and in the dark, and the charts of the risk ladder.

    python docs/figures/report_pictures.py

makes the release of `example_release.py`, reports on it, and draws report-overview.png, report-ladder.png and
report-dark.png beside this file, in a headless Chromium. It needs Chromium with its driver (`make dev` installs both)
and selenium (`sfumato[dev]`).
"""

from __future__ import annotations

import argparse
import base64
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
)  # fmt: skip
WIDTH = 1280


@dataclass(frozen=True)
class Picture:
    """A part of the report: from the top of one element to the bottom of another."""

    name: str
    first: str  # as style sheets name elements
    last: str
    scheme: str = "light"
    tallest: int = 900
    width: int = WIDTH
    scale: float = 1


PICTURES = (
    Picture("report-overview", "body", ".two", tallest=1080),
    Picture("report-dark", "body", ".two", "dark", tallest=800),
    Picture("report-ladder", "#identifiability figure", "#identifiability figure + figure", width=780, scale=1.5),
)


def example_report(folder: Path) -> Path:
    """The report of the made-up release, as a page."""
    sys.path.insert(0, str(HERE))
    from example_release import write_example

    from sfumato import report
    from sfumato.proof.report.page import report_page

    page = folder / "report.html"
    page.write_text(report_page(report(project=write_example(folder))), encoding="utf-8")
    return page


def browser(profile: str) -> Any:
    """A Chromium that fetches nothing."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def taken(driver: Any, picture: Picture) -> bytes:
    """The picture as PNG."""
    feature = {"name": "prefers-color-scheme", "value": picture.scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen", "features": [feature]})
    top, bottom = driver.execute_script(
        "const edge = name => document.querySelector(name).getBoundingClientRect();"
        "return [edge(arguments[0]).top + scrollY, edge(arguments[1]).bottom + scrollY]",
        picture.first,
        picture.last,
    )
    top = max(0, round(top) - 12)
    height = min(round(bottom) + 12 - top, picture.tallest)
    clip = {"x": 0, "y": top, "width": picture.width, "height": height, "scale": picture.scale}
    found = driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True, "clip": clip}
    )
    return base64.b64decode(found["data"])


def main(arguments: list[str] | None = None) -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path, nargs="?", help="another report, as HTML")
    parser.add_argument("-o", "--output", type=Path, default=HERE, help="folder of the pictures")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as profile:
        shown = given.report or example_report(Path(profile) / "example")
        driver = browser(profile)
        try:
            size = {"width": WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            driver.get(shown.resolve().as_uri())
            for picture in PICTURES:
                if picture.first.startswith("#"):  # a part is folded until somebody unfolds it
                    driver.execute_script(f"document.querySelector('{picture.first}').closest('details').open = true")
                drawn = taken(driver, picture)
                (given.output / f"{picture.name}.png").write_bytes(drawn)
                sys.stdout.write(f"{picture.name}.png: {len(drawn) // 1024} KB\n")
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
