"""The evaluator: what it says of any levels is what the release of these levels is, made and assessed."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.app import app
from sfumato.errors import (
    EmptyTable,
    InfeasiblePolicy,
    PlanError,
    PolicyError,
    SfumatoError,
    UnknownColumn,
    UnusableInput,
    WrongScale,
)
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.catalogue import class_rules
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.question import Question
from sfumato.privacy.requirement_text import read
from sfumato.search.catalogue import objectives
from sfumato.search.evaluate import evaluate_source, evaluate_with_settings
from sfumato.search.evaluation import Evaluation
from sfumato.search.evaluator import Evaluator
from sfumato.search.levels.levels_so_far import LevelsSoFar
from sfumato.search.prepare import Source

# One requirement for each privacy model that a search knows; a new model has to be added here.
REQUIREMENTS = {
    "k_anonymity": "k_anonymity >= 2",
    "maximum_risk": "maximum_risk <= 0.4",
    "average_risk": "average_risk <= 0.5",
    "k_map": "k_map >= 2",
    "delta_presence": "delta_presence <= 1",
    "least_presence": "least_presence >= 0",
    "distinct_l_diversity": "distinct_l_diversity(illness) >= 2",
    "entropy_l_diversity": "entropy_l_diversity(illness) >= 1.5",
    "recursive_l_diversity": "recursive_l_diversity(illness, l=2) <= 3",
    "t_closeness": "t_closeness(illness) <= 0.4",
    "t_ordered": "t_ordered(cost) <= 0.3",
    "t_wasserstein": "t_wasserstein(cost) <= 4",
    "t_wasserstein_normalised": "t_wasserstein_normalised(cost) <= 0.3",
    "alpha_k_anonymity": "alpha_k_anonymity(illness, k=2) <= 0.8",
    "basic_beta_likeness": "basic_beta_likeness(illness) <= 1.5",
    "enhanced_beta_likeness": "enhanced_beta_likeness(illness) <= 1.5",
    "delta_disclosure": "delta_disclosure(illness) <= 2",
}
ROLES: dict[str, Any] = {"quasi": ["age", "town"], "sensitive": ["illness", "cost"]}
HIERARCHIES = {
    "age": Hierarchy(tuple((str(age), f"{age // 10}0s", "*") for age in range(20, 40))),
    "town": Hierarchy(tuple((town, "north" if town < "c" else "south", "*") for town in "abcd")),
}

Row = tuple[int, str | None, str | None, int | None, int]
rows: st.SearchStrategy[list[Row]] = st.lists(
    st.tuples(
        st.sampled_from([20, 21, 25, 31, 32, 39]),
        st.sampled_from(["a", "b", "c", "d", None]),
        st.sampled_from(["flu", "cold", "asthma", None]),
        st.sampled_from([1, 2, 5, 9, 20, None]),
        st.integers(1, 9),
    ),
    min_size=1,
    max_size=24,
)
node = st.fixed_dictionaries({"age": st.integers(0, 2), "town": st.integers(0, 2)})


def table(people: list[Row]) -> pa.Table:
    age, town, illness, cost, person = zip(*people, strict=True)
    return pa.table(
        {
            "age": pa.array(age, pa.int64()),
            "town": pa.array(town, pa.string()),
            "illness": pa.array(illness, pa.string()),
            "cost": pa.array(cost, pa.int64()),
            "person": pa.array([f"p{n}" for n in person]),
        }
    )


def asked(people: list[Row], **more: Any) -> Evaluator:
    return sf.evaluate(table(people), **ROLES, hierarchies=HIERARCHIES, **more)


def made(people: list[Row], levels: dict[str, int], **more: Any) -> sf.Anonymised | None:
    """The release of these levels; None where there is none."""
    try:
        return sf.anonymise(
            table(people), **ROLES, hierarchies=HIERARCHIES, levels=levels, method="optimal", explain=False,
            compare=False, **more,
        )  # fmt: skip
    except InfeasiblePolicy:
        return None


def compare(evaluation: Evaluation, release: sf.Anonymised | None) -> None:
    """An evaluation says what the release is, read anew by `assess`."""
    if release is None:
        assert not evaluation.met
        return
    solution, assessments = release.solution, release.assessments
    if not evaluation.met:  # nobody is left, which a search allows where all may go
        assert evaluation.left_out == evaluation.records or not release.met
        return
    assert evaluation.left_out == solution.suppressed
    assert evaluation.loss == pytest.approx(solution.normalised)
    assert evaluation.score == pytest.approx(solution.score)
    for reading in evaluation.readings:
        own = next(r for r in assessments[reading.scenario].readings if r.requirement == reading.requirement)
        assert reading.value == (None if own.value is None else pytest.approx(own.value, rel=1e-9, abs=1e-12))
        assert reading.met == own.met
    if list(assessments) == [""]:
        sizes = assessments[""].sizes
        assert (evaluation.after.classes, evaluation.after.smallest, evaluation.after.largest) == (
            sizes.count, sizes.smallest, sizes.largest,
        )  # fmt: skip


def test_every_privacy_model_that_a_search_knows_is_compared_here() -> None:
    assert set(REQUIREMENTS) == set(class_rules())


@given(people=rows, levels=node, share=st.sampled_from([0.0, 0.7, 0.9]), persons=st.booleans())
@settings(max_examples=20)
def test_a_reading_of_every_model_is_that_of_the_release_itself(
    people: list[Row], levels: dict[str, int], share: float, persons: bool
) -> None:
    """All models are read and k is kept, so that there is a release to read them off."""
    free = [sf.Requirement(read(text).measure) for name, text in REQUIREMENTS.items() if name != "k_anonymity"]
    wanted: dict[str, Any] = {"requirements": free, "k": 2, "suppress": share}
    if persons:
        wanted["subject"] = "person"
    try:
        evaluation = asked(people, **wanted).at(levels)
    except WrongScale:  # nobody has a number, so that there is no distance
        return
    compare(evaluation, made(people, levels, **wanted))


@pytest.mark.parametrize("name", REQUIREMENTS)
@given(people=rows, levels=node, share=st.sampled_from([0.0, 0.3, 0.7]), persons=st.booleans())
@settings(max_examples=4)
def test_a_bound_is_kept_as_the_release_keeps_it(
    name: str, people: list[Row], levels: dict[str, int], share: float, persons: bool
) -> None:
    wanted: dict[str, Any] = {"requirements": [REQUIREMENTS[name]], "suppress": share}
    if persons:
        wanted["subject"] = "person"
    try:
        evaluator = asked(people, **wanted)
    except SfumatoError as refused:  # a measure that cannot read such a table says so in both places
        with pytest.raises(type(refused)):
            sf.anonymise(table(people), **ROLES, hierarchies=HIERARCHIES, **wanted)
        return
    compare(evaluator.at(levels), made(people, levels, **wanted))


@given(people=rows, levels=node, share=st.sampled_from([0.0, 0.5]))
@settings(max_examples=6)
def test_a_policy_of_several_requirements_is_read_as_a_whole(
    people: list[Row], levels: dict[str, int], share: float
) -> None:
    wanted: dict[str, Any] = {"k": 2, "requirements": [REQUIREMENTS["t_closeness"], REQUIREMENTS["average_risk"]]}
    compare(asked(people, **wanted).at(levels, suppress=share), made(people, levels, suppress=share, **wanted))


@given(people=rows, levels=node)
@settings(max_examples=6)
def test_each_attacker_reads_the_classes_that_he_sees(people: list[Row], levels: dict[str, int]) -> None:
    wanted: dict[str, Any] = {
        "requirements": [REQUIREMENTS["k_anonymity"], REQUIREMENTS["distinct_l_diversity"]],
        "scenarios": {"colleague": ["age"], "neighbour": ["town"]},
        "suppress": 0.5,
    }
    compare(asked(people, **wanted).at(levels), made(people, levels, **wanted))


@given(people=rows, extra=rows, levels=node)
@settings(max_examples=6)
def test_a_population_is_read_as_the_release_is(people: list[Row], extra: list[Row], levels: dict[str, int]) -> None:
    everybody = table([*people, *extra]).select(["age", "town"])
    names = ("k_map", "delta_presence", "least_presence")
    wanted: dict[str, Any] = {
        "requirements": [REQUIREMENTS[name] for name in names], "population": everybody, "suppress": 0.5,
    }  # fmt: skip
    compare(asked(people, **wanted).at(levels), made(people, levels, **wanted))


@pytest.mark.parametrize("objective", sorted(objectives()))
@given(people=rows, levels=node)
@settings(max_examples=3)
def test_any_objective_gives_the_loss_of_the_release_and_by_column_or_says_that_it_has_none(
    objective: str, people: list[Row], levels: dict[str, int]
) -> None:
    evaluation = asked(people, k=2, suppress=0.5, objective=objective).at(levels)
    compare(evaluation, made(people, levels, k=2, suppress=0.5, objective=objective))
    by_column = hasattr(objectives()[objective](), "aggregate")
    assert (evaluation.losses is not None) == by_column
    assert all(0 <= loss <= 1 for loss in (evaluation.losses or {}).values())


PEOPLE: list[Row] = [
    (20, "a", "flu", 1, 1), (21, "a", "cold", 2, 1), (25, "b", "flu", 5, 2), (31, "c", "flu", 9, 3),
    (32, "c", "cold", 9, 4), (39, "d", "asthma", 20, 5), (39, "d", "flu", 1, 6), (31, None, "cold", 2, 7),
]  # fmt: skip


def test_bounds_change_by_name_and_nothing_is_grouped_anew() -> None:
    evaluator = asked(PEOPLE, k=2, t=0.5, suppress=1)
    other = evaluator.wanting({"k": 3, "t(illness)": 0.2, "t(cost)": 0.9}, 0.25)
    assert other.table is evaluator.table
    assert other.request.policy.bounds == {"k_anonymity": 3, "t_closeness(illness)": 0.2, "t_ordered(cost)": 0.9}
    assert other.request.suppression == 0.25
    assert evaluator.wanting({"t": 0.1}).request.policy.bounds == {
        "k_anonymity": 2, "t_closeness(illness)": 0.1, "t_ordered(cost)": 0.1,
    }  # fmt: skip
    fresh = asked(PEOPLE, k=3, t=0.5, suppress=0.25).at({"age": 1})
    assert evaluator.at({"age": 1}, bounds={"k": 3}, suppress=0.25) == fresh


def test_a_bound_that_the_policy_does_not_have_is_refused_with_those_that_it_has() -> None:
    with pytest.raises(PolicyError, match="no requirement 'l'"):
        asked(PEOPLE, k=2).at(bounds={"l": 2})
    with pytest.raises(PolicyError, match="no requirement 'beta'"):
        asked(PEOPLE, k=2).at().reading("beta")
    with pytest.raises(PolicyError, match="finite number"):
        asked(PEOPLE, k=2).at(bounds={"k": float("nan")})
    with pytest.raises(PlanError, match="between 0 and 1"):
        asked(PEOPLE, k=2).at(suppress=2)


def test_levels_that_are_not_there_are_refused() -> None:
    evaluator = asked(PEOPLE, k=2)
    with pytest.raises(PlanError, match="levels 0 to 2"):
        evaluator.at({"age": 3})
    with pytest.raises(PlanError, match="whole number"):
        evaluator.at({"age": True})
    with pytest.raises(UnknownColumn):
        evaluator.at({"height": 1})


def test_neighbours_are_each_column_one_level_down_and_up() -> None:
    here = asked(PEOPLE, k=2, suppress=0.25).at({"age": 1})
    steps = {(step.column, step.by): step for step in here.neighbours()}
    assert set(steps) == {("age", -1), ("age", 1), ("town", 1)}
    assert steps["age", 1].level == 2
    assert steps["age", 1].evaluation == here.evaluator.at({"age": 2})
    assert (steps["age", -1].met, steps["age", -1].left_out) == (False, 6)


def test_sizes_tell_of_persons_where_the_subject_is_known() -> None:
    persons = asked(PEOPLE, subject="person", k=2, suppress=1).at({"age": 1, "town": 1})
    assert (persons.persons, persons.records) == (7, 8)
    assert persons.before.alone == 1
    assert (persons.left_out, persons.persons_left_out) == (1, 1)
    records = asked(PEOPLE, k=2, suppress=1).at({"age": 1, "town": 1})
    assert records.persons is None
    assert records.persons_left_out is None


def test_a_requirement_without_a_bound_is_read_and_breaks_nothing() -> None:
    free = asked(PEOPLE, requirements=[sf.Requirement(TCloseness("illness")), "k_anonymity >= 2"]).at(
        {"age": 2, "town": 2}
    )
    assert free.met
    assert free.reading("t").met is None
    assert free.reading("t").value == pytest.approx(0)


def test_an_empty_table_is_refused_and_one_row_is_alone() -> None:
    with pytest.raises(EmptyTable):
        sf.evaluate(table(PEOPLE).slice(0, 0), **ROLES, k=1, hierarchies=HIERARCHIES)
    one = asked(PEOPLE[:1], k=1).at()
    assert (one.met, one.before.alone, one.after.smallest, one.loss) == (True, 1, 1, 0)
    gone = asked(PEOPLE[:1], k=2, suppress=1).at()
    assert (gone.met, gone.left_out, gone.after.classes, gone.reading("k").value) == (False, 1, 0, None)


def test_a_table_without_quasi_identifiers_is_refused() -> None:
    with pytest.raises(SfumatoError):
        sf.evaluate(table(PEOPLE), sensitive="illness", k=2)


def test_a_constant_column_and_one_of_nulls_lose_nothing_where_they_stay() -> None:
    same = pa.table({"ward": ["x"] * 4, "nothing": pa.array([None] * 4, pa.string())})
    evaluation = sf.evaluate(same, quasi=["ward", "nothing"], k=4).at()
    assert (evaluation.met, evaluation.loss, evaluation.before.smallest) == (True, 0, 4)


def test_a_way_without_levels_is_refused() -> None:
    question = Question.written(**ROLES, k=2)
    with pytest.raises(PolicyError, match="no levels to ask for"):
        evaluate_with_settings(Source(table(PEOPLE)), question, {"method": "local"})
    with pytest.raises(PolicyError, match="no method"):
        evaluate_with_settings(Source(table(PEOPLE)), question, {"method": "magic"})


def test_the_best_levels_are_those_of_the_search_and_say_how_sure_it_is() -> None:
    best = asked(PEOPLE, k=2).best(bounds={"k": 3}, suppress=0.25)
    release = sf.anonymise(
        table(PEOPLE), **ROLES, hierarchies=HIERARCHIES, k=3, suppress=0.25, method="optimal", compare=False
    )
    assert best.levels == release.levels
    assert best.loss == pytest.approx(release.solution.normalised)
    assert best.levels_found is not None
    assert best.levels_found.optimal
    assert asked(PEOPLE, k=2).best(levels={"age": 2, "town": (1, 2)}, suppress=0.25).levels == {"age": 2, "town": 1}


def test_levels_of_the_request_are_limits_of_the_search_and_not_of_questions() -> None:
    evaluator = asked(PEOPLE, k=1, levels={"age": 1, "town": (1, 2)})
    assert evaluator.best().levels == {"age": 1, "town": 1}
    assert evaluator.best(levels={}).levels == {"age": 0, "town": 0}
    assert evaluator.at({"age": 2}).levels == {"age": 2, "town": 0}


def test_a_search_can_be_followed_and_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.search.levels.optimal.BETWEEN_MESSAGES", 0.0)
    monkeypatch.setattr("sfumato.search.levels.optimal.TELLING_SHARE", float("inf"))
    told: list[LevelsSoFar] = []
    evaluator = asked(PEOPLE, k=2, suppress=0.25)
    best = evaluator.best(follow=told.append)
    assert told[-1].total == 9
    assert told[-1].levels is not None
    assert all(so_far.bound <= best.loss + 1e-12 for so_far in told)
    first = evaluator.best(cancelled=lambda: True)  # one look: at the highest levels
    assert first.levels == {"age": 2, "town": 2}
    assert first.levels_found is not None
    assert not first.levels_found.optimal
    with pytest.raises(InfeasiblePolicy, match="was stopped"):
        evaluator.best(bounds={"k": 9}, cancelled=lambda: True)


def test_the_curve_grows_point_by_point_with_values_and_is_that_of_explore() -> None:
    evaluator = asked(PEOPLE, k=2)
    points = list(evaluator.curve({"k": (2, 3, 100)}, (0, 0.25)))
    assert [(point.bounds["k_anonymity"], point.suppression) for point in points] == [
        (2, 0), (2, 0.25), (3, 0), (3, 0.25),
    ]  # fmt: skip
    explored = sf.explore(table(PEOPLE), **ROLES, hierarchies=HIERARCHIES, k=(2, 3, 100), suppress=(0, 0.25))
    for point, other in zip(points, explored.frontier.points, strict=True):
        assert point.score == pytest.approx(other.score)
        assert (point.levels, point.risk, point.readings) == (other.levels, other.risk, other.readings)
        (reading,) = point.readings
        assert reading.value == round(1 / point.risk)
        again = evaluator.at(point.levels, bounds=point.bounds, suppress=point.suppression)
        assert (again.left_out, again.loss) == (point.suppressed, point.score)


def test_a_curve_that_is_stopped_ends() -> None:
    evaluator, seen = asked(PEOPLE, k=2), list[object]()
    for point in evaluator.curve({"k": (2, 3, 4)}, (0, 0.25), cancelled=lambda: bool(seen)):
        seen.append(point)
    assert len(seen) == 1


def test_the_risk_of_a_point_is_that_of_a_person_who_has_several_records() -> None:
    several = pa.table({"age": [20, 20, 20, 30, 30], "person": list("aaabc")})
    curve = sf.explore(several, quasi="age", subject="person", k=(1,), suppress=(0,), methods=("optimal", "mondrian"))
    assert [point.risk for point in curve.frontier.points] == [1.0, 1.0]


def test_advice_says_what_would_let_the_policy_be_met() -> None:
    changes = asked(PEOPLE, k=2).advice(bounds={"k": 9}).changes
    assert [change.possible for change in changes] == ["8"]


def test_counts_stand_by_value_and_by_label_before_and_after() -> None:
    evaluator = asked(PEOPLE, k=2, suppress=1)
    counts = evaluator.counts("town", {"age": 2, "town": 1})
    assert [(leaf.value, leaf.before, leaf.after) for leaf in counts.leaves] == [
        ("a", 2, 2), ("b", 1, 1), ("c", 2, 2), ("d", 2, 2), (None, 1, 0),
    ]  # fmt: skip
    assert [(label.label, label.first, label.leaves, label.before, label.after) for label in counts.labels] == [
        ("north", 0, 2, 3, 3), ("south", 2, 2, 4, 4), (None, 4, 1, 1, 0),
    ]  # fmt: skip
    with pytest.raises(UnknownColumn):
        evaluator.counts("illness")


def test_leaves_of_a_label_stand_together_whatever_the_order_of_the_lines() -> None:
    mixed = Hierarchy((("a", "x", "*"), ("b", "y", "*"), ("c", "x", "*")))
    people = pa.table({"place": ["a", "b", "c", "c"]})
    counts = sf.evaluate(people, quasi="place", k=1, hierarchies={"place": mixed}).counts("place", {"place": 1})
    assert [leaf.value for leaf in counts.leaves] == ["a", "c", "b"]
    assert [(label.label, label.first, label.leaves, label.after) for label in counts.labels] == [
        ("x", 0, 2, 3), ("y", 2, 1, 1),
    ]  # fmt: skip


def test_sizes_of_classes_are_counted_in_records_from_those_alone_on() -> None:
    bands = asked(PEOPLE, k=2, suppress=1).sizes({"age": 2, "town": 1})
    assert [(band.least, band.most) for band in bands] == [(1, 1), (2, 2), (3, 4), (5, 10), (11, 19), (20, None)]
    assert [band.before for band in bands] == [6, 2, 0, 0, 0, 0]
    assert [band.after for band in bands] == [0, 0, 7, 0, 0, 0]


def test_whom_leaving_out_hits_is_told_by_group() -> None:
    people = [*PEOPLE * 4, *[(20, "a", "flu", 1, 1)] * 30]
    bias = asked(people, k=5, t=1, suppress=1).bias()
    assert (bias.records, bias.suppressed) == (62, 24)
    assert {column.column for column in bias.columns} >= {"age"}


def test_an_example_is_what_the_commonest_value_becomes() -> None:
    assert asked(PEOPLE, k=2).examples("age") == ("31", "30s", "*")
    assert sf.evaluate(pa.table({"x": pa.array([None], pa.string())}), quasi="x", k=1).examples("x")[0] is None


PROJECT = """data: {source: people.csv}
columns:
  age: {role: quasi}
  town: {role: quasi}
  illness: {role: sensitive}
  cost: {role: non-sensitive}
