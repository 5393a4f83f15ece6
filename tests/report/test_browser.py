"""The page in a real browser: nothing leaves the machine, everything is there, and it prints."""

from __future__ import annotations

import http.server
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from tests.report.made_up import PROJECT, csv, patients

from sfumato.report_flow import report
from sfumato.reports.report import report_page

FLAGS = ("--headless", "--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-extensions", "--mute-audio")


@pytest.fixture(scope="module")
def chromium() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    pytest.skip("no chromium on the path: apt-get install chromium")


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    (folder / "patients.csv").write_text(csv(patients()), encoding="utf-8")
    (folder / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    (folder / "r.html").write_text(report_page(report(project=folder / "sfumato.yaml")), encoding="utf-8")
    return folder / "r.html"


def browse(chromium: str, page: Path, *flags: str) -> str:
    profile = page.parent / "profile"
    command = [chromium, *FLAGS, f"--user-data-dir={profile}", *flags, page.as_uri()]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def test_the_page_opens_from_disk_with_every_part_and_chart(chromium, page):
    shown = browse(chromium, page, "--dump-dom")
    for part in ("context", "data", "identifiability", "transformations", "utility", "governance", "glossary"):
        assert f'id="{part}"' in shown
    assert shown.count("<svg") == 9


def test_no_request_leaves_the_page(chromium, page):
    """Every request goes to a proxy that only counts, and it counts none that the page could have made."""
    asked: list[str] = []

    class Proxy(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(403)

        do_CONNECT = do_GET

        def log_message(self, *arguments: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        flags = (f"--proxy-server=127.0.0.1:{server.server_port}", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--disable-default-apps", "--dump-dom")  # fmt: skip
        browse(chromium, page, *flags)
    finally:
        server.shutdown()
    own = ("google", "gstatic", "gvt1", "chromium")  # what the browser asks for by itself
    assert [path for path in asked if not any(name in path for name in own)] == []


def test_the_page_prints(chromium, page):
    target = page.with_suffix(".pdf")
    browse(chromium, page, f"--print-to-pdf={target}", "--no-pdf-header-footer")
    printed = target.read_bytes()
    assert printed.startswith(b"%PDF-")
    assert len(printed) > 100_000
