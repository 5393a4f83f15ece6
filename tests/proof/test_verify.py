"""Each claim of a release is recomputed: what was tampered with is found and named, even under a new manifest."""

from __future__ import annotations

import json
import random
import shutil

import pytest

import sfumato as sf
from sfumato.errors import UnreadableFile
from sfumato.proof.package.folder import MANIFEST, SIGNATURE, add_manifest, claims_of, report_mark
from sfumato.proof.package.follow_again import Original
from sfumato.proof.package.signature import new_key
from sfumato.proof.verify import verify
from sfumato.search.catalogue import methods


def wrong(found) -> list[str]:
    return [f"{claim.about}: {claim.what}" for claim in found.contradicted]


def test_an_untouched_release_agrees_in_every_claim(made):
    alone = verify(made.folder, key=made.public)
    assert (wrong(alone), alone.unchecked) == ([], ())
    found = verify(made.folder, Original(made.original), key=made.public)
    assert (wrong(found), found.unchecked) == ([], ())
    assert {claim.about for claim in found.claims} == {
        "files", "signature", "evidence", "plan", "release", "readings", "original", "comparison",
    }  # fmt: skip


def test_one_changed_cell_is_found_by_the_hash_of_its_file(made):
    made.change("released.csv", "asthma", "eczema")
    assert "files: released.csv (changed)" in wrong(verify(made.folder))


def test_one_changed_cell_is_found_by_the_readings_under_a_new_manifest(made):
    row = made.text("released.csv").splitlines()[1]
    made.change("released.csv", row, row.replace("0151", "0152"))
    made.repackage()
    found = wrong(verify(made.folder))
    assert "readings: readings, k_anonymity, value" in found
    assert "readings: classes, smallest" in found


def test_one_changed_cell_that_no_reading_shows_is_found_with_the_original_under_new_evidence(made):
    made.change("released.csv", ",low\n", ",\n")
    from sfumato.canonical import sha256_of

    digest = sha256_of(made.folder / "released.csv")
    made.edit("released.csv.provenance.json", lambda d: d["output"].update(sha256=digest))
    made.repackage()
    found = wrong(verify(made.folder, Original(made.original)))
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
    for name in ("assessment.json", "anonymisation.json"):
        made.edit(name, lambda d: d["readings"][0].update({key: value}))
    assert "files: assessment.json (changed)" in wrong(verify(made.folder))
    made.repackage()
    assert wrong(verify(made.folder)) == [named]


def test_a_reading_changed_in_one_place_is_contradicted_by_the_other(made):
    made.edit("anonymisation.json", lambda d: d["readings"][0].update(value=9.0))
    made.repackage()
    assert wrong(verify(made.folder)) == [
        "evidence: anonymisation.json and assessment.json: readings, k_anonymity, value"
    ]


def test_a_reading_left_out_of_the_evidence_is_named(made):
    made.edit("assessment.json", lambda d: d["readings"].pop())
    made.edit("anonymisation.json", lambda d: d["readings"].pop())
    made.repackage()
    assert [
        name for name in wrong(verify(made.folder)) if name.startswith("readings: readings, t_closeness(diagnosis)")
    ]


def test_a_claim_changed_in_the_manifest_is_named(made):
    made.edit(MANIFEST, lambda d: d["claims"]["readings"]["k_anonymity"].update(value=9.0))
    found = wrong(verify(made.folder))
    assert "evidence: manifest, readings, k_anonymity, value" in found
    assert any(name.startswith("signature: ") for name in found)


def test_a_step_removed_from_the_plan_is_named_even_under_a_new_manifest(made):
    import yaml

    plan = yaml.safe_load(made.text("plan.yaml"))
    plan["steps"].pop(0)
    made.write("plan.yaml", yaml.safe_dump(plan, sort_keys=False))
    assert "files: plan.yaml (changed)" in wrong(verify(made.folder))
    made.repackage()
    found = verify(made.folder)
    assert {"plan: steps", "plan: SHA-256 of the plan"} <= set(wrong(found))
    steps = next(claim for claim in found.contradicted if claim.what == "steps")
    assert len(steps.said.split(", ")) == len(steps.found.split(", ")) + 1


