"""What may be handed on is told apart from what stays: no value that the release lacks is in a package."""

from __future__ import annotations

import html
import json
import random
import re
import shutil
from collections.abc import Iterator
from hashlib import md5, sha256
from pathlib import Path

import pyarrow as pa
import pytest
import yaml
from tests.doors.conftest import Command

import sfumato as sf
from sfumato.errors import PlanError
from sfumato.plans.draft import Draft
from sfumato.plans.kept_files import salt_of
from sfumato.project.file import Project
from sfumato.proof.package.follow_again import Original
from sfumato.proof.package.hand_over import hand_over
from sfumato.proof.release import release
from sfumato.proof.verify import verify
from sfumato.search.catalogue import methods
from sfumato.search.suppression_bias import ColumnBias, Subgroup, SuppressionBias
from sfumato.search.suppression_bias import with_released_labels as shown_bias
from sfumato.tables.load import load

TOWNS = [f'Qv{i}wé"Zk{i}' for i in range(14)]  # letters that JSON and CSV escape
TRADES = [f"Xj{i}trade{i}Kq" for i in range(9)]
STAGES = [f"Yw{i}stage{i}Vp" for i in range(4)]
ILLS = [f"Hb{i}illness{i}Rf" for i in range(5)]
QUASI = ("town", "trade", "income", "weight")


