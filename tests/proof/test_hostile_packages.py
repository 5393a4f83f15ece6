"""Whatever somebody put into the folder of a package, `verify` ends soon with a finding or a clear error."""

from __future__ import annotations

import html
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.proof.conftest import Made
from tests.proof.hostile import ATTACKS, FILES, INSTEAD, put_instead

from sfumato.errors import UnreadableFile
from sfumato.proof.package.follow_again import Original
from sfumato.proof.package.manifest import MANIFEST, PUBLIC, SIGNATURE
from sfumato.proof.package.released_rows import load_untrusted
from sfumato.proof.package.signature import SigningKey, new_key
from sfumato.proof.verify import verify
from sfumato.tables.read import limits

SECONDS = 30  # an attack that is held takes less than one; a pipe that is opened takes for ever
SHOWN = 100_000  # letters on a terminal
pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes, sockets and links as POSIX has them")


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    """An attack that hangs is interrupted, and fails."""

    def late(*_: object) -> None:
        raise AssertionError(f"still at it after {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def around(made: Made) -> set[str]:
    """All names where the package is."""
    return {str(path) for path in made.folder.parent.rglob("*")}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_package_ends_with_a_finding_or_a_clear_error(made: Made, attack: str) -> None:
    ATTACKS[attack](made)
    before = around(made)
    evidence = made.evidence if "evidence" in attack else None
    try:
        found = verify(made.folder, evidence=evidence)
        words = found.sheet().text()
        assert found.contradicted
        found.to_json().encode()
    except UnreadableFile as error:
        words = str(error)
    assert len(words.encode()) < SHOWN
    assert around(made) == before


def test_there_are_enough_attacks() -> None:
    assert len(ATTACKS) >= 60


@pytest.mark.parametrize("kind", INSTEAD)
def test_what_is_no_file_is_named_for_what_it_is(made: Made, kind: str) -> None:
    put_instead("released.csv", kind)(made)
    (problem,) = [claim for claim in verify(made.folder).contradicted if claim.what.startswith("released.csv (")]
    words = "symbolic link" if "link" in kind else "bytes" if "terabyte" in kind else kind
    assert words in problem.found


def test_the_plan_of_hostile_evidence_leaves_nothing_behind(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Followed on the original, it would keep the way back to people in a file of its choice."""
    monkeypatch.setenv("SFUMATO_SECRET_WORDS", "correct horse battery")
    monkeypatch.setenv("SFUMATO_KEY", bytes(range(32)).hex())
    text = "steps:\n  - tokenise: {column: patient_id, vault: ../stolen.vault, secret: words}\n"
    made.path("evidence/plan.yaml").write_text(text, encoding="utf-8")
    made.repackage()
    before = around(made)
    assert verify(made.folder, Original(made.original), evidence=made.evidence).contradicted
    assert around(made) == before


def test_more_cells_than_a_file_can_hold_are_not_read_and_the_words_say_what_raises_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pq.write_table(pa.table({"a": ["x"] * 100_000}), tmp_path / "released.parquet")
    assert load_untrusted(tmp_path / "released.parquet", {}).table.count() == 100_000
    monkeypatch.setattr(limits, "MANY", 5)
    with pytest.raises(UnreadableFile, match=r"each of its bytes holds .* raise the limit: SFUMATO_LIMITS=cells_per"):
        load_untrusted(tmp_path / "released.parquet", {})
    monkeypatch.setenv("SFUMATO_LIMITS", "cells_per_byte=1000")
    assert load_untrusted(tmp_path / "released.parquet", {}).table.count() == 100_000


@pytest.mark.parametrize("attack", ["a terabyte of holes for released.csv", "fifty thousand claims"])
def test_the_command_ends_within_a_gigabyte_and_a_minute(made: Made, attack: str) -> None:
    ATTACKS[attack](made)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (2**30, 2**30))

    command = [sys.executable, "-m", "sfumato", "verify", str(made.folder)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    signal.alarm(0)
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False, preexec_fn=limited)
    assert done.returncode in (1, 2)
    assert b"Traceback" not in done.stderr
    assert len(done.stdout) < SHOWN


def headline(made: Made, **more: object) -> str:
    found = verify(made.folder, **more)  # type: ignore[arg-type]
    line = found.sheet().text().splitlines()[2]
    page = re.sub("<[^>]*>", "", html.unescape(found._repr_html_()))
    assert " ".join(line.split()) in " ".join(page.split())
    return line


def test_a_package_without_its_signature_is_unsigned_in_the_headline_and_fails_where_a_key_is_given(
    made: Made, sfumato: object
) -> None:
    for name in (SIGNATURE, PUBLIC):
        (made.folder / name).unlink()
    assert headline(made).startswith("UNSIGNED: anybody can have made this package. All ")
    assert verify(made.folder).document()["signature"] == {"by": "nobody", "key": None}
    assert "UNSIGNED" in headline(made, key=made.public)
    assert "NOT true" in headline(made, key=made.public)
    done = sfumato("verify", made.folder, "--key", made.public)  # type: ignore[operator]
    assert (done.code, "UNSIGNED" in done.out) == (1, True)


def test_a_key_that_came_with_the_package_is_unknown_in_the_headline(made: Made, tmp_path: Path) -> None:
    name = SigningKey.read(made.key).name
    assert headline(made).startswith(f"Signed by an UNKNOWN key {name}: anybody can have made this package. All ")
    assert headline(made, key=made.public).startswith(f"Signed by the key {name} that was given. All ")
    new_key(tmp_path / "other.pem")
    line = headline(made, key=tmp_path / "other.pem.pub")
    assert f"NOT signed by the key {SigningKey.read(tmp_path / 'other.pem').name}." in line
    assert "NOT true" in line
    (made.folder / PUBLIC).unlink()
    assert headline(made).startswith("Signed by an UNKNOWN key: ")


@given(data=st.data())
@settings(max_examples=15, suppress_health_check=list(HealthCheck), deadline=None)
def test_any_changed_byte_of_a_signed_package_is_found(
    once: Made, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("changed") / "package"
    shutil.copytree(once.folder, folder)
    path = data.draw(st.sampled_from(sorted(folder.iterdir())))
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    try:
        assert verify(folder, key=data.draw(st.sampled_from([once.public, None]))).contradicted
        named = True
    except UnreadableFile:
        named = path.name in (MANIFEST, PUBLIC)
    shutil.rmtree(folder)
    assert named


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".json")])
def test_any_field_of_any_document_may_hold_anything_and_nothing_breaks(made: Made, name: str) -> None:
    """A slice of all places, each with the next of all odd values; made to fit with new manifests."""
    odd = [None, -7, "x", [], [3], {}, {"a": 1}, True, 1e300, 2**126, [None], {"": {}}, "\x00", [[[]]], 0.5]
    before = made.text(name)
    places = list(paths(json.loads(before)))
    for n, place in enumerate(places[:: max(len(places) // 4, 1)]):
        document = json.loads(before)
        part = document
        for key in place[:-1]:
            part = part[key]
        part[place[-1]] = odd[(n + len(name)) % len(odd)]
        made.write(name, json.dumps(document))
        if not name.endswith(MANIFEST):
            made.repackage()
        try:
            found = verify(made.folder, evidence=made.evidence if name.startswith("evidence") else None)
        except UnreadableFile:
            assert name.endswith(MANIFEST)
            continue
        found.to_json().encode()
        found.sheet().text()


def paths(document: object, before: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """Every place of a document."""
    pairs = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, part in pairs:
        yield (*before, key)
        yield from paths(part, (*before, key))
