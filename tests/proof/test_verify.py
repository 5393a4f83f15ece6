"""Each claim of a release is recomputed: what was tampered with is found and named, even under a new manifest."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.errors import UnreadableFile, UnusableInput
from sfumato.proof.package.folder import ReleaseEvidence, ReleasePackage, report_mark, seal
from sfumato.proof.package.follow_again import Original
from sfumato.proof.package.hand_over import hand_over
from sfumato.proof.package.manifest import MANIFEST, SIGNATURE
from sfumato.proof.package.signature import SigningKey, new_key
from sfumato.proof.verify import verify
from sfumato.search.catalogue import methods

KEY = bytes(range(32))
STAYS = "the evidence that stays"


def wrong(found) -> list[str]:
    return [f"{claim.about}: {claim.what}" for claim in found.contradicted]


def alone(made, **more):
    """What a recipient finds."""
    return verify(made.folder, **more)


def both(made, **more):
    """What somebody finds who has the evidence."""
    return verify(made.folder, evidence=made.evidence, **more)


def everything(made, **more):
    """What somebody finds who has the evidence and the original."""
    return verify(made.folder, Original(made.original), evidence=made.evidence, **more)


def test_an_untouched_release_agrees_in_every_claim(made):
    found = alone(made, key=made.public)
    assert (wrong(found), [claim.what for claim in found.unchecked]) == ([], [STAYS])
    found = both(made, key=made.public)
    assert (wrong(found), found.unchecked) == ([], ())
    found = everything(made, key=made.public)
    assert (wrong(found), found.unchecked) == ([], ())
    assert {claim.about for claim in found.claims} == {
        "files", "signature", "evidence", "plan", "release", "readings", "original", "comparison", "commitments",
    }  # fmt: skip


def test_the_original_alone_proves_nothing_and_that_is_said(made):
    with pytest.raises(UnusableInput, match="--evidence"):
        verify(made.folder, made.original)
    assert verify(made.folder, made.original, evidence=made.evidence).agrees


def test_one_changed_cell_is_found_by_the_hash_of_its_file(made):
    made.change("released.csv", "asthma", "eczema")
    assert "files: released.csv (changed)" in wrong(alone(made))


def test_one_changed_cell_is_found_by_the_readings_under_a_new_manifest(made):
    row = made.text("released.csv").splitlines()[1]
    made.change("released.csv", row, row.replace("0151", "0152").replace("0203", "0204"))
    made.repackage()
    found = wrong(alone(made))
    assert "readings: readings, k_anonymity, value" in found
    assert "readings: classes, smallest" in found


def test_one_changed_cell_that_no_reading_shows_is_found_with_the_original_under_new_evidence(made):
    made.change("released.csv", ",low\n", ",\n")
    from sfumato.canonical import sha256_of

    digest = sha256_of(made.folder / "released.csv")
    made.edit("release.json", lambda d: d["released"].update(sha256=digest))
    made.edit("evidence/released.csv.provenance.json", lambda d: d["output"].update(sha256=digest))
    made.repackage()
    found = wrong(everything(made))
    assert "original: the plan on the original gives released.csv" in found


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("value", 9.0, "readings: readings, k_anonymity, value"),
        ("flagged", 1, "readings: readings, k_anonymity, flagged"),
        ("met", False, "readings: readings, k_anonymity, met"),
    ],
)
def test_one_changed_reading_is_named_even_under_a_new_manifest(made, key, value, named):
    made.edit("assessment.json", lambda d: d["readings"][0].update({key: value}))
    assert "files: assessment.json (changed)" in wrong(alone(made))
    made.repackage()
    assert wrong(alone(made)) == [named]


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("value", 9.0, "readings: readings, k_anonymity, value"),
        ("flagged", 1, "readings: readings, k_anonymity, flagged"),
        ("met", False, "readings: readings, k_anonymity, met"),
    ],
)
def test_one_changed_reading_of_the_evidence_is_named_even_under_new_commitments(made, key, value, named):
    for name in ("evidence/assessment.json", "evidence/anonymisation.json"):
        made.edit(name, lambda d: d["readings"][0].update({key: value}))
    assert {"files: evidence/assessment.json (changed)", "commitments: assessment.json"} <= set(wrong(both(made)))
    made.repackage()
    assert wrong(both(made)) == [named]
    assert wrong(alone(made)) == []


def test_a_reading_changed_in_one_place_is_contradicted_by_the_other(made):
    made.edit("evidence/anonymisation.json", lambda d: d["readings"][0].update(value=9.0))
    made.repackage()
    assert wrong(both(made)) == ["evidence: anonymisation.json and assessment.json: readings, k_anonymity, value"]


def test_a_reading_left_out_of_the_package_or_of_the_evidence_is_named(made):
    made.edit("assessment.json", lambda d: d["readings"].pop())
    made.repackage()
    lost = "readings: readings, t_closeness(diagnosis)"
    assert [name for name in wrong(alone(made)) if name.startswith(lost)]
    made.edit("evidence/assessment.json", lambda d: d["readings"].pop())
    made.edit("evidence/anonymisation.json", lambda d: d["readings"].pop())
    made.repackage()
    assert len([name for name in wrong(both(made)) if name == lost]) == 2


def test_a_claim_changed_in_the_manifest_is_named(made):
    made.edit(MANIFEST, lambda d: d["claims"]["readings"][""]["k_anonymity"].update(value=9.0))
    found = wrong(alone(made))
    assert "evidence: manifest, readings, , k_anonymity, value" in found
    assert any(name.startswith("signature: ") for name in found)


def test_a_step_removed_from_the_words_for_the_recipient_is_named(made):
    made.edit("release.json", lambda d: d["steps"].pop())
    made.repackage()
    assert wrong(alone(made)) == ["plan: steps in words"]
    assert "evidence: steps in words, in evidence and package" in wrong(both(made))


def test_a_step_removed_from_the_plan_is_named_even_under_a_new_manifest(made):
    import yaml

    plan = yaml.safe_load(made.text("evidence/plan.yaml"))
    plan["steps"].pop(0)
    made.write("evidence/plan.yaml", yaml.safe_dump(plan, sort_keys=False))
    assert {"files: evidence/plan.yaml (changed)", "commitments: plan.yaml"} <= set(wrong(both(made)))
    made.repackage()
    found = both(made)
    assert {"plan: steps", "plan: SHA-256 of the plan"} <= set(wrong(found))
    steps = next(claim for claim in found.contradicted if claim.what == "steps")
    assert len(steps.said.split(", ")) == len(steps.found.split(", ")) + 1


def test_a_step_removed_from_the_plan_and_from_its_record_is_found_with_the_original(made):
    import yaml

    from sfumato.plans.plan_file import read_plan
    from sfumato.plans.provenance import recorded
    from sfumato.proof.package.recipient_plan import RecipientPlan

    plan = yaml.safe_load(made.text("evidence/plan.yaml"))
    plan["steps"] = plan["steps"][:-2]  # the two that say what is not released
    made.write("evidence/plan.yaml", yaml.safe_dump(plan, sort_keys=False))
    read = read_plan(made.evidence / "plan.yaml")
    made.edit(
        "evidence/released.csv.provenance.json",
        lambda d: d.update(
            plan={**read.document(), "steps": [*map(recorded, read.steps)], "sha256": read.fingerprint()}, settled=None
        ),
    )
    steps = [step.transformation.told() for step in read.steps]
    made.edit("evidence/anonymisation.json", lambda d: d.update(steps=steps))
    told = RecipientPlan.of(read, sf.load(made.folder / "released.csv").table, 0)
    made.edit("release.json", lambda d: d.update(steps=told.words()))
    made.write("plan.yaml", told.text())
    made.repackage()
    assert wrong(both(made)) == []
    assert "original: the plan on the original gives released.csv" in wrong(everything(made))


def test_a_report_from_another_run_is_named_even_under_a_new_manifest(made, tmp_path):
    for where, about in (("", ReleasePackage.read(made.folder)), ("evidence/", _evidence(made))):
        made.write(f"{where}report.html", f"<html><head>{report_mark(about)}</head></html>")
    made.repackage()
    assert wrong(both(made)) == []
    other = sf.anonymise(made.original, quasi=["age", "sex"], k=2, suppress=0.2)
    hand_over(other, tmp_path / "other", tmp_path / "other-evidence", key=KEY)
    made.write("report.html", f"<html><head>{report_mark(ReleasePackage.read(tmp_path / 'other'))}</head></html>")
    assert "files: report.html (changed)" in wrong(alone(made))
    made.repackage()
    assert wrong(alone(made)) == ["report: report.html is about this release"]
    made.write("evidence/report.html", made.text("report.html"))
    made.repackage()
    assert "report: evidence/report.html is about this release" in wrong(both(made))


def _evidence(made) -> ReleaseEvidence:
    return ReleaseEvidence.read(made.evidence, made.folder / "released.csv")


def test_a_report_that_does_not_say_whose_it_is_is_not_taken_for_checked(made):
    made.write("report.html", "<html></html>")
    made.repackage()
    assert [claim.what for claim in both(made).unchecked] == ["report.html is about this release"]


def test_a_forged_signature_is_named(made, tmp_path):
    new_key(tmp_path / "forger.pem")
    seal(made.folder, made.evidence, SigningKey.read(tmp_path / "forger.pem"))
    found = alone(made, key=made.public)
    assert any(name.startswith("signature: manifest.json is signed by the key") for name in wrong(found))
    assert wrong(alone(made, key=tmp_path / "forger.pem.pub")) == []


def test_a_signature_of_another_manifest_is_named(made):
    made.change(MANIFEST, '"left_out":"fewer than 11 records"', '"left_out":"up to 1 %"')
    for key in (made.public, None):
        assert any(name.startswith("signature: ") for name in wrong(alone(made, key=key)))


def test_a_signature_that_was_taken_away_is_missed(made):
    (made.folder / SIGNATURE).unlink()
    assert wrong(alone(made, key=made.public)) == ["signature: manifest.json is signed"]
    made.repackage()
    assert wrong(alone(made, key=made.public)) == ["signature: manifest.json is signed"]


def test_a_key_that_came_with_the_package_proves_nothing_about_whose_it_is_and_that_is_said(made):
    found = alone(made)
    signature, same_key = [claim for claim in found.claims if claim.about == "signature"]
    assert "give the one that you trust" in signature.note
    assert same_key.what == "manifest.json.pub is this key"


@pytest.mark.parametrize("name", ["plan.yaml", "release.json", "assessment.json", "released.csv"])
def test_a_file_that_was_taken_away_is_named_even_under_a_new_manifest(made, name):
    (made.folder / name).unlink()
    assert f"files: {name} (missing)" in wrong(alone(made))
    made.repackage()
    assert f"files: {name} is part of the package" in wrong(alone(made))


@pytest.mark.parametrize(
    "name", ["plan.yaml", "anonymisation.json", "assessment.json", "comparison.json", "released.csv.provenance.json"]
)
def test_evidence_that_was_taken_away_is_named(made, name):
    (made.evidence / name).unlink()
    found = wrong(both(made))
    assert {f"files: evidence/{name} (missing)", f"commitments: {name}"} <= set(found)
    made.repackage()
    assert f"files: evidence/{name} is part of the evidence" in wrong(both(made)) or name == "comparison.json"


def test_other_evidence_does_not_have_the_commitments_of_the_package(made, tmp_path):
    shutil.copytree(made.evidence, tmp_path / "other")
    (tmp_path / "other" / "salt").write_text(bytes(32).hex(), encoding="ascii")
    found = wrong(verify(made.folder, evidence=tmp_path / "other"))
    committed = [name for name in found if name.startswith("commitments: ")]
    assert "files: evidence/salt (changed)" in found
    named = {path.name for path in made.evidence.iterdir() if path.suffix in (".yaml", ".json")}
    assert {f"commitments: {name}" for name in named} <= set(committed)


@pytest.mark.parametrize("name", ["release.json", "assessment.json", "plan.yaml"])
@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"readings": 3}', '{"value": NaN}', '{"readings": [1], "classes": 2}']
)
def test_a_document_that_is_destroyed_is_named_and_nothing_breaks(made, name, text):
    made.write(name, text)
    assert f"files: {name} (changed)" in wrong(alone(made))
    if name != "release.json":
        made.repackage()
        assert wrong(alone(made))
    alone(made).to_json()


@pytest.mark.parametrize(
    "name", ["anonymisation.json", "assessment.json", "comparison.json", "released.csv.provenance.json"]
)
@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"readings": 3}', '{"value": NaN}', '{"readings": [1], "classes": 2}']
)
def test_evidence_that_is_destroyed_is_named_and_nothing_breaks(made, name, text):
    made.write(f"evidence/{name}", text)
    assert {f"files: evidence/{name} (changed)", f"commitments: {name}"} <= set(wrong(both(made)))
    made.repackage()
    assert wrong(both(made)) or name == "comparison.json"
    everything(made).to_json()


def test_data_that_cannot_be_read_any_more_are_named(made):
    made.write("released.csv", "")
    assert "release: the data can be read" in wrong(alone(made))


def test_another_original_is_named(made, tmp_path):
    other = tmp_path / "patients.csv"
    other.write_text(made.original.read_text().replace("P01,34", "P01,44"), encoding="utf-8")
    found = wrong(verify(made.folder, Original(other), evidence=made.evidence))
    assert {"original: SHA-256 of the original", "original: the plan on the original gives released.csv"} <= set(found)


def test_an_original_without_the_columns_of_the_plan_is_named(made, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    found = wrong(verify(made.folder, Original(other), evidence=made.evidence))
    assert "original: the plan can be followed on the original" in found


def test_a_changed_figure_of_the_comparison_is_named_with_the_original(made):
    made.edit("evidence/comparison.json", lambda d: d["columns"]["age"]["loss"].update(value=0.01))
    made.repackage()
    assert wrong(everything(made)) == ["comparison: columns, age, loss, value"]


def test_a_changed_number_of_suppressed_records_is_named(made):
    made.edit("evidence/anonymisation.json", lambda d: d.update(suppressed=0))
    made.repackage()
    assert wrong(both(made)) == ["release: records left out"]


def test_how_much_was_left_out_is_held_against_the_evidence(made):
    made.edit("release.json", lambda d: d.update(left_out="up to 1 %"))
    made.repackage()
    assert wrong(alone(made)) == []  # nobody can tell from the released rows
    assert wrong(both(made)) == ["evidence: left out, in evidence and package"]


def test_a_line_removed_from_the_log_is_named_by_the_head_in_the_manifest(made, tmp_path):
    from sfumato.proof.use_log.log import AuditLog

    log = AuditLog(tmp_path / "sfumato.log.jsonl")
    for who in ("Ada", "Bob"):
        head = log.append({"who": who})
    seal(made.folder, made.evidence, head=head)
    assert [claim.about for claim in both(made).unchecked] == ["log"]
    assert both(made, log=log.path).agrees
    log.path.write_bytes(log.lines()[0])
    log.head_path.unlink()
    found = both(made, log=log.path)
    assert wrong(found) == ["log: the log of use is whole, up to the head in the manifest"]


def handed_over(found, folder: Path, name: str = "released.csv", **more):
    """The package and the evidence of a release in a folder."""
    hand_over(found, folder / "out", folder / "out-evidence", key=KEY, name=name, **more)
    return folder / "out", folder / "out-evidence"


@pytest.mark.parametrize("ending", ["parquet", "xlsx", "sav", "dta", "xpt"])
def test_a_release_of_any_format_agrees(made, tmp_path, ending):
    found = sf.anonymise(made.original, quasi=["age", "sex"], sensitive=["diagnosis"], k=3, suppress=0.2)
    package, evidence = handed_over(found, tmp_path, f"released.{ending}")
    checked = verify(package, Original(made.original), evidence=evidence)
    assert wrong(checked) == []


@pytest.mark.parametrize("method", methods())
def test_a_release_of_any_method_agrees(made, tmp_path, method):
    found = sf.anonymise(made.original, quasi=["age", "sex", "postcode"], k=3, suppress=0.3, method=method)
    package, evidence = handed_over(found, tmp_path, protect=[made.original])
    checked = verify(package, Original(made.original), evidence=evidence)
    assert (wrong(checked), checked.unchecked) == ([], ())


VISITS = """\
person,age,stage
a,31,low
a,31,low
b,33,middle
b,33,middle
c,35,high
d,51,low
d,51,low
e,52,middle
f,53,high
g,54,low
"""
PROJECT = """\
data: {source: visits.csv}
subject: person
columns:
  person: {role: direct}
  age: {role: quasi, bins: [30, 40, 50, 60]}
  stage: {role: sensitive, scale: ordinal, order: [low, middle, high]}
