"""Whoever has a package, and knows much besides, gets back nothing that the released rows do not tell.

Each attack was tried on packages of before: they gave back suppressed values (the root of a squared error over a
count), counted single suppressed people, and confirmed guesses of the original by its hash.
"""

from __future__ import annotations

import hmac
import itertools
import json
import random
import re
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from tests.proof.neighbours import KEY, World, contents, hashes, packed, without_commitments, worlds, write

import sfumato as sf
from sfumato.proof.package.commitments import salt_of_release

CROWD = tuple((f"P{i}", 30 + i, "MF"[i % 2], "Aton", ["asthma", "flu"][i // 2 % 2]) for i in range(20))
SUPPRESSED = (("S1", 71, "F", "Xford", "zoster"), ("S2", 83, "M", "Qville", "flu"),
              ("S3", 64, "M", "Xford", "flu"), ("S4", 97, "F", "Qville", "zoster"))  # fmt: skip
UNSEEN = ("patients.csv", "patient_list", "S1", "Xford", "Qville", "zoster")


@given(world=worlds())
@example(world=World(CROWD, SUPPRESSED[:1], (("S1", 72, "F", "Xford", "zoster"),)))
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
def test_neighbours_have_the_same_package_byte_for_byte(world: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Originals whose suppressed people have other values, or are more or fewer, cannot be told apart."""
    folder = tmp_path_factory.mktemp("neighbours")
    one = packed((*world.alike, *world.alone), folder / "one")
    two = packed((*world.others, *world.alike), folder / "two", name="secret list of ward 7.csv")
    assume(one is not None and two is not None)
    assert one is not None
    assert two is not None
    assume(one["released.csv"] == two["released.csv"])
    assert without_commitments(one) == without_commitments(two)
    assert (
        json.loads(one["manifest.json"])["claims"]["evidence"] != json.loads(two["manifest.json"])["claims"]["evidence"]
    )


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    folder = tmp_path_factory.mktemp("attacked")
    files = packed((*CROWD, *SUPPRESSED), folder)
    assert files is not None
    assert files["released.csv"].count(b"\n") == 21
    return folder, files


def test_the_ages_of_four_suppressed_people_are_all_as_likely_as_before(
    package: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    """Prior: all is known of four suppressed people but their ages, which are 60 to 99. Nothing of the prior goes."""
    _, files = package
    chance = random.Random(16)
    for n in range(6):
        guess = tuple((p, chance.randrange(60, 100), *rest) for p, _, *rest in SUPPRESSED)
        other = packed((*CROWD, *guess), tmp_path / str(n))  # type: ignore[arg-type]
        assert other is not None
        assert without_commitments(other) == without_commitments(files)


def test_how_many_were_suppressed_is_not_told_where_they_are_few(
    package: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    """Prior: the suppressed people are among four who are known. None of the sixteen sets of them goes."""
    _, files = package
    sets = [some for n in (0, 1, 3) for some in itertools.combinations(SUPPRESSED, n)]
    for n, some in enumerate(random.Random(4).sample(sets, 4)):
        other = packed((*CROWD, *some), tmp_path / str(n))
        assert other is not None
        assert without_commitments(other) == without_commitments(files)


def test_no_hash_in_the_package_confirms_a_guess_of_the_original_or_of_the_evidence(
    package: tuple[Path, dict[str, bytes]],
) -> None:
    """Prior: everything. Even who has the whole original, and guesses it rightly, sees no sign of it."""
    folder, files = package
    known = {path.name: path.read_bytes() for path in (folder / "evidence").iterdir() if path.name != "salt"}
    known = {name: content for name, content in known.items() if content not in files.values()}  # what is in both
    known["patients.csv"] = (folder / "patients.csv").read_bytes()
    released = sha256(files["released.csv"]).hexdigest()
    salts = [b"", bytes(32), b"sfumato", released.encode(), bytes.fromhex(released), salt_of_release(b"", released)]
    guesses = set()
    for name, content in known.items():
        forms = (content, name.encode() + b"\0" + content, content.strip(), name.encode() + content)
        guesses |= {sha256(form).hexdigest() for form in forms}
        guesses |= {hmac.new(salt, form, sha256).hexdigest() for salt in salts for form in forms}
        guesses |= {sha256(salt + form).hexdigest() for salt in salts for form in forms}
    there = hashes(files)
    short = {guess[:12] for guess in guesses}
    assert there
    assert not [one for one in there if one[:12] in short]
    # The salt itself, which the evidence has, is what opens the commitments: the attack is the right one.
    salt = salt_of_release(KEY, released)
    assert hmac.new(salt, b"comparison.json\0" + known["comparison.json"], sha256).hexdigest() in there


def test_two_packages_of_one_original_tell_no_more_than_their_rows(tmp_path: Path) -> None:
    """Prior: two releases of the same people, at two levels; their differences are the same for all originals."""
    chance, seen = random.Random(2), []
    for n in range(3):
        guess = tuple((p, chance.randrange(60, 100), *rest) for p, _, *rest in SUPPRESSED[: 2 + n])
        rows = (*CROWD, *guess)
        levels = [{"age": level, "sex": 0, "town": 0} for level in (2, 3)]
        pair = [packed(rows, tmp_path / f"{n}-{i}", levels=each) for i, each in enumerate(levels)]  # type: ignore[arg-type]
        assert all(files is not None for files in pair)
        seen.append([without_commitments(files) for files in pair if files is not None])
    assert seen[0] == seen[1] == seen[2]


def test_two_releases_of_one_project_share_no_commitment(tmp_path: Path) -> None:
    """What is the same in two pieces of evidence cannot be seen: another release has another salt."""
    committed = []
    for level in (2, 3):
        files = packed((*CROWD, *SUPPRESSED), tmp_path / str(level), levels={"age": level, "sex": 0, "town": 0})
        assert files is not None
        each = json.loads(files["manifest.json"])["claims"]["evidence"]
        committed.append({*each["files"].values(), *each["kept"]})
    assert committed[0]
    assert not committed[0] & committed[1]


def test_no_name_or_value_of_what_was_left_out_is_in_any_file(package: tuple[Path, dict[str, bytes]]) -> None:
    _, files = package
    found = {(name, text) for name, content in files.items() for text in UNSEEN if text.encode() in content}
    assert found == set()
    ages = {str(age).encode() for _, age, *_ in SUPPRESSED}
    numbers = {name: set(re.findall(rb"(?<![\w.])\d+(?![\w.])", content)) for name, content in files.items()}
    assert not ages & (numbers["assessment.json"] | numbers["release.json"] | numbers["plan.yaml"])


def test_the_way_that_auto_took_does_not_tell_whether_somebody_was_left_out(tmp_path: Path) -> None:
    """Prior: everybody but one or two, who may be in the original or not. Which of the ways won is not a sign of them.

    The share that could have been left out was one: `auto` tries 5 % and nobody, which wins where nobody has to go.
    """
    crowd = tuple((f"P{i}", 30 + i % 10, "MF"[i % 2], "Aton", ["asthma", "flu"][i // 2 % 2]) for i in range(60))
    packages = []
    for n, some in enumerate(((), SUPPRESSED[:1], SUPPRESSED[1:3])):
        files = packed((*crowd, *some), tmp_path / str(n), levels=None, suppress=None, method="auto")
        assert files is not None
        packages.append(without_commitments(files))
        searched = json.loads((tmp_path / str(n) / "evidence" / "anonymisation.json").read_text(encoding="utf-8"))
        assert searched["suppressed"] == len(some)
        assert searched["suppression_limit"] == (0.05 if some else 0.0)  # what the steward knows, and nobody else
    assert packages[0] == packages[1] == packages[2]


PROJECT = """\
data: {source: patients.csv}
subject: patient
columns:
  patient: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  town: {role: quasi}
  diagnosis: {role: sensitive}
measures: [{measure: k_anonymity, at_least: 5}]
"""
WAYS = {
    "search": "anonymise: {suppress: 0.9, levels: {age: 2, sex: 0, town: 0}}\n",
    "plan": """plan:
  steps:
    - top_code: {column: age, at: 97}
    - generalise: {column: age, level: 2, hierarchy: {kind: ages}}
    - suppress_records: {where: {column: town, in: [Xford, Qville]}}
    - suppress_values: {columns: [diagnosis], rarer_than: 2}
""",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_project_from_end_to_end_tells_nothing_of_whom_it_leaves_out(tmp_path: Path, way: str) -> None:
    packages = []
    for n, some in enumerate((SUPPRESSED, SUPPRESSED[:2])):
        folder = tmp_path / str(n)
        write((*CROWD, *some), folder / "patients.csv")
        (folder / "sfumato.yaml").write_text(PROJECT + WAYS[way], encoding="utf-8")
        written = sf.release(folder / "sfumato.yaml", folder / "package")
        packages.append(contents(written.folder))
        stays = contents(written.evidence)
        assert b"patients.csv" in stays["released.csv.provenance.json"]
        assert sf.verify(written.folder, folder / "patients.csv", evidence=written.evidence).agrees
    assert packages[0]["released.csv"] == packages[1]["released.csv"]
    assert without_commitments(packages[0]) == without_commitments(packages[1])
    assert not [(name, text) for name, content in packages[0].items() for text in UNSEEN if text.encode() in content]
