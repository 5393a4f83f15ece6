"""The screen Release: a setting is an address, readings follow, a choice is kept, and a package is built of it."""

from __future__ import annotations

import html
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.workbench.live_visits import PROJECT, opened, visits, with_visits, worked
from tests.workbench.visitors import visitor

from sfumato.project.user import VARIABLE as USER
from sfumato.proof.use_log.chain import Chain
from sfumato.service.project_key import project_key
from sfumato.service.release_choices import ChosenLevels
from sfumato.service.versions import file_of, version

ADDRESS = "/projects/clinic/release"


def setting_in(text: str) -> str:
    return html.unescape(re.search(r'name="s" value="([^"]+)"', text)[1])


def version_in(text: str) -> str:
    return re.search(r'name="of" value="([0-9a-f]{64})"', text)[1]


def test_a_setting_is_an_address_and_readings_follow_it(world):
    with_visits(world)
    door = visitor(world, "stella")
    first = opened(door, ADDRESS)
    assert first.status_code == 200
    assert "größe" in first.text
    assert "sex, &#34;as told&#34;" in first.text
    best = setting_in(first.text)  # nobody has chosen levels: those that lose least are shown
    assert "Met" in first.text
    plain = best.split("~")[0] + "~10~0.0.0"
    untouched = door.get(ADDRESS, params={"s": plain})
    assert setting_in(untouched.text) == plain
    assert "Not met" in untouched.text
    assert "What would help?" in untouched.text

    moved = door.get(f"{ADDRESS}/live", params={"s": plain, "l0": "1", "nl0": "0"}, headers={"hx-request": "true"})
    assert moved.headers["hx-replace-url"].split("s=")[1] == "3~10~1.0.0"
    typed = door.get(f"{ADDRESS}/live", params={"s": plain, "l0": "0", "nl0": "2"}, headers={"hx-request": "true"})
    assert typed.headers["hx-replace-url"].split("s=")[1] == "3~10~2.0.0"
    assert '<p id="said" hx-swap-oob="innerHTML">' in typed.text
    assert "<html" not in typed.text

    near = door.get(f"{ADDRESS}/steps", params={"s": plain, "l0": "1", "nl0": "0"}, headers={"hx-request": "true"})
    assert "one higher" in near.text

    without_script = door.get(ADDRESS, params={"s": plain, "l0": "1", "share": "12"}, follow_redirects=False)
    assert without_script.status_code == 303
    assert without_script.headers["location"].endswith("s=3~12~1.0.0")
    nonsense = door.get(ADDRESS, params={"s": "no~such~setting", "a": "7"})
    assert nonsense.status_code == 200
    again = door.get(ADDRESS, params={"s": plain, "best": "1"}, follow_redirects=False)
    assert again.headers["location"].endswith(best)

    pinned = door.get(ADDRESS, params={"s": plain, "a": best, "b": plain}).text
    assert "Side by side" in pinned
    assert pinned.count('class="differs"') >= 1

    kept = door.post(f"{ADDRESS}/keep", data={"s": best, "of": version_in(first.text)}, follow_redirects=False)
    assert kept.status_code == 303
    text = file_of(world.service, world.caller("stella"), "clinic", 0, "sfumato.yaml").decode()
    assert "# the rule of this house" in text
    assert "method: optimal" in text
    stale = door.post(f"{ADDRESS}/keep", data={"s": best, "of": version_in(first.text)})
    assert stale.status_code == 412
    assert "has changed" in stale.text
    now = door.get(ADDRESS)  # the same process answers for the new version: nobody waits
    assert setting_in(now.text) == best
    assert "This is what version 2 of the project says." in now.text


