"""What nobody decided about does not leave: not by a release, a search, a plan, or Python; attacked with marked values.

Every cell of a column is marked by its column, so that one that leaves anywhere is found among the bytes of the files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.doors.conftest import Command

import sfumato as sf
from sfumato.errors import PolicyError, ProjectError, SfumatoError, UnfitData
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import parse_plan
from sfumato.privacy.question import Question
from sfumato.proof.release import release
from sfumato.search.anonymise import anonymise_source

RECORDS = 24
LETTERS = "pqrstuvw"
STEPS = {  # what a plan may say of a column, and whether a direct identifier may leave after it
    "drop": ({"drop": {"columns": ["{}"]}}, False),
    "keep": ({"keep": {"columns": ["{}"]}}, False),
    "mask": ({"mask": {"columns": ["{}"], "keep_left": 1}}, True),
    "one": ({"recode": {"column": "{}", "mapping": {"mark-{}-0": "zero"}, "otherwise": "keep"}}, False),
    "pseudonym": ({"pseudonymise": {"columns": ["{}"], "secret": "key"}}, True),
}
ROLES = ("quasi", "sensitive", "non-sensitive", "direct")

decisions = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"role": st.sampled_from(ROLES)}),
    st.fixed_dictionaries({"role": st.sampled_from(ROLES), "proposed": st.just(True)}),
    st.fixed_dictionaries({"step": st.sampled_from(sorted(STEPS))}),
    st.fixed_dictionaries({"role": st.just("direct"), "step": st.sampled_from(sorted(STEPS))}),
)
projects = st.lists(decisions, min_size=1, max_size=6)


def mark(column: str, record: int) -> str:
    return f"mark-{column}-{record}"


def named(place: int) -> str:
    return f"col-{LETTERS[place] * 4}"


def table(number: int) -> dict[str, list[Any]]:
    marked = {named(place): [mark(named(place), i) for i in range(RECORDS)] for place in range(number)}
    return {"age": [20 + i % 4 for i in range(RECORDS)], **marked}


def step(name: str, column: str) -> dict[str, Any]:
    return json.loads(json.dumps(STEPS[name][0]).replace("{}", column))


def write_project(folder: Path, decided: list[dict[str, Any]]) -> Path:
    """A table of marked values, and a project that says of each column what was drawn."""
    data = table(len(decided))
    lines = [",".join(data), *(",".join(map(str, row)) for row in zip(*data.values(), strict=True))]
    (folder / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    write_key(folder)
    said = {named(i): {k: v for k, v in each.items() if k != "step"} for i, each in enumerate(decided)}
    steps = [step(each["step"], named(i)) for i, each in enumerate(decided) if "step" in each]
    document = {
        "data": {"source": "people.csv"},
        "columns": {"age": {"role": "quasi"}, **{name: keys for name, keys in said.items() if "role" in keys}},
        "measures": [{"measure": "k_anonymity", "at_least": 2}],
        "anonymise": {"suppress": 0.5},
        **({"plan": {"steps": steps}} if steps else {}),
    }
    (folder / "sfumato.yaml").write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return folder / "sfumato.yaml"


def write_key(folder: Path) -> None:
    (folder / "key").write_text("a key that is long enough for everybody", encoding="utf-8")
    (folder / "key").chmod(0o600)


def undecided(decided: list[dict[str, Any]]) -> set[str]:
    """The columns that have no confirmed role and no step."""
    return {
        named(i) for i, each in enumerate(decided) if "step" not in each and ("role" not in each or "proposed" in each)
    }


def withheld(decided: list[dict[str, Any]]) -> set[str]:
    """The direct identifiers of which no step replaces every value."""
    return {
        named(i)
        for i, each in enumerate(decided)
        if each.get("role") == "direct" and not STEPS[each.get("step", "keep")][1]
    } - undecided(decided)


def content(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*")) if path.is_file()}


def marks_of(columns: set[str], text: str) -> list[str]:
    return [name for name in columns if f"mark-{name}-" in text]


def check_folder(folder: Path, decided: list[dict[str, Any]], columns: list[str], *, package: bool = False) -> None:
    """No undecided column, no value of it, and no value of a direct identifier that nothing replaces."""
    assert not undecided(decided) & set(columns)
    assert not withheld(decided) & set(columns)
    for name, text in content(folder).items():
        assert marks_of(undecided(decided), text) == [], name
        if name == "released.csv" or package:
            assert marks_of(withheld(decided), text) == [], name
        if name != "anonymisation.json":  # for the steward: it says what was left out
            assert [column for column in undecided(decided) if column in text] == [], name


EXAMPLES = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@EXAMPLES
@given(decided=projects)
def test_a_release_refuses_or_holds_only_what_was_decided(
    tmp_path_factory: pytest.TempPathFactory, decided: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("release")
    project = write_project(folder, decided)
    target, secrets = folder / "package", {"key": folder / "key"}
    if undecided(decided):
        with pytest.raises(ProjectError) as caught:
            release(project, target, report=False, secrets=secrets)
        assert not target.exists()
        assert "mark-" not in str(caught.value)
        proposed = any("proposed" in each for each in decided)  # which is said first, before anything is read
        told = {name for name in table(len(decided)) if f"  {name}: " in str(caught.value)}
        assert told == (set() if proposed else undecided(decided))
        return
    made = release(project, target, report=False, secrets=secrets)
    check_folder(made.folder, decided, header(made.folder), package=True)


@EXAMPLES
@given(decided=projects)
def test_a_search_writes_only_what_was_decided(
    tmp_path_factory: pytest.TempPathFactory, decided: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("search")
    project = write_project(folder, decided)
    found, _ = anonymise_source(None, project, Question(), {}, secrets={"key": folder / "key"})
    found.write(folder / "out")
    assert set(found.left_out_columns) == undecided(decided)
    check_folder(folder / "out", decided, header(folder / "out"))


@EXAMPLES
@given(decided=projects)
def test_a_plan_writes_only_what_was_decided(
    tmp_path_factory: pytest.TempPathFactory, decided: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("plan")
    project = write_project(folder, [*decided, {"step": "mask"}])
    (folder / "out").mkdir()
    applied = sf.apply_plan(
        project, folder / "people.csv", folder / "out" / "released.csv", secrets={"key": folder / "key"}
    )
    assert set(applied.left_out_columns) == undecided(decided)
    check_folder(folder / "out", decided, header(folder / "out"))


@EXAMPLES
@given(decided=projects, new=st.booleans())
def test_python_gives_back_only_what_was_decided(decided: list[dict[str, Any]], new: bool) -> None:
    data = table(len(decided))
    roles: dict[str, list[str]] = {"sensitive": [], "non_sensitive": [], "direct": []}
    for i, each in enumerate(decided):
        role = each.get("role", "").replace("-", "_")
        if role in roles and "proposed" not in each:
            roles[role].append(named(i))
    blur = sf.Anonymiser(quasi="age", k=2, **roles)
    frame = blur.fit_transform(pa.table(data))
    allowed = {"age", *roles["sensitive"], *roles["non_sensitive"]}
    assert set(frame.column_names) == allowed
    if not new:
        assert set(blur.transform(pa.table(data)).column_names) == allowed
        return
    with pytest.raises(UnfitData):  # a column that it was not fitted on is refused, as scikit-learn has it
        blur.transform(pa.table({**data, "col-new": [mark("col-new", i) for i in range(RECORDS)]}))


def header(folder: Path) -> list[str]:
    return (folder / "released.csv").read_text(encoding="utf-8").splitlines()[0].split(",")


def test_the_release_of_the_issue_is_refused_and_says_what_identify_says(sfumato: Command, tmp_path: Path) -> None:
    doctors = ("Anna", "Ben", "Emil", "Dora")
    rows = [
        f"Anna Smith{i},p{i}@example.org,{30 + i % 5},{'fm'[i % 2]},{('flu', 'cold')[i % 2]},{doctors[i % 4]} Jones"
        for i in range(40)
    ]
    text = "patient_name,email,age,sex,diagnosis,doctor_name\n" + "\n".join(rows) + "\n"
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(
        "data: {source: people.csv}\ncolumns:\n  age: {role: quasi}\n  sex: {role: quasi}\n"
        "  diagnosis: {role: sensitive}\nmeasures:\n  - {measure: k_anonymity, at_least: 2}\n",
        encoding="utf-8",
    )
    ran = sfumato("release", "--out", "package", "--no-report")
    assert (ran.code, (tmp_path / "package").exists()) == (2, False)
    assert "3 columns have no role that somebody decided" in ran.said
    for said in ("patient_name: direct (", "email: direct (", "doctor_name: direct (", "Give each a role"):
        assert said in ran.said
    assert "Smith" not in ran.said
    assert "example.org" not in ran.said


def test_a_column_that_appeared_since_the_project_was_written_refuses_the_release(
    sfumato: Command, tmp_path: Path
) -> None:
    write_project(tmp_path, [{"role": "non-sensitive"}])
    assert sfumato("release", "--out", "package", "--no-report").code == 0
    lines = (tmp_path / "people.csv").read_text(encoding="utf-8").splitlines()
    more = [f"{line},{'phone' if i == 0 else f'0151 555{i:04}'}" for i, line in enumerate(lines)]
    (tmp_path / "people.csv").write_text("\n".join(more) + "\n", encoding="utf-8")
    ran = sfumato("release", "--out", "another", "--no-report")
    assert (ran.code, (tmp_path / "another").exists()) == (2, False)
    assert "1 column has no role that somebody decided" in ran.said
    assert "phone: direct (" in ran.said


def test_a_column_released_against_the_evidence_is_named_everywhere(sfumato: Command, tmp_path: Path) -> None:
    rows = [f"{30 + i % 5},p{i}@example.org,{i % 3}" for i in range(40)]
    (tmp_path / "people.csv").write_text("age,email,visits\n" + "\n".join(rows) + "\n", encoding="utf-8")
    ran = sfumato(
        "anonymise", "people.csv", "--quasi", "age", "--non-sensitive", "email,visits", "--k", "2", "--json", "-"
    )
    assert ran.code == 0, ran.said
    (told,) = ran.document["released_against_evidence"]
    assert (told["column"], told["role"], told["proposed"]) == ("email", "non-sensitive", "direct")
    assert told["confidence"] > 0.9
    assert ran.document["verdict"] == "met, but"
    assert any("email (direct" in question for question in ran.document["open"])
    (tmp_path / "sfumato.yaml").write_text(
        "data: {source: people.csv}\ncolumns:\n  age: {role: quasi}\n  email: {role: non-sensitive}\n"
        "  visits: {role: sensitive}\nmeasures:\n  - {measure: k_anonymity, at_least: 2}\n",
        encoding="utf-8",
    )
    ran = sfumato("release", "--out", "package")
    assert "Released against the evidence: email (direct" in ran.said
    full, theirs = ((tmp_path / folder / "report.html").read_text() for folder in ("package-evidence", "package"))
    assert "Released against the evidence: email (direct" in full
    assert "email is released as non-sensitive, though its name and values say that it is direct." in theirs
    claims = json.loads((tmp_path / "package" / "manifest.json").read_text())["claims"]
    assert [each["column"] for each in claims["released_against_evidence"]] == ["email"]
    assert sfumato("verify", "package").code == 0


@pytest.mark.parametrize(
    ("steps", "leaves"),
    [
        ("keep: {columns: [name]}", False),
        ("mask: {columns: [name], keep_left: 1}", True),
        ("recode: {column: name, mapping: {n1: other}, otherwise: keep}", False),
        ("suppress_values: {columns: [name], where: {column: age, equals: 21}}", False),
        ("suppress_records: {class_size: 2, columns: [name, age]}", False),
        ("generalise: {column: name, level: 0, hierarchy: {kind: masks}}", False),
    ],
)
def test_a_direct_identifier_leaves_only_where_no_value_is_as_it_was(steps: str, leaves: bool) -> None:
    data = pa.table({"age": [21, 21, 22, 22] * 4, "name": [f"n{i % 4}" for i in range(16)]})
    plan = parse_plan(f"steps:\n  - {steps}\n")
    found = sf.anonymise(data, quasi="age", direct="name", k=2, plan=plan)
    assert ("name" in found.release.column_names) is leaves


def test_swapped_names_are_still_names() -> None:
    from sfumato.plans.steps.swap_ranks import SwapRanks

    data = pa.table({"age": [21, 22] * 20, "number": list(range(1000, 1040))})
    found = sf.anonymise(data, quasi="age", direct="number", k=2, plan=Plan().then(SwapRanks("number", 50)))
    assert found.release.column_names == ["age"]


def test_the_subject_leaves_only_where_a_step_replaces_it(tmp_path: Path) -> None:
    data = pa.table({"person": [f"p{i % 8}" for i in range(16)], "age": [21, 22] * 8})
    write_key(tmp_path)
    plan = parse_plan("subject: person\nsteps:\n  - keep: {columns: [person, age]}\n")
    assert sf.apply_plan(plan, data, tmp_path / "a.csv").left_out_identifiers == ("person",)
    pseudonym = parse_plan(
        "subject: person\nsteps:\n  - pseudonymise: {columns: [person], secret: key}\n  - keep: {columns: [age]}\n"
    )
    applied = sf.apply_plan(pseudonym, data, tmp_path / "b.csv", secrets={"key": tmp_path / "key"})
    assert (applied.left_out_identifiers, applied.content.output.columns) == ((), ("person", "age"))


def test_proposed_roles_are_no_decisions_and_release_rest_takes_them(tmp_path: Path) -> None:
    project = write_project(tmp_path, [{"role": "sensitive", "proposed": True}, {"role": "direct", "proposed": True}])
    found, _ = anonymise_source(None, project, Question(), {})
    assert found.release.column_names == ["age"]
    assert found.left_out_columns == (named(0), named(1))
    assert found.verdict.open == ()
    found, _ = anonymise_source(None, project, Question(release_rest=True), {})
    assert found.release.column_names == ["age", named(0)]  # a proposed direct identifier is one
    assert any("only proposed" in question for question in found.verdict.open)


def test_a_policy_that_rests_on_proposals_is_refused(tmp_path: Path) -> None:
    project = write_project(tmp_path, [{"role": "non-sensitive"}])
    text = project.read_text(encoding="utf-8").replace("role: quasi", "role: quasi\n    proposed: true")
    project.write_text(text, encoding="utf-8")
    with pytest.raises(ProjectError, match="only proposed"):
        anonymise_source(None, project, Question(), {})


def test_where_nothing_was_decided_nothing_is_written(tmp_path: Path) -> None:
    data = pa.table({"who": ["a", "b"] * 4, "age": [21, 22] * 4})
    plan = parse_plan("subject: who\nsteps:\n  - keep: {columns: [who]}\n")
    with pytest.raises(SfumatoError, match="Nothing would be released"):
        sf.apply_plan(plan, data, tmp_path / "a.csv")
    assert not (tmp_path / "a.csv").exists()
    with pytest.raises(PolicyError, match="role"):
        sf.anonymise(data, quasi="age", direct="age", k=2)