def test_a_step_removed_from_the_plan_and_from_its_record_is_found_with_the_original(made):
    import yaml

    from sfumato.plans.plan_file import read_plan
    from sfumato.plans.provenance import recorded

    plan = yaml.safe_load(made.text("plan.yaml"))
    plan["steps"] = plan["steps"][:-2]  # the two that say what is not released
    made.write("plan.yaml", yaml.safe_dump(plan, sort_keys=False))
    read = read_plan(made.folder / "plan.yaml")
    made.edit(
        "released.csv.provenance.json",
        lambda d: d.update(
            plan={**read.document(), "steps": [*map(recorded, read.steps)], "sha256": read.fingerprint()}, settled=None
        ),
    )
    steps = [step.transformation.told() for step in read.steps]
    made.edit("anonymisation.json", lambda d: d.update(steps=steps))
    made.repackage()
    assert wrong(verify(made.folder)) == []
    assert "original: the plan on the original gives released.csv" in wrong(
        verify(made.folder, Original(made.original))
    )


def test_a_report_from_another_run_is_named_even_under_a_new_manifest(made, tmp_path):
    made.write("report.html", f"<html><head>{report_mark(made.folder)}</head></html>")
    made.repackage()
    assert wrong(verify(made.folder)) == []
    other = sf.anonymise(made.original, quasi=["age", "sex"], k=2, suppress=0.2)
    other.write(tmp_path / "other")
    made.write("report.html", f"<html><head>{report_mark(tmp_path / 'other')}</head></html>")
    assert "files: report.html (changed)" in wrong(verify(made.folder))
    made.repackage()
    assert wrong(verify(made.folder)) == ["report: report.html is about this release"]


def test_a_report_that_does_not_say_whose_it_is_is_not_taken_for_checked(made):
    made.write("report.html", "<html></html>")
    made.repackage()
    found = verify(made.folder)
    assert [claim.what for claim in found.unchecked] == ["report.html is about this release"]


def test_a_forged_signature_is_named(made, tmp_path):
    new_key(tmp_path / "forger.pem")
    add_manifest(made.folder, claims_of(made.folder), tmp_path / "forger.pem")
    found = verify(made.folder, key=made.public)
    assert any(name.startswith("signature: manifest.json is signed by the key") for name in wrong(found))
    assert wrong(verify(made.folder, key=tmp_path / "forger.pem.pub")) == []


def test_a_signature_of_another_manifest_is_named(made):
    made.change(MANIFEST, '"suppressed":2', '"suppressed":0')
    for key in (made.public, None):
        assert any(name.startswith("signature: ") for name in wrong(verify(made.folder, key=key)))


def test_a_signature_that_was_taken_away_is_missed(made):
    (made.folder / SIGNATURE).unlink()
    assert wrong(verify(made.folder, key=made.public)) == ["signature: manifest.json is signed"]
    made.repackage()
    assert wrong(verify(made.folder, key=made.public)) == ["signature: manifest.json is signed"]


def test_a_key_that_came_with_the_package_proves_nothing_about_whose_it_is_and_that_is_said(made):
    found = verify(made.folder)
    (signature,) = [claim for claim in found.claims if claim.about == "signature"]
    assert "give the one that you trust" in signature.note


@pytest.mark.parametrize("name", ["plan.yaml", "anonymisation.json", "assessment.json", "released.csv"])
def test_a_file_that_was_taken_away_is_named_even_under_a_new_manifest(made, name):
    (made.folder / name).unlink()
    assert f"files: {name} (missing)" in wrong(verify(made.folder))
    made.repackage()
    assert f"files: {name} is part of the package" in wrong(verify(made.folder))