def rows() -> Iterator[tuple[str, str, int, str, str, str]]:
    """Records of which some have values that nobody else has."""
    chance = random.Random(7)
    for i in range(120):
        rare = i % 12 == 0
        town = TOWNS[4 + i // 12] if rare else TOWNS[chance.randrange(4)]
        trade = TRADES[3 + i % 6] if i % 20 == 7 else TRADES[chance.randrange(3)]
        income = 731_000_000 + chance.randrange(90) * 1_000_003
        weight = f"{chance.randrange(40, 60)}.{chance.randrange(10**7, 10**8)}"
        yield town, trade, income, weight, STAGES[3 if i == 60 else i % 3], ILLS[4 if i == 60 else i % 4]


MARKS = sorted({str(cell) for row in rows() for cell in row})

PROJECT = """\
data: {source: people.csv}
columns:
  town: {role: quasi%s}
  trade: {role: quasi%s}
  income: {role: quasi}
  weight: {role: quasi}
  stage: {role: sensitive, scale: ordinal, order: %s}
  illness: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: %s}
  - {measure: distinct_l_diversity, sensitive: illness, at_least: 2}
  - {measure: t_ordered, sensitive: stage, at_most: 0.8}
anonymise: {method: %s, suppress: 0.2}
"""


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def write(folder: Path, method: str, *, given: bool = False) -> Path:
    """A project whose cells are marks, with hierarchy files or without."""
    lines = [",".join(quoted(str(cell)) if isinstance(cell, str) else str(cell) for cell in row) for row in rows()]
    (folder / "people.csv").write_text(
        "town,trade,income,weight,stage,illness\n" + "\n".join(lines) + "\n", encoding="utf-8"
    )
    for name, values in (("town", TOWNS), ("trade", TRADES)):
        kept = "".join(f"{quoted(v)};{'few' if i > 3 else 'many'};*\n" for i, v in enumerate(values))
        (folder / f"{name}.csv").write_text(kept, encoding="utf-8")
    files = [f", hierarchy: {name}.csv" if given else "" for name in ("town", "trade")]
    text = PROJECT % (*files, json.dumps(STAGES), 5 if given else 12, method)
    (folder / "sfumato.yaml").write_text(text, encoding="utf-8")
    return folder


def forms(mark: str) -> set[bytes]:
    """A mark as files may hold it: as it is, with its quotes doubled or escaped, in JSON, in HTML."""
    texts = {mark, mark.replace('"', '""'), mark.replace('"', '\\"'), json.dumps(mark)[1:-1], html.escape(mark)}
    return {text.encode() for text in texts} | {html.escape(mark, quote=False).encode()}


def with_released_labels(content: bytes, marks: list[str]) -> list[str]:
    """The marks that occur in some bytes; a number only by itself, and not within a hash."""
    found = []
    for mark in marks:
        edge = rb"(?![0-9a-f])" if mark[0].isdigit() else b""
        start = rb"(?<![0-9a-f.])" if mark[0].isdigit() else b""
        if any(re.search(start + re.escape(form) + edge, content) for form in forms(mark)):
            found.append(mark)
    return found


def hidden(released: Path) -> list[str]:
    """The marks that the released data do not hold."""
    there = set(with_released_labels(released.read_bytes(), MARKS))
    return [mark for mark in MARKS if mark not in there]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


@pytest.mark.parametrize("given", [True, False], ids=["files", "inferred"])
@pytest.mark.parametrize("method", methods())
def test_no_value_that_the_release_lacks_is_in_the_package_or_on_the_screen(
    sfumato: Command, tmp_path: Path, method: str, *, given: bool
) -> None:
    folder = write(tmp_path, method, given=given)
    ran = sfumato("release", "--out", "one")
    assert ran.code == 0, ran.said
    unseen = hidden(folder / "one" / "released.csv")
    assert len(unseen) > 10
    files = contents(folder / "one")
    assert {name: with_released_labels(content, unseen) for name, content in files.items()} == {
        name: [] for name in files
    }
    assert with_released_labels((ran.out + ran.err).encode(), unseen) == []
    evidence = contents(folder / "one-evidence")
    listed = json.loads(evidence["manifest.json"])["claims"]["kept"]
    assert listed
    assert {*listed, *(f"{name}.salt" for name in listed)} <= set(evidence)
    assert not any(name.encode() in content for name in listed for content in files.values())
    assert any(with_released_labels(evidence[name], unseen) for name in listed)
    assert sfumato("release", "--out", "two", "--no-report").code == 0
    again = contents(folder / "two")
    assert {name: again[name] for name in again if name != "manifest.json"} == {
        name: files[name] for name in files if name not in ("manifest.json", "report.html")
    }


@pytest.fixture(scope="module", params=["optimal", "local", "mondrian", "cells"])
def released(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with its package, which is only read."""
    folder = write(tmp_path_factory.mktemp("kept"), request.param, given=True)
    release(folder / "sfumato.yaml", folder / "package", report=False)
    return folder


def kept_files(evidence: Path) -> list[str]:
    """The files of an evidence folder that list values."""
    return sorted(json.loads((evidence / "manifest.json").read_text(encoding="utf-8"))["claims"]["kept"])


def test_a_package_verifies_without_the_evidence_and_with_the_original_in_every_claim(released: Path) -> None:
    alone = verify(released / "package")
    assert (alone.contradicted, [claim.about for claim in alone.unchecked]) == ((), ["commitments"])
    project, evidence = Project.read(released / "sfumato.yaml"), released / "package-evidence"
    found = verify(released / "package", Original(released / "people.csv", project), evidence=evidence)
    assert (found.contradicted, found.unchecked) == ((), ())
    assert [claim.what for claim in found.claims if claim.about == "kept"] == kept_files(evidence)


def test_a_kept_file_that_was_changed_is_named_and_one_that_lacks_is_said(
    released: Path, sfumato: Command, tmp_path: Path
) -> None:
    package, data = released / "package", released / "people.csv"
    shutil.copytree(released / "package-evidence", tmp_path / "elsewhere")
    file = next(tmp_path / "elsewhere" / name for name in kept_files(tmp_path / "elsewhere") if name.endswith(".csv"))
    file.write_bytes(file.read_bytes().replace(b"*", b"+", 1))
    ran = sfumato("verify", package, "--evidence", "elsewhere", "--original", data)
    assert (ran.code, file.name in ran.said) == (1, True)
    file.unlink()
    found = verify(package, Original(data), evidence=tmp_path / "elsewhere")
    assert {claim.what for claim in found.unchecked} == {file.name, "the plan on the original gives released.csv"}
    assert {(claim.about, claim.what) for claim in found.contradicted} == {
        ("files", f"evidence/{file.name} (missing)"),
        ("commitments", "kept files that are not there, or were changed"),
    }


def test_a_steward_applies_the_plan_of_the_evidence_again(released: Path, sfumato: Command, tmp_path: Path) -> None:
    plan = released / "package-evidence" / "plan.yaml"
    shutil.copy(released / "people.csv", tmp_path / "people.csv")
    ran = sfumato("apply", plan, "people.csv", "--out", "again.csv")
    assert ran.code == 0, ran.said
    assert (tmp_path / "again.csv").read_bytes() == (released / "package" / "released.csv").read_bytes()
    shutil.copy(plan, tmp_path / "plan.yaml")
    ran = sfumato("apply", "plan.yaml", "people.csv", "--out", "third.csv")
    assert (ran.code, "--evidence" in ran.said, (tmp_path / "third.csv").exists()) == (2, True, False)
    assert sfumato("apply", "plan.yaml", "people.csv", "--out", "third.csv", "--evidence", plan.parent).code == 0


def test_a_guess_of_a_kept_list_is_not_confirmed_by_its_hash(released: Path) -> None:
    files = contents(released / "package")
    evidence = released / "package-evidence"
    for path in (path for name in kept_files(evidence) for path in (evidence / name, evidence / f"{name}.salt")):
        content = path.read_bytes()
        digest = sha256(content).hexdigest().encode()
        assert not any(
            digest[:12] in found or (path.suffix == ".salt" and content in found) for found in files.values()
        )


def test_the_salt_is_that_of_the_cells_in_any_order(engine: sf.engine.Engine) -> None:
    def salt(names: list[str | None], ages: list[int | None]) -> bytes:
        table = pa.table({"name": pa.array(names, pa.string()), "age": pa.array(ages, pa.int64())})
        return salt_of(Draft.of(load(table, None, engine)))

    one = salt(["a", "b", None], [1, 2, None])
    assert salt([None, "b", "a"], [None, 2, 1]) == one
    drawn = [
        [int(md5(f"kept {i}|{line}".encode()).hexdigest()[:13], 16) for line in ("a|1", "b|2", "|")] for i in (0, 1)
    ]
    sums = [sum(part(n) for n in numbers) for numbers in drawn for part in (lambda n: n >> 26, lambda n: n % 2**26)]
    assert one == sha256(" ".join(map(str, sums)).encode()).hexdigest().encode()
    assert len({one, salt(["a", "b", None], [2, 1, None]), salt(["a", "b", "c"], [1, 2, None]), salt([], [])}) == 4


PLAN = """\
data: {source: people.csv}
columns:
  town: {role: quasi}
  trade: {role: quasi}
  stage: {role: sensitive}
  income: {role: direct}
  weight: {role: direct}
  illness: {role: direct}
measures: [{measure: k_anonymity, at_least: 2}]
plan:
  steps: %s
"""


def test_lists_and_files_in_the_plan_of_a_person_are_kept_and_a_recoding_stays(tmp_path: Path) -> None:
    folder = write(tmp_path, "optimal")
    (folder / "tree.csv").write_text(
        "".join(f"{quoted(town)},{'few' if i > 3 else 'many'}\n" for i, town in enumerate(TOWNS)), encoding="utf-8"
    )
    few = {trade: "few" if i > 2 else "many" for i, trade in enumerate(TRADES)}
    ways = [
        [{"generalise": {"column": "town", "level": "top", "hierarchy": "town.csv"}},
         {"generalise": {"column": "trade", "level": 1, "hierarchy": {"kind": "tree", "mapping": few}}}],
        [{"generalise": {"column": "town", "level": 1, "hierarchy": {"kind": "tree", "mapping": "tree.csv"}}},
         {"generalise": {"column": "trade", "level": 3, "hierarchy": {"kind": "groups", "order": TRADES}}}],
        [{"generalise_locally": {"rules": [{"levels": {"town": 1, "trade": "top"}}],
                                 "hierarchies": {"town": "town.csv", "trade": {"kind": "priority"}}}}],
    ]  # fmt: skip
    ill = {"recode": {"column": "stage", "mapping": {STAGES[3]: STAGES[0]}, "otherwise": "keep"}}
    for number, steps in enumerate(ways):
        (folder / "sfumato.yaml").write_text(PLAN % json.dumps([*steps, ill]), encoding="utf-8")
        made = release(folder / "sfumato.yaml", folder / f"package{number}", report=False)
        text = (made.evidence / "plan.yaml").read_bytes()
        unseen = hidden(made.folder / "released.csv")
        assert {
            name: with_released_labels(found, unseen)
            for name, found in contents(made.folder).items()
            if with_released_labels(found, unseen)
        } == {}
        assert kept_files(made.evidence)
        assert with_released_labels(text, [STAGES[3]]) == [STAGES[3]]
        original = Original(folder / "people.csv", Project.read(folder / "sfumato.yaml"))
        found = verify(made.folder, original, evidence=made.evidence)
        assert found.contradicted == ()
        assert "the plan on the original gives released.csv" in {claim.what for claim in found.claims if claim.agrees}


def test_a_rule_stays_in_the_plan_and_cuts_that_were_found_in_the_data_do_not(tmp_path: Path) -> None:
    ages = [18 + (i * 7) % 60 for i in range(6000)]
    table = pa.table(
        {"age": ages, "visits": [i % 17 * 3 for i in range(6000)], "year": ["2020-03-01", "2021-04-02"] * 3000}
    )
    found = sf.anonymise(
        table, quasi=["age", "visits", "year"], k=5, levels={"age": 1, "visits": 1, "year": 1}, suppress=1
    )
    hand_over(found, tmp_path / "out", tmp_path / "stays", key=bytes(range(32)))
    steps = yaml.safe_load((tmp_path / "stays" / "plan.yaml").read_text(encoding="utf-8"))["steps"]
    named = {s["generalise"]["column"]: s["generalise"]["hierarchy"] for s in steps if "generalise" in s}
    assert named["age"] == {"kind": "ages"}
    assert named["year"] == {"kind": "dates", "levels": ["month", "quarter", "year", "decade"]}
    assert set(named["visits"]) == {"kind", "cuts"}
    assert set(named["visits"]["cuts"]) == {"file", "sha256"}


def test_a_file_of_a_plan_that_is_gone_is_said(tmp_path: Path) -> None:
    plan = sf.read_plan(_written(tmp_path)).handed_on
    with pytest.raises(PlanError, match="cannot be read"):
        plan({}, b"")


def _written(folder: Path) -> Path:
    (folder / "plan.yaml").write_text(
        "steps: [{generalise: {column: a, level: 1, hierarchy: nowhere.csv}}]\n", encoding="utf-8"
    )
    return folder / "plan.yaml"


def test_whom_suppression_hits_is_said_in_labels_of_the_release_and_the_others_are_one() -> None:
    groups = tuple(
        Subgroup(label, labels, records, gone, gone / records, gone / records * 10, hit=False)
        for label, labels, records, gone in (
            ("a", 1, 20, 10), ("b", 1, 30, 5), ("c", 1, 50, 1),
            ("(missing)", 1, 40, 1), ("(2 rare labels together)", 2, 60, 3),
        )
    )  # fmt: skip
    bias = SuppressionBias(200, 20, (ColumnBias("x", 0, groups), ColumnBias("y", 0, groups[:2])), ("z",))
    found = shown_bias(bias, {"x": {"c"}})
    assert [(g.label, g.labels, g.records, g.suppressed) for g in found.columns[0].groups] == [
        ("(2 labels that the release does not show)", 2, 50, 15),
        ("(2 rare labels together)", 2, 60, 3),
        ("(missing)", 1, 40, 1),
        ("c", 1, 50, 1),
    ]
    assert found.columns[0].groups[0].ratio == pytest.approx(3.0)
    assert found.columns[0].groups[0].hit
    assert (len(found.columns), found.left_out) == (1, ("z", "y"))
    whole = shown_bias(bias, {"x": "abc", "y": "ab"})
    assert [sorted(column.groups, key=str) for column in whole.columns] == [
        sorted(column.groups, key=str) for column in bias.columns
    ]