measures:
  - {measure: k_anonymity, at_least: 2}
  - {measure: distinct_l_diversity, sensitive: illness, at_least: 1}
anonymise: {hierarchies: steps, objective: loss, suppress: 0.5}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    csv.write_csv(table(PEOPLE * 3).drop_columns("person"), tmp_path / "people.csv")
    (tmp_path / "steps").mkdir()
    for name, hierarchy in HIERARCHIES.items():
        text = "\n".join(";".join(line) for line in hierarchy.lines)
        (tmp_path / "steps" / f"{name}.csv").write_text(text + "\n", encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "sfumato.yaml"


def test_lines_and_command_give_what_was_evaluated(project: Path) -> None:
    evaluator = evaluate_source(None, "sfumato.yaml", Question.written(), {})
    asked_for: dict[str, Any] = {"bounds": {"k": 4, "l(illness)": 2}, "suppress": 0.6}
    levels = {"age": 1, "town": 1}
    evaluation, lines = evaluator.at(levels, **asked_for), evaluator.lines(levels, **asked_for)
    assert "  hierarchies: steps\n" in lines.sections  # as it is written: the path is not resolved
    assert lines.command is not None
    by_command = CliRunner().invoke(app, [*shlex.split(lines.command)[1:], "--json", "-"])
    written = yaml.safe_load(PROJECT) | yaml.safe_load(lines.sections)
    project.write_text(yaml.safe_dump(written), encoding="utf-8")
    by_file = CliRunner().invoke(app, ["anonymise", "--project", "sfumato.yaml", "--json", "-"])
    for run in (by_command, by_file):
        release = json.loads(run.stdout)
        assert release["suppressed"] == evaluation.left_out
        assert release["classes"]["smallest"] == evaluation.after.smallest
        assert release["score"]["normalised"] == pytest.approx(evaluation.loss, rel=1e-9)


def test_a_table_without_a_project_file_has_no_lines() -> None:
    with pytest.raises(UnusableInput, match="no project file"):
        asked(PEOPLE, k=2).lines({"age": 1})
