"""The unit and the container of the service: what systemd says of the unit, and what it lets the service do."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "sfumato-serve.service"


def settings() -> dict[str, list[str]]:
    """The lines of the unit by name; a name may stand several times."""
    lines: dict[str, list[str]] = {}
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            name, value = line.split("=", 1)
            lines.setdefault(name, []).append(value)
    return lines


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_has_nothing_to_say_against_the_unit(tmp_path):
    text = UNIT.read_text(encoding="utf-8").replace("/opt/sfumato/bin/sfumato", "/bin/true")  # which is here
    (tmp_path / UNIT.name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / UNIT.name)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_calls_the_exposure_of_the_unit_small():
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(UNIT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Unknown" in done.stderr or "unrecognized" in done.stderr:
        pytest.skip("this systemd cannot look at a unit that is not installed")
    said = re.search(r"Overall exposure level .*: ([0-9.]+)", done.stdout)
    assert said
    assert float(said[1]) <= 2.5


def test_the_unit_is_no_root_writes_one_folder_and_gains_no_rights():
    known = settings()
    assert known["User"] == ["sfumato"]
    assert known["ReadWritePaths"] == ["/srv/sfumato-service"]
    assert known["CapabilityBoundingSet"] == [""]
    for name, value in {"NoNewPrivileges": "yes", "ProtectSystem": "strict", "PrivateTmp": "yes", "UMask": "0077",
                        "ProtectHome": "yes", "LimitCORE": "0"}.items():  # fmt: skip
        assert known[name] == [value]
    assert known["MemoryMax"]


def test_the_unit_starts_the_service_of_the_folder_that_it_may_write():
    (start,) = settings()["ExecStart"]
    assert start.split()[1:4] == ["serve", "--root", "/srv/sfumato-service"]


def test_the_proxy_says_who_asks_and_adds_nothing_to_what_a_client_says():
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert "X-Forwarded-For   $remote_addr;" in text
    assert "$proxy_add_x_forwarded_for" not in text
    assert "client_max_body_size    0;" in text
