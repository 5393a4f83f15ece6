"""A real browser without a window: what it asks for, what it shows, and what axe says of it."""

from __future__ import annotations

import base64
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-extensions", "--mute-audio", "--hide-scrollbars",
)  # fmt: skip
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice")
DESK, PHONE, PAPER = (1280, 900), (390, 844), (688, 971)  # an A4 page within its margins, at 96 dots an inch
SCHEMES = ("light", "dark")

# Charts are read in whatever font a reader has: one of the widest that are usual (as wide as Verdana), and one as wide
# as Arial. Each set is all that the browser has; tools/system-packages installs both.
FONTS = {
    "wide": ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    "usual": ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
}
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
FONT_FILE = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>
"""

# Parts of a picture are none to a screen reader, and axe cannot tell what is behind a letter in it: see `LETTERS`.
AXE = """
const where = {include: [[arguments[1]]], exclude: [['svg > g']]};
const what = {runOnly: {type: 'tag', values: arguments[0]}, resultTypes: ['violations']};
axe.run(where, what).then(arguments[arguments.length - 1]);
"""
# Of every text in a picture: its words, its contrast with what is drawn under it, and whether it is whole: within the
# picture, and clear of every other text in it. Labels of an axis that lean are as close as their lines: their boxes
# say nothing. Labels that found no place are there, and not to be seen.
LETTERS = """
const parts = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
const light = colour => parts(colour).map(p => p / 255).map(p => p <= .03928 ? p / 12.92 : ((p + .055) / 1.055) ** 2.4)
  .reduce((sum, p, i) => sum + p * [.2126, .7152, .0722][i], 0);
const under = (box, picture) => document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  .find(e => picture.contains(e) && e.tagName !== 'text' && getComputedStyle(e).fill.startsWith('rgb('));
const leans = text => /rotate[(]-?(?!90|0)/.test(text.getAttribute('transform'));
const touch = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
  && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
return [...document.querySelectorAll('svg')].flatMap(picture => [...picture.querySelectorAll('text')]
  .filter(text => text.textContent.trim() && text.getAttribute('opacity') !== '0').map((text, i, texts) => {
    const box = text.getBoundingClientRect(), frame = picture.getBoundingClientRect(), drawn = under(box, picture);
    const [dark, bright] = [getComputedStyle(text).fill, drawn ? getComputedStyle(drawn).fill : 'rgb(127,127,127)']
      .map(light).sort((a, b) => a - b);
    const clear = leans(text) || !texts.some(other => other !== text && !leans(other)
      && touch(box, other.getBoundingClientRect()));
    const whole = box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1
      && box.bottom <= frame.bottom + 1 && clear;
    return [text.textContent, (bright + .05) / (dark + .05), whole];
  }));
"""


def font_file(name: str, folder: Path) -> Path:
    """A file that tells a program that the fonts of one set are all that there are; skips where they are not there."""
    for font in FONTS[name]:
        there = (path for root in FONT_FOLDERS for path in Path(root).expanduser().rglob(font))
        path = next(there, None)
        if path is None:
            pytest.skip(f"{font} is not installed: apt-get install fonts-dejavu-core fonts-liberation")
        (folder / font).symlink_to(path)
    (folder / "fonts.conf").write_text(FONT_FILE.format(folder=folder), encoding="utf-8")
    return folder / "fonts.conf"


class Browser:
    """One Chromium, driven through its own driver; nothing is downloaded.

    With `fonts`, it has those that the file names, and no other.
    """

    def __init__(self, profile: Path, fonts: Path | None = None) -> None:
        pytest.importorskip("selenium", reason="selenium is not installed: pip install 'sfumato[dev]'")
        pytest.importorskip("axe_core_python", reason="axe is not installed: pip install 'sfumato[dev]'")
        from axe_core_python.base import AXE_SCRIPT
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
        driver = shutil.which("chromedriver")
        if program is None or driver is None:
            pytest.skip("no Chromium with its driver here: apt-get install chromium chromium-driver")
        options = webdriver.ChromeOptions()
        options.binary_location = program
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        environment = {**os.environ, **({"FONTCONFIG_FILE": str(fonts)} if fonts else {})}
        self.driver = webdriver.Chrome(options=options, service=Service(driver, env=environment))
        self.driver.set_script_timeout(120)
        self.axe_script = AXE_SCRIPT

    def open(self, page: Path, *, size: tuple[int, int] = DESK, scheme: str = "light", media: str = "screen") -> None:
        """Show a page from disk."""
        self.look(size=size, scheme=scheme, media=media)
        self.driver.get(page.as_uri())

    def look(self, *, size: tuple[int, int] = DESK, scheme: str = "light", media: str = "screen") -> None:
        """Look at the page in another size, in the dark, or as it is printed."""
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
                  mobile=size == PHONE)  # fmt: skip
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])  # fmt: skip

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """What the browser answers to a command of its protocol."""
        return dict(self.driver.execute_cdp_cmd(method, parameters))

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script of the test returns: pages have none."""
        return self.driver.execute_script(script, *arguments)

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def asked_for(self) -> list[str]:
        """Every address that was asked for since the last time."""
        entries = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [e["params"]["request"]["url"] for e in entries if e["method"] == "Network.requestWillBeSent"]

    def complaints(self) -> list[str]:
        """What stands on the console since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def unfold(self) -> None:
        """Open whatever is folded: axe does not look into what is closed."""
        self.run("document.querySelectorAll('details').forEach(found => { found.open = true })")

    def violations(self, within: str = "html") -> list[tuple[str, str]]:
        """What axe finds on the page as it is now: the rule, and the first element that breaks it."""
        self.run("document.getAnimations().forEach(animation => animation.finish())")  # colours on their way
        self.run(self.axe_script)
        found = self.driver.execute_async_script(AXE, list(TAGS), within)
        return [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]]

    def letters(self) -> list[tuple[str, float, bool]]:
        """Every text in a picture, its contrast, and whether all of it is to be seen."""
        width = self.run("return innerWidth")
        height = self.run("return document.documentElement.scrollHeight")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        return [tuple(text) for text in self.run(LETTERS)]

    def heard(self) -> list[tuple[str, str]]:
        """Role and name of everything that a screen reader would meet."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n.get("ignored")]

    def overflow(self) -> int:
        """By how many points the page is wider than what shows it."""
        return int(self.run("const root = document.documentElement; return root.scrollWidth - root.clientWidth"))

    def printed(self) -> bytes:
        """The page as PDF."""
        found = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True, paperWidth=8.27,
                          paperHeight=11.69)  # fmt: skip
        return base64.b64decode(found["data"])

    def close(self) -> None:
        self.driver.quit()
