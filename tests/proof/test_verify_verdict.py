"""The verdict that a package repeats: what is open cannot be taken out of it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.proof.package.folder import seal
from sfumato.proof.package.hand_over import hand_over
from sfumato.proof.verify import verify

QUESTION = "readings: what the readings leave open is said"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A release with k that is kept to, and a measurement on which nearly everybody is alone."""
    draw = random.Random(2)
    rows = [f"{draw.choice('fm')},{draw.randint(30, 60)},{draw.uniform(50, 250):.1f}" for _ in range(80)]
    (tmp_path / "people.csv").write_text("\n".join(["sex,age,glucose", *rows]) + "\n", encoding="utf-8")
    found = sf.anonymise(tmp_path / "people.csv", quasi=["sex", "age"], non_sensitive=["glucose"], k=4)
    assert found.verdict.state == "met, but"
    hand_over(found, tmp_path / "package", tmp_path / "evidence", key=bytes(range(32)))
    return tmp_path / "package"


def wrong(folder: Path) -> list[str]:
    return [f"{claim.about}: {claim.what}" for claim in verify(folder).contradicted]


def test_verify_repeats_a_verdict_with_what_is_open(package: Path) -> None:
    checked = verify(package)
    assert checked.agrees
    (note,) = [note for note in checked.notes if note.startswith("The release says of its policy: met, but:")]
    assert "nothing is required of glucose" in note


def test_a_verdict_that_does_not_follow_from_what_is_open_is_named(package: Path) -> None:
    release = json.loads((package / "release.json").read_text(encoding="utf-8"))
    (package / "release.json").write_text(json.dumps(release | {"verdict": "met"}), encoding="utf-8")
    seal(package, package.parent / "evidence")
    assert "evidence: verdict, by what is met and what is open" in wrong(package)


def test_a_question_that_was_taken_out_is_named_though_everything_else_was_made_to_fit(package: Path) -> None:
    for name in ("release.json", "assessment.json"):
        document = json.loads((package / name).read_text(encoding="utf-8"))
        (package / name).write_text(json.dumps(document | {"verdict": "met", "open": []}), encoding="utf-8")
    seal(package, package.parent / "evidence")
    assert wrong(package) == [QUESTION]


def test_a_changed_number_of_people_who_are_alone_is_named(package: Path) -> None:
    document = json.loads((package / "assessment.json").read_text(encoding="utf-8"))
    document["everything"]["alone"] = 0
    (package / "assessment.json").write_text(json.dumps(document), encoding="utf-8")
    seal(package, package.parent / "evidence")
    assert "readings: everything, alone" in wrong(package)