measures:
  - {measure: k_anonymity, at_least: 2}
  - {measure: t_ordered, sensitive: stage, at_most: 0.6}
"""


@pytest.fixture
def visits(tmp_path):
    """A release of persons with several visits, whom it does not name, and of ordinal values."""
    (tmp_path / "visits.csv").write_text(VISITS, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    from sfumato.privacy.question import Question
    from sfumato.search.anonymise import anonymise_source

    found, sources = anonymise_source(None, tmp_path / "sfumato.yaml", Question(), {})
    handed_over(found, tmp_path, protect=sources)
    return tmp_path


def test_persons_whom_the_release_does_not_name_are_counted_with_the_original(visits):
    from sfumato.project.file import Project

    package, evidence = visits / "out", visits / "out-evidence"
    found = verify(package)
    assert (wrong(found), [claim.what for claim in found.unchecked]) == (
        [],
        ["requirements, counted by person", STAYS],
    )
    assert (wrong(verify(package, evidence=evidence)), len(verify(package, evidence=evidence).unchecked)) == ([], 1)
    original = Original(visits / "visits.csv", Project.read(visits / "sfumato.yaml"))
    checked = verify(package, original, evidence=evidence)
    assert (wrong(checked), checked.unchecked) == ([], ())
    assert json.loads((evidence / "assessment.json").read_text())["subjects"] == 7
    assert json.loads((package / "assessment.json").read_text())["subjects"] is None


def test_an_order_that_the_package_does_not_hold_is_no_accusation(visits):
    package, evidence = visits / "out", visits / "out-evidence"
    document = json.loads((package / "release.json").read_text())
    del document["columns"]["orders"]
    (package / "release.json").write_text(json.dumps(document))
    seal(package, evidence)
    checked = verify(package, Original(visits / "visits.csv"), evidence=evidence)
    assert [claim.what for claim in checked.unchecked] == ["readings, t_ordered(stage), value"]


def test_a_changed_reading_by_person_is_named_with_the_original(visits):
    package, evidence = visits / "out", visits / "out-evidence"
    for name in ("assessment.json", "anonymisation.json"):
        document = json.loads((evidence / name).read_text())
        document["readings"][0]["value"] = 99.0
        (evidence / name).write_text(json.dumps(document))
    seal(package, evidence)
    checked = verify(package, Original(visits / "visits.csv"), evidence=evidence)
    assert wrong(checked) == ["readings: readings, k_anonymity, value"]


SCENARIOS = """\
data: {source: patients.csv}
columns:
  patient_id: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  postcode: {role: quasi}
  diagnosis: {role: sensitive}
  stage: {role: non-sensitive}
