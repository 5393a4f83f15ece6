"""`sfumato open`: one person on their own machine, at one table, by an address that works once."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from tests.service.run_world import TABLE

httpx = pytest.importorskip("httpx")


def _columns(mine: httpx.Client, address: str) -> str:
    """The screen Columns, once the table was looked at."""
    begun = time.monotonic()
    while "Confirm the" not in (page := mine.get(f"{address}/projects/patients/columns").text):
        assert time.monotonic() - begun < 300, "the table was never read"
        time.sleep(0.2)
    return page


def test_a_table_is_opened_for_one_person_by_an_address_that_works_once(tmp_path):
    (tmp_path / "patients.csv").write_text(TABLE)
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "PYTHONUNBUFFERED": "1",
        "SFUMATO_USER": "Jo Doe",
    }
    command = [sys.executable, "-m", "sfumato", "open", "patients.csv", "--no-browser"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    try:
        address = re.search(rb"http://127\.0\.0\.1:\d+/\S+", process.stdout.readline())[0].decode()
        with httpx.Client(follow_redirects=True, timeout=60) as mine, httpx.Client(timeout=60) as theirs:
            page = mine.get(address)
            assert page.status_code == 200
            assert "<title>Table · patients.csv · Sfumato</title>" in page.text
            assert "The table is being read" in page.text or "every value is a whole number" in page.text
            assert "/requests" not in page.text  # there is nobody else to ask or to vote
            assert 'href="/me"' not in page.text
            log = mine.get(address.partition("/open/")[0] + "/log").text
            assert "run.start" in log
            assert "Jo Doe" in log  # and in what is decided: nobody answers for it who is called local
            assert "&#39;--by=Jo Doe&#39;" in _columns(mine, address.partition("/open/")[0])
            assert theirs.get(address).status_code == 404
            assert theirs.get(address.partition("/open/")[0] + "/api/v1/projects").status_code == 401
    finally:
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 0
    assert told in (b"", b"sfumato: stopped.\n")  # of a run under way; and no line for every question of a page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "patients.csv"]