def test_a_package_is_built_verified_saved_and_the_same_bytes_as_the_copied_command_makes(world, tmp_path):
    kept = PROJECT.replace(
        "  suppress: 0.1\n", "  suppress: 0.1\n  method: optimal\n  levels: {age: 2, 'sex, \"as told\"': 0, größe: 2}\n"
    )
    with_visits(world, kept)
    door = visitor(world, "stella")
    of = version(world.service, world.caller("stella"), "clinic", 0).hash
    assert door.post(f"{ADDRESS}/package", data={"of": "a" * 64}).status_code == 412
    started = door.post(f"{ADDRESS}/package", data={"of": of}, follow_redirects=False)
    place = started.headers["location"]
    assert "waits for its turn" in door.get(place).text
    worked(world)
    done = door.get(place).text
    assert "Every bound is met." in done
    assert "released.csv" in done
    report = door.get(f"{place}/report")
    assert "sandbox" in report.headers["content-security-policy"]
    assert "k_anonymity" in report.text
    assert f'href="{place}/report"' in done
    door.post(f"{place}/verify")
    worked(world)
    assert "Verified." in door.get(place).text

    saved = door.get(f"{place}/package.zip")
    assert saved.headers["content-disposition"] == 'attachment; filename="clinic-package.zip"'
    with zipfile.ZipFile(io.BytesIO(saved.content)) as archive:
        here = {Path(name).name: archive.read(name) for name in archive.namelist()}
    uses = Chain.of(world.service.events.log).uses
    assert [use["command"]["name"] for use in uses if use["about"].get("file") == "package"][-1] == "rows.view"
    for somebody, status in (("rita", 403), ("other", 404)):
        assert visitor(world, somebody).get(f"{place}/package.zip").status_code == status

    (tmp_path / "sfumato.yaml").write_text(kept, encoding="utf-8")
    (tmp_path / "visits.csv").write_bytes(visits())
    (tmp_path / "sfumato.key").write_bytes(project_key(world.service, world.caller("stella"), "clinic"))
    (tmp_path / "sfumato.key").chmod(0o600)
    command = html.unescape(re.search(r'data-copy="(sfumato release [^"]+)"', done)[1])
    words = [sys.executable, "-m", *shlex.split(command)]
    environment = {"PATH": os.environ["PATH"], USER: "stella"}  # whoever releases it stands in the evidence
    differ = {}
    for signed in (False, True):  # as copied, by somebody who has no key of the service; and with that key
        if signed:
            shutil.rmtree(tmp_path / "package")
            shutil.rmtree(tmp_path / "package-evidence")
            (tmp_path / "result.json").unlink()
            (tmp_path / "signing.pem").write_bytes(world.service.keys.signing().read_bytes())
            (tmp_path / "signing.pem").chmod(0o600)
            words.append("--key=signing.pem")
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, env=environment)
        there = {path.name: path.read_bytes() for path in (tmp_path / "package").iterdir()}
        differ[signed] = {name for name in {*here, *there} if here.get(name) != there.get(name)}
        if not signed:
            ours, theirs = (json.loads(one["manifest.json"])["claims"] for one in (here, there))
            assert {key for key in {*ours, *theirs} if ours.get(key) != theirs.get(key)} == {
                "evidence"
            }  # its fingerprint
    assert differ == {False: {"manifest.json", "manifest.json.sig", "manifest.json.pub"}, True: set()}


def test_what_a_release_refuses_is_said_with_the_screens_that_help(world):
    with_visits(world, PROJECT.replace("  diagnosis: {role: sensitive}\n", ""))
    door = visitor(world, "stella")
    of = version(world.service, world.caller("stella"), "clinic", 0).hash
    place = door.post(f"{ADDRESS}/package", data={"of": of}, follow_redirects=False).headers["location"]
    worked(world)
    refused = door.get(place).text
    assert "No package was built." in refused
    assert "diagnosis" in refused
    assert 'href="/projects/clinic/columns"' in refused


def test_a_stranger_and_a_reviewer_see_no_levels(world):
    with_visits(world)
    assert visitor(world, "other").get(ADDRESS).status_code == 404
    denied = visitor(world, "rita").get(ADDRESS)
    assert denied.status_code == 200
    assert "stewards" in denied.text
    assert visitor(world, "rita").get(f"{ADDRESS}/live").status_code == 403


def test_what_keeps_a_table_from_being_asked_about_is_said_with_the_way_on(world):
    with_visits(world, PROJECT.split("measures:", maxsplit=1)[0])
    answer = opened(visitor(world, "stella"), ADDRESS)
    assert "Nothing is required of the release" in answer.text
    assert 'href="/projects/clinic/policy"' in answer.text


@pytest.mark.parametrize(
    "text",
    [
        PROJECT,
        PROJECT.replace("anonymise:\n  suppress: 0.1\n", ""),
        PROJECT.replace("  suppress: 0.1\n", "  levels:\n    age: 1\n  suppress: 0.2 # some\n  method: local\n"),
        PROJECT.replace("anonymise:\n  suppress: 0.1\n", "anonymise: {suppress: 0.1, objective: loss}\n"),
        "preset: open_data\n" + PROJECT.split("measures:", maxsplit=1)[0],
        '{"columns": {"age": {"role": "quasi"}}, "measures": [{"measure": "k_anonymity", "at_least": 3}]}',
    ],
)
def test_a_choice_is_written_and_all_else_stays(text):
    import yaml

    chosen = ChosenLevels({"age": 2, 'sex, "as told"': 0}, {"k_anonymity": 7}, 0.05)
    after = chosen.written(text)
    said = yaml.safe_load(after)
    assert said["anonymise"]["levels"] == {"age": 2, 'sex, "as told"': 0}
    assert (said["anonymise"]["method"], said["anonymise"]["suppress"]) == ("optimal", 0.05)
    assert {"measure": "k_anonymity", "at_least": 7} in said["measures"]
    assert after.count("#") == text.count("#")
    assert chosen.written(after) == after
