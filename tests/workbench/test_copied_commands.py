"""Commands that pages show to copy: each runs as it stands, in a folder with the files of the project."""

from __future__ import annotations

import html
import re
import shlex

from tests.workbench.live_visits import opened, visits, with_visits
from tests.workbench.test_live_pages import KEPT
from tests.workbench.visitors import visitor

SCREENS = (
    "table", "columns", "attackers", "policy", "versions", "context", "context/about", "context/recipient",
    "hierarchies?column=age", "effects",
)  # fmt: skip
DID_ITS_WORK = (0, 1)  # 1: and found that something is not met


def test_every_command_that_a_steward_is_shown_runs_as_copied(world, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from sfumato.cli import app

    with_visits(world, KEPT)
    stella, commands = visitor(world, "stella"), set()
    for screen in SCREENS:
        page = opened(stella, f"/projects/clinic/{screen}").text
        copied = {html.unescape(text) for text in re.findall(r'data-copy="(sfumato [^"]+)"', page)}
        assert copied, screen
        commands |= copied - {"sfumato context --ask"}  # which asks at a terminal
    (tmp_path / "sfumato.yaml").write_text(KEPT, encoding="utf-8")
    (tmp_path / "visits.csv").write_bytes(visits())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SFUMATO_LOG", str(tmp_path / "use.log"))
    for command in sorted(commands):
        done = CliRunner().invoke(app, shlex.split(command)[1:])
        assert done.exit_code in DID_ITS_WORK, (command, done.output)