@pytest.mark.parametrize(
    "name", ["anonymisation.json", "assessment.json", "comparison.json", "released.csv.provenance.json"]
)
@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"readings": 3}', '{"value": NaN}', '{"readings": [1], "classes": 2}']
)
def test_evidence_that_is_destroyed_is_named_and_nothing_breaks(made, name, text):
    made.write(name, text)
    assert f"files: {name} (changed)" in wrong(verify(made.folder))
    made.repackage()
    assert wrong(verify(made.folder)) or name == "comparison.json"
    verify(made.folder, Original(made.original)).to_json()


def test_data_that_cannot_be_read_any_more_are_named(made):
    made.write("released.csv", "")
    assert "release: the data can be read" in wrong(verify(made.folder))


def test_another_original_is_named(made, tmp_path):
    other = tmp_path / "patients.csv"
    other.write_text(made.original.read_text().replace("P01,34", "P01,44"), encoding="utf-8")
    found = wrong(verify(made.folder, Original(other)))
    assert {"original: SHA-256 of the original", "original: the plan on the original gives released.csv"} <= set(found)


def test_an_original_without_the_columns_of_the_plan_is_named(made, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    assert "original: the plan can be followed on the original" in wrong(verify(made.folder, Original(other)))


def test_a_changed_figure_of_the_comparison_is_named_with_the_original(made):
    made.edit("comparison.json", lambda d: d["columns"]["age"]["loss"].update(value=0.01))
    made.repackage()
    assert wrong(verify(made.folder, Original(made.original))) == ["comparison: columns, age, loss, value"]


def test_a_changed_number_of_suppressed_records_is_named(made):
    made.edit("anonymisation.json", lambda d: d.update(suppressed=0))
    made.repackage()
    assert wrong(verify(made.folder)) == ["release: records left out"]


def test_a_line_removed_from_the_log_is_named_by_the_head_in_the_manifest(made, tmp_path):
    from sfumato.proof.use_log.log import AuditLog

    log = AuditLog(tmp_path / "sfumato.log.jsonl")
    for who in ("Ada", "Bob"):
        head = log.append({"who": who})
    add_manifest(made.folder, claims_of(made.folder, head=head))
    assert [claim.about for claim in verify(made.folder).unchecked] == ["log"]
    assert verify(made.folder, log=log.path).agrees
    log.path.write_bytes(log.lines()[0])
    log.head_path.unlink()
    found = verify(made.folder, log=log.path)
    assert wrong(found) == ["log: the log of use is whole, up to the head in the manifest"]


@pytest.mark.parametrize("ending", ["parquet", "xlsx", "sav", "dta", "xpt"])
def test_a_release_of_any_format_agrees(made, tmp_path, ending):
    found = sf.anonymise(made.original, quasi=["age", "sex"], sensitive=["diagnosis"], k=3, suppress=0.2)
    found.write(tmp_path / ending, f"released.{ending}", keep=made.original.parent / "kept")
    add_manifest(tmp_path / ending, claims_of(tmp_path / ending, found.assessment))
    assert wrong(verify(tmp_path / ending, Original(made.original))) == []


@pytest.mark.parametrize("method", methods())
def test_a_release_of_any_method_agrees(made, tmp_path, method):
    found = sf.anonymise(made.original, quasi=["age", "sex", "postcode"], k=3, suppress=0.3, method=method)
    found.write(tmp_path / "out", keep=made.original.parent / "kept", protect=[made.original])
    add_manifest(tmp_path / "out", claims_of(tmp_path / "out", found.assessment))
    checked = verify(tmp_path / "out", Original(made.original))
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
    found.write(tmp_path / "out", keep=tmp_path / "kept", protect=sources)
    return tmp_path, found


def test_persons_whom_the_release_does_not_name_are_counted_with_the_original(visits):
    from sfumato.project.file import Project

    folder, found = visits
    add_manifest(folder / "out", claims_of(folder / "out", found.assessment))
    alone = verify(folder / "out")
    assert (wrong(alone), len(alone.unchecked)) == ([], 1)
    original = Original(folder / "visits.csv", Project.read(folder / "sfumato.yaml"))
    checked = verify(folder / "out", original)
    assert (wrong(checked), checked.unchecked) == ([], ())
    assert json.loads((folder / "out" / "assessment.json").read_text())["subjects"] == 7


def test_an_order_that_the_package_does_not_hold_is_no_accusation(visits):
    folder, _ = visits
    add_manifest(folder / "out", claims_of(folder / "out"))
    checked = verify(folder / "out", Original(folder / "visits.csv"))
    assert wrong(checked) == []
    assert [claim.what for claim in checked.unchecked] == ["readings, t_ordered(stage), value"]


def test_a_changed_reading_by_person_is_named_with_the_original(visits):
    folder, found = visits
    for name in ("assessment.json", "anonymisation.json"):
        text = (folder / "out" / name).read_text()
        document = json.loads(text)
        document["readings"][0]["value"] = 99.0
        (folder / "out" / name).write_text(json.dumps(document))
    add_manifest(folder / "out", claims_of(folder / "out", found.assessment))
    assert wrong(verify(folder / "out", Original(folder / "visits.csv"))) == ["readings: readings, k_anonymity, value"]


def test_a_folder_without_a_manifest_is_no_package(made):
    (made.folder / MANIFEST).unlink()
    with pytest.raises(UnreadableFile, match="no release package"):
        verify(made.folder)


def test_verify_ends_with_0_1_or_2(sfumato, made, tmp_path):
    assert sfumato("verify", made.folder, "--original", made.original, "--key", made.public).code == 0
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


def test_no_cell_is_shown_when_a_release_is_verified(sfumato, made, tmp_path):
    marked = tmp_path / "marked.csv"
    marked.write_text(
        made.original.read_text().replace("asthma", "MARKED").replace("0203", "MARKED2"), encoding="utf-8"
    )
    found = sf.anonymise(marked, quasi=["age", "sex", "postcode"], sensitive=["diagnosis"], k=3, suppress=0.2)
    found.write(tmp_path / "out", keep=tmp_path / "kept")
    add_manifest(tmp_path / "out", claims_of(tmp_path / "out", found.assessment))
    shutil.copytree(tmp_path / "out", tmp_path / "changed")
    path = tmp_path / "changed" / "released.csv"
    path.write_text(path.read_text().replace("MARKED", "MARKED3", 1))
    for folder in ("out", "changed"):
        done = sfumato("verify", folder, "--original", marked, "--json", "all.json")
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


@pytest.mark.parametrize("name", ["anonymisation.json", "assessment.json", "released.csv.provenance.json", MANIFEST])
def test_whatever_the_evidence_is_changed_to_it_is_named_and_nothing_breaks(made, name):
    chance, before = random.Random(name), made.text(name)
    for n in range(25):
        document = json.loads(before)
        *path, last = chance.choice(sorted(places(document), key=str))
        part = document
        for key in path:
            part = part[key]
        part[last] = chance.choice([None, -7, "x", [], [3], {}, {"a": 1}, True, 1e300])
        made.write(name, json.dumps(document))
        try:
            found = verify(made.folder, Original(made.original) if n % 5 == 0 else None)
        except UnreadableFile:
            assert name == MANIFEST
            continue
        assert found.contradicted
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
    found.write(tmp_path / "out", keep=tmp_path / "kept", protect=sources)
    add_manifest(tmp_path / "out", claims_of(tmp_path / "out", found.assessment))
    checked = verify(tmp_path / "out", Original(tmp_path / "patients.csv", Project.read(tmp_path / "sfumato.yaml")))
    assert (wrong(checked), checked.unchecked) == ([], ())