measures:
  - {measure: k_anonymity, at_least: 2}
  - {measure: distinct_l_diversity, sensitive: diagnosis, at_least: 2}
scenarios:
  - {name: neighbour, columns: [age, sex]}
  - {name: "the journalist, by phone", columns: [postcode]}
anonymise: {suppress: 0.2, for_scenarios: true}
"""


@pytest.mark.parametrize("subject", ["", "subject: patient_id\n"])
def test_a_release_for_scenarios_agrees_in_every_claim(once, tmp_path, subject):
    from sfumato.project.file import Project

    shutil.copy(once.original, tmp_path / "patients.csv")
    (tmp_path / "sfumato.yaml").write_text(subject + SCENARIOS, encoding="utf-8")
    written = sf.release(tmp_path / "sfumato.yaml", tmp_path / "package", report=False)
    assert {"assessment_neighbour.json", "assessment_the journalist, by phone.json"} <= set(written.files)
    assert wrong(verify(written.folder)) == []
    original = Original(tmp_path / "patients.csv", Project.read(tmp_path / "sfumato.yaml"))
    checked = verify(written.folder, original, evidence=written.evidence)
    assert (wrong(checked), checked.unchecked) == ([], ())
    for folder in (written.folder, written.evidence):
        path = folder / "assessment_neighbour.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        document["readings"][0]["value"] = 99.0
        path.write_text(json.dumps(document), encoding="utf-8")
    seal(written.folder, written.evidence)
    assert "readings: neighbour: readings, k_anonymity, value" in wrong(verify(written.folder))
    found = wrong(verify(written.folder, evidence=written.evidence))
    assert "evidence: anonymisation.json and readings for neighbour: readings, k_anonymity, value" in found


def test_a_folder_without_a_manifest_is_no_package(made):
    (made.folder / MANIFEST).unlink()
    with pytest.raises(UnreadableFile, match="no release package"):
        verify(made.folder)


def test_a_folder_that_is_no_evidence_is_refused(made):
    with pytest.raises(UnreadableFile, match="evidence"):
        verify(made.folder, evidence=made.folder)
    (made.evidence / "salt").unlink()
    with pytest.raises(UnreadableFile, match="salt"):
        both(made)


def test_verify_ends_with_0_1_or_2(sfumato, made, tmp_path):
    assert sfumato("verify", made.folder, "--key", made.public).code == 0
    more = ("--evidence", made.evidence, "--original", made.original)
    assert sfumato("verify", made.folder, "--key", made.public, *more).code == 0
    made.change("released.csv", "asthma", "eczema")
    done = sfumato("verify", made.folder, "--json", "-")
    assert done.code == 1
    named = [claim["what"] for claim in json.loads(done.out)["claims"] if claim["agrees"] is False]
    assert "released.csv (changed)" in named
    (tmp_path / "empty").mkdir()
    done = sfumato("verify", "empty")
    assert (done.code, "no release package" in done.err) == (2, True)
    assert sfumato("verify", "nowhere").code == 2
    assert sfumato("verify", made.folder, "--key", "nowhere.pub").code == 2
    assert sfumato("verify", made.folder, "--original", made.original).code == 2


def test_no_cell_is_shown_when_a_release_is_verified(sfumato, made, tmp_path):
    marked = tmp_path / "marked.csv"
    marked.write_text(
        made.original.read_text().replace("asthma", "MARKED").replace("0203", "MARKED2"), encoding="utf-8"
    )
    found = sf.anonymise(marked, quasi=["age", "sex", "postcode"], sensitive=["diagnosis"], k=3, suppress=0.2)
    handed_over(found, tmp_path)
    shutil.copytree(tmp_path / "out", tmp_path / "changed")
    path = tmp_path / "changed" / "released.csv"
    path.write_text(path.read_text().replace("MARKED", "MARKED3", 1))
    for folder in ("out", "changed"):
        done = sfumato(
            "verify", folder, "--evidence", "out-evidence", "--original", marked, "--json", "all.json"
        )  # fmt: skip
        assert "MARKED" not in done.said
        assert "MARKED" not in (tmp_path / "all.json").read_text()
        assert "MARKED" not in (tmp_path / folder / MANIFEST).read_text()


def places(document, path=()):
    """Every place of a document."""
    parts = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, part in parts:
        yield (*path, key)
        yield from places(part, (*path, key))


DOCUMENTS = (
    "release.json", "assessment.json", MANIFEST, "evidence/anonymisation.json", "evidence/assessment.json",
    "evidence/released.csv.provenance.json", "evidence/manifest.json",
)  # fmt: skip
SLICE = 4  # changes of each document in `make test`: half a second each. `make soak` makes more, in tests/soak


@pytest.mark.parametrize("name", DOCUMENTS)
def test_whatever_a_document_is_changed_to_it_is_named_and_nothing_breaks(made, name):
    check_changes(made, name, range(SLICE))


def check_changes(made, name, numbers):
    """Change one place of a document at random, again and again, and see that it is named."""
    before = made.text(name)
    for number in numbers:
        chance, document = random.Random(f"{name} {number}"), json.loads(before)
        *path, last = chance.choice(sorted(places(document), key=str))
        part = document
        for key in path:
            part = part[key]
        part[last] = chance.choice([None, -7, "x", [], [3], {}, {"a": 1}, True, 1e300])
        made.write(name, json.dumps(document))
        try:
            found = everything(made) if number % 4 == 0 else both(made) if name.startswith("evidence") else alone(made)
        except UnreadableFile:
            assert name.endswith(MANIFEST)
            continue
        assert found.contradicted, f"{name} {number}"
        found.to_json()
        found.sheet().text()


BEFORE = """\
data: {source: patients.csv}
columns:
  patient_id: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  diagnosis: {role: quasi}
measures:
  - {measure: k_anonymity, at_least: 2}
anonymise: {suppress: 0.3}
plan:
  steps:
    - merge_rare: {column: diagnosis, fewer_than: 3}
    - top_code: {column: age, at: 60}
    - add_noise: {column: age, range: [-2, 2]}
"""


def test_a_release_with_steps_before_the_search_agrees(made, tmp_path):
    from sfumato.privacy.question import Question
    from sfumato.project.file import Project
    from sfumato.search.anonymise import anonymise_source

    shutil.copy(made.original, tmp_path / "patients.csv")
    (tmp_path / "sfumato.yaml").write_text(BEFORE, encoding="utf-8")
    found, sources = anonymise_source(None, tmp_path / "sfumato.yaml", Question(), {})
    package, evidence = handed_over(found, tmp_path, protect=sources)
    original = Original(tmp_path / "patients.csv", Project.read(tmp_path / "sfumato.yaml"))
    checked = verify(package, original, evidence=evidence)
    assert (wrong(checked), checked.unchecked) == ([], ())
