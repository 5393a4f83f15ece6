"""The dimension stage: its rules, tables that are not what they should be, and plans that cannot be taken apart."""

from __future__ import annotations

from collections import Counter
from math import log
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import EmptyTable, PlanError, PolicyError, SchemaError, UnknownColumn
from sfumato.search.dimension.result import Candidate, Protection
from sfumato.search.dimension.rules import choices_of, figure5, last_feasible, pareto, rule_named

MAXIMUM = 100.0


def candidate(dimension: int, k: int, lost: float | None, name: str = "") -> Candidate:
    columns = tuple(f"q{i}" for i in range(1, dimension + 1))
    return Candidate(name or f"dimension {dimension}", columns, Protection(1), Protection(k), lost, MAXIMUM)


# --- rules ---


def test_figure_5_keeps_the_first_with_k_of_2_when_every_further_step_loses_information():
    assert figure5([candidate(1, 1, 10), candidate(2, 6, 40), candidate(3, 110, 60)]).dimension == 2


def test_figure_5_moves_on_where_both_numbers_are_as_high_and_closer_together():
    """Privacy gains 3 and 20 beside inverse entropies 50 and 50: 30 apart instead of 47."""
    assert figure5([candidate(1, 4, 50), candidate(2, 21, 50)]).dimension == 2


def test_figure_5_stays_where_the_two_numbers_are_as_far_apart():
    """Gain 10, inverse 50, and gain 90, inverse 50: 40 apart both times."""
    assert figure5([candidate(1, 11, 50), candidate(2, 91, 50)]).dimension == 1


def test_the_last_feasible_is_the_last_with_k_of_2_and_not_the_last_table():
    assert last_feasible([candidate(1, 2, 10), candidate(2, 5, 20), candidate(3, 1, 30)]).dimension == 2


def test_pareto_prefers_a_small_loss_to_a_k_beyond_need():
    found = pareto([candidate(2, 6, 53.61), candidate(3, 110, 69.05)])
    assert found.dimension == 2
    assert "46.39 % of the information" in found.reason
    assert "dimension 3 removes 99.1 %" in found.reason


def test_pareto_takes_a_large_gain_for_a_small_loss():
    assert pareto([candidate(1, 2, 20), candidate(2, 10, 25)]).dimension == 2


def test_pareto_leaves_out_what_another_beats_on_both_counts():
    found = pareto([candidate(1, 4, 30, "one"), candidate(2, 5, 20, "two"), candidate(1, 3, 60, "three")])
    assert found.candidate is not None
    assert found.candidate.name == "two"
    assert "no other candidate with k of at least 2 is better" in found.reason


def test_pareto_does_not_depend_on_candidates_that_cannot_be_chosen():
    few = [candidate(1, 3, 30), candidate(2, 9, 50)]
    assert pareto(few).candidate == pareto([*few, candidate(3, 1, 0), candidate(4, 2, 99)]).candidate


@pytest.mark.parametrize(
    ("first", "second", "best"),
    [
        ((1, 4, 25.0), (1, 4, 25.0), "first"),  # in every way alike: the earlier one
        ((2, 4, 25.0), (1, 4, 25.0), "second"),  # as good, with fewer columns de-identified
        ((1, 2, 25.0), (1, 4, 50.0), "second"),  # mirror images, equally far from the best: the larger k
    ],
)
def test_a_tie_goes_to_the_larger_k_then_to_the_smaller_dimension_then_to_the_earlier(first, second, best):
    found = pareto([candidate(*first, "first"), candidate(*second, "second")])
    assert found.candidate is not None
    assert found.candidate.name == best


def test_where_somebody_is_unique_in_every_table_no_rule_chooses_and_each_says_why():
    for choice in choices_of([candidate(1, 1, 10), candidate(2, 1, 40)]).values():
        assert choice.dimension is None
        assert "the largest k is 1" in choice.reason


def test_a_candidate_whose_loss_is_unknown_is_not_chosen_for_its_usefulness():
    unknown = candidate(1, 50, None)
    assert unknown.nue_percent is unknown.inverse_nue_percent is unknown.utility is None
    assert pareto([unknown]).candidate is figure5([unknown]).candidate is None
    assert "how much information was lost" in pareto([unknown]).reason
    assert pareto([unknown, candidate(2, 2, 90)]).dimension == 2
    assert last_feasible([unknown]).dimension == 1


def test_a_smaller_k_than_before_is_no_gain_and_no_negative_share():
    worse = Candidate("worse", ("q1",), Protection(5), Protection(3), 10.0, MAXIMUM)
    assert (worse.privacy_gain, worse.risk_removed) == (-2, 0.0)


def test_a_rule_may_be_written_with_hyphens_and_a_wrong_one_names_the_nearest():
    assert rule_named("last-feasible") == "last_feasible"
    with pytest.raises(PolicyError, match="Did you mean 'pareto'"):
        rule_named("paretto")


# --- tables ---

ORIGINAL = {
    "id": ["a", "b", "c", "d", "e", "f"],
    "age": [31, 32, 33, 51, 52, 53],
    "town": ["Oslo", "Oslo", "Bergen", "Bergen", "Oslo", "Bergen"],
    "illness": ["flu", "cold", "flu", "cold", "flu", "gout"],
}
DECADES = ["30s", "30s", "30s", "50s", "50s", "50s"]
AGE = {**ORIGINAL, "age": DECADES}
BOTH = {**AGE, "town": ["*"] * 6}
COLUMNS = {"quasi": ["age", "town"], "sensitive": ["illness"], "by_position": True}


def found(*released, original=ORIGINAL, **given):
    tables = [pa.table(table) if isinstance(table, dict) else table for table in released]
    return sf.dimension(pa.table(original), tables, **{**COLUMNS, **given})


def test_cumulative_tables_are_put_in_order_of_their_dimension():
    result = found(BOTH, AGE)
    assert result.cumulative
    assert [c.name for c in result.candidates] == ["dimension 1", "dimension 2"]
    assert [c.quasi_identifiers for c in result.candidates] == [("age",), ("age", "town")]
    assert [c.k for c in result.candidates] == [1, 3]


def test_the_entropy_counts_every_quasi_identifier_and_a_dropped_one_wholly():
    dropped = {name: values for name, values in AGE.items() if name != "town"}
    one, two = found(BOTH), found(dropped)
    assert one.candidates[0].nue == pytest.approx(6 * log(3) + 6 * log(2), rel=1e-12)
    assert two.candidates[0].nue == pytest.approx(one.candidates[0].nue, rel=1e-12)
    assert two.candidates[0].after == one.candidates[0].after
    assert two.candidates[0].quasi_identifiers == ("age", "town")


def test_without_any_quasi_identifier_left_everybody_is_alike():
    bare = {name: values for name, values in ORIGINAL.items() if name not in ("age", "town")}
    (one,) = found(bare).candidates
    assert (one.k, one.nue_percent, one.inverse_nue_percent) == (6, 100.0, 0.0)


def test_two_ways_to_de_identify_the_same_column_are_compared_as_alternatives():
    """S0.28: the table says which, the dimension is the same."""
    coarse = {**ORIGINAL, "age": ["any"] * 6}
    result = found(AGE, coarse, quasi=["age"])
    assert not result.cumulative
    assert [c.dimension for c in result.candidates] == [1, 1]
    assert [c.name for c in result.candidates] == ["table 1", "table 2"]
    assert [c.k for c in result.candidates] == [3, 6]
    assert result.choice("last_feasible").candidate == result.candidates[1]
    assert result.document()["chosen"]["last_feasible"] == 2
    assert any("alternatives" in note for note in result.notes)


def test_a_table_that_skips_a_quasi_identifier_is_an_alternative():
    town = {**ORIGINAL, "town": ["*"] * 6}
    result = found(AGE, town)
    assert not result.cumulative
    assert [c.quasi_identifiers for c in result.candidates] == [("age",), ("town",)]


def test_a_column_that_is_treated_otherwise_in_the_next_table_makes_them_alternatives():
    other = {**BOTH, "age": ["30-49", "30-49", "30-49", "50s", "50s", "50s"]}
    assert found(AGE, other).cumulative  # other words for the same groups
    coarser = {**BOTH, "age": ["any"] * 6}
    assert not found(AGE, coarser).cumulative


def test_a_table_that_changes_nothing_has_dimension_0_and_says_so():
    result = found(ORIGINAL)
    assert result.candidates[0].dimension == 0
    assert result.candidates[0].nue == 0.0
    assert result.optimal() is None
    assert any("leaves every quasi-identifier as it was" in note for note in result.notes)


def test_the_order_of_the_question_is_kept_and_the_order_of_the_risk_is_told():
    town = {**ORIGINAL, "town": ["*"] * 6}
    result = found(town, BOTH, quasi=["town", "age"])
    assert result.cumulative
    assert result.quasi_identifiers == ("town", "age")
    assert "By descending risk rate the order would be: age, town." in result.notes


def test_tables_of_different_length_cannot_be_paired_and_the_table_is_named():
    with pytest.raises(SchemaError, match=r"table 1: The original has 6 records and the release 5"):
        found({name: values[:5] for name, values in AGE.items()})
    with pytest.raises(SchemaError, match=r"table 1: There are 5 records where the original has 6"):
        found({name: values[:5] for name, values in AGE.items()}, key="id")


def test_records_in_another_order_are_refused_by_position_and_found_by_key():
    order = [3, 1, 5, 0, 2, 4]
    shuffled = {name: [values[i] for i in order] for name, values in AGE.items()}
    with pytest.raises(SchemaError, match=r"table 1: .*--key"):
        found(shuffled)
    by_key = found(shuffled, key="id")
    assert by_key.candidates[0].nue == found(AGE).candidates[0].nue
    assert by_key.cumulative


def test_sensitive_values_that_changed_places_are_told_where_a_key_says_who_is_who():
    swapped = {**AGE, "illness": ["cold", "flu", "flu", "cold", "flu", "gout"]}
    assert any("2 records have other sensitive values" in note for note in found(swapped, key="id").notes)


def test_other_sensitive_values_than_in_the_original_are_told():
    result = found({**AGE, "illness": ["flu", "flu", "flu", "cold", "flu", "gout"]})
    assert any("1 records have other sensitive values" in note for note in result.notes)


@pytest.mark.parametrize("given", [{"quasi": ["aeg"]}, {"sensitive": ["ilness"]}, {"subject": "idd"}])
def test_an_unknown_column_is_an_error_that_names_the_nearest(given):
    with pytest.raises(UnknownColumn, match="Did you mean"):
        found(AGE, **given)


def test_a_released_table_without_the_sensitive_column_is_refused():
    with pytest.raises(SchemaError, match=r"table 1: There is no column 'illness'"):
        found({name: values for name, values in AGE.items() if name != "illness"})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"quasi": []}, "Name the quasi-identifiers"),
        ({"quasi": ["age", "illness"]}, "A column has one role"),
        ({"order": ["age"]}, "every quasi-identifier once"),
        ({"plan": "recipe:ms-thesis"}, "or a plan"),
        ({"rule": "best"}, "There is no rule"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused(given, words):
    with pytest.raises(PolicyError, match=words):
        found(AGE, **given)


def test_neither_tables_nor_a_plan_is_an_error():
    with pytest.raises(PolicyError, match="--released"):
        found()


def test_an_original_without_records_is_refused():
    empty = pa.schema([("age", pa.int64()), ("town", pa.string()), ("illness", pa.string())]).empty_table()
    with pytest.raises(EmptyTable):
        sf.dimension(empty, [empty], **COLUMNS)


def test_a_column_may_be_called_anything_and_a_record_without_a_quasi_identifier_is_not_left_out(tmp_path):
    names = ['x"; DROP TABLE t; --', "n", "person", "value"]
    original = {names[0]: [1, 2, None], names[1]: ["a", "b", "c"], names[2]: ["u", "v", "w"], names[3]: list("xyz")}
    released = {**original, names[0]: [None] * 3, names[1]: ["*"] * 3, names[2]: ["*"] * 3}
    asked = {"quasi": names[:3], "sensitive": [names[3]], "by_position": True}
    (one,) = sf.dimension(pa.table(original), [pa.table(released)], **asked).candidates
    assert (one.original.k, one.k, one.nue_percent, one.after.l) == (1, 3, 100.0, {names[3]: 3})
    plan = "steps: [{mask: {columns: [n]}}, {mask: {columns: ['person']}}]\n"
    (tmp_path / "plan.yaml").write_text(plan, encoding="utf-8")
    made = sf.dimension(
        pa.table(original), plan=tmp_path / "plan.yaml", subject=names[2], **{**asked, "quasi": names[:2]}
    )
    assert [c.quasi_identifiers for c in made.candidates] == [("n",)]


def test_a_missing_value_is_a_value_of_its_own_and_counts_for_l_unless_told_otherwise():
    original = {"q": ["a", "b", "a", None], "s": ["x", None, "x", None]}
    released = {"q": ["*", "*", "*", "*"], "s": ["x", None, "x", None]}
    result = found(released, original=original, quasi=["q"], sensitive=["s"])
    assert result.original.k == 1
    assert result.candidates[0].after.l == {"s": 2}
    assert "2 records without a value of s: a missing one counts as one more value of l, as in the thesis." in (
        result.notes
    )
    strict = found(released, original=original, quasi=["q"], sensitive=["s"], count_missing=False)
    assert strict.candidates[0].after.l == {"s": 1}


def test_a_column_suppressed_to_missing_has_lost_everything_also_where_values_were_missing_before():
    """Missing and suppressed look the same to a reader of the release (figure 6 counts them as one value)."""
    original = {"q": ["a", "a", "b", None], "s": ["x", "y", "x", "y"]}
    (one,) = found(
        {**original, "q": pa.nulls(4, pa.string())}, original=original, quasi=["q"], sensitive=["s"]
    ).candidates
    assert (one.k, one.nue_percent) == (4, 100.0)


def test_noise_is_not_mistaken_for_information_that_was_kept():
    original = {"age": [30, 31, 32, 33, 34, 35], "s": list("xyxyxy")}
    swapped = {**original, "age": [31, 30, 33, 32, 35, 34]}
    result = found(swapped, original=original, quasi=["age"], sensitive=["s"])
    assert result.candidates[0].nue is None
    assert any("exchanged" in note for note in result.notes)
    assert result.document()["candidates"][0]["inverse_nue_percent"] is None
    assert "-" in str(result)


def test_local_recoding_is_flagged_and_with_hierarchies_the_generic_entropy_decides(tmp_path):
    """S1's ages: the conventional entropy is too small where some values are coarser than others."""
    original = {"age": [20, 65, 55, 40, 65, 65], "s": list("xyxyxy")}
    local = {**original, "age": ["*", "60-79", "*", "*", "60-79", "*"]}
    lines = ["20;20-39;*", "40;40-59;*", "55;40-59;*", "65;60-79;*"]
    (tmp_path / "age.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    plain = found(local, original=original, quasi=["age"], sensitive=["s"])
    assert any("--hierarchies" in note for note in plain.notes)
    known = found(local, original=original, quasi=["age"], sensitive=["s"], hierarchies=tmp_path)
    (one,) = known.candidates
    assert one.nue == plain.candidates[0].nue
    assert one.more["generic_nue"] > one.nue
    assert one.utility == pytest.approx(1 - one.more["generic_nue_percent"] / 100, abs=1e-12)
    assert not any("--hierarchies" in note for note in known.notes)


def test_persons_are_counted_where_the_subject_is_named():
    original = {"who": ["p", "p", "q", "r"], "town": ["A", "A", "B", "B"], "s": list("xyxy")}
    released = {**original, "town": ["*"] * 4}
    rows, persons = (
        found(released, original=original, quasi=["town"], sensitive=["s"], subject=subject)
        for subject in (None, "who")
    )
    assert (rows.original.k, rows.candidates[0].k) == (2, 4)
    assert (persons.original.k, persons.candidates[0].k) == (1, 3)


def test_without_sensitive_attributes_k_and_the_entropy_are_still_told():
    result = found(AGE, BOTH, sensitive=[])
    assert result.candidates[1].after == Protection(3)
    assert result.document()["candidates"][1]["t"] is None
    assert result.optimal() == 2
    assert "T-closeness after:               -" in str(result)


def test_the_answer_is_the_same_to_the_byte_and_holds_no_cell_value():
    one, two = (found(AGE, BOTH).to_json() for _ in range(2))
    assert one == two
    assert not any(value in one for value in ("Oslo", "Bergen", "30s", "flu"))
    assert "<table>" in found(AGE)._repr_html_()


@settings(max_examples=12, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from(["u", "v", None]), st.sampled_from("xyz")),
        min_size=1,
        max_size=14,
    ),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["AB", "CD"]), min_size=4, max_size=4),
)
def test_k_l_and_entropy_are_what_counting_by_hand_gives(rows, groups):
    original = pa.table({"p": [r[0] for r in rows], "q": [r[1] for r in rows], "s": [r[2] for r in rows]},
                        pa.schema([(name, pa.string()) for name in "pqs"]))  # fmt: skip
    after = [(groups[p], q, s) for p, q, s in rows]
    released = original.set_column(0, "p", pa.array([r[0] for r in after]))
    (one,) = sf.dimension(original, [released], quasi=["p", "q"], sensitive=["s"], by_position=True).candidates
    classes = Counter(r[:2] for r in after)
    diversity = Counter(r[:2] for r in set(after))
    old, new = Counter(r[0] for r in rows), Counter(r[0] for r in after)
    assert one.k == min(classes.values())
    assert one.after.l == {"s": min(diversity.values())}
    assert one.nue == pytest.approx(sum(log(new[b[0]] / old[a[0]]) for a, b in zip(rows, after, strict=True)), abs=1e-9)


# --- plans ---

STEPS = """\
steps:
  - drop: {columns: [id]}
  - recode: {column: illness, mapping: {gout: other}, otherwise: keep}
  - mask: {columns: [town], placeholder: "*"}
  - generalise: {column: age, level: 1, hierarchy: {kind: intervals, width: 10}}
"""


def planned(tmp_path: Path, text: str, **given):
    (tmp_path / "plan.yaml").write_text(text, encoding="utf-8")
    return sf.dimension(pa.table(ORIGINAL), plan=tmp_path / "plan.yaml", **{**COLUMNS, **given})


def test_a_plan_is_taken_apart_and_its_quasi_identifiers_come_in_descending_risk(tmp_path):
    """Risk rates: age 100 %, town 33.33 %; the plan has the town first."""
    result = planned(tmp_path, STEPS)
    assert result.risk_rates == {"age": 1.0, "town": 0.3333}
    assert [c.quasi_identifiers for c in result.candidates] == [("age",), ("age", "town")]
    assert [c.k for c in result.candidates] == [1, 3]
    assert result.candidates[1].after == found(BOTH, original={**ORIGINAL, "illness": [
        "flu", "cold", "flu", "cold", "flu", "other"]}).candidates[0].after  # fmt: skip


def test_another_order_can_be_asked_for(tmp_path):
    result = planned(tmp_path, STEPS, order=["town", "age"])
    assert [c.quasi_identifiers for c in result.candidates] == [("town",), ("town", "age")]
    assert "By descending risk rate the order would be: age, town." in result.notes


def test_a_quasi_identifier_that_the_plan_leaves_alone_is_told_and_still_counts_for_k(tmp_path):
    result = planned(tmp_path, "steps: [mask: {columns: [town]}]\n")
    assert [c.quasi_identifiers for c in result.candidates] == [("town",)]
    assert result.candidates[0].k == 1
    assert "The plan leaves age as it is." in result.notes


def test_a_dropped_quasi_identifier_is_a_de_identified_one(tmp_path):
    result = planned(tmp_path, "steps: [drop: {columns: [age]}, drop: {columns: [town]}]\n")
    assert [c.k for c in result.candidates] == [3, 6]
    assert result.candidates[1].nue_percent == 100.0


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ("[mask: {columns: [age, town]}]", r"line 1, step 1: mask changes age and town together"),
        ("[drop: {columns: [town, illness]}]", r"changes town together with the sensitive illness"),
        (
            "[mask: {columns: [town]}, suppress_records: {where: {column: age, equals: 31}}]",
            r"step 2: suppress_records leaves",
        ),
        ("[drop: {columns: [id]}]", r"no step changes a quasi-identifier"),
        ("[keep: {columns: [illness], only: true}]", r"step 1: keep changes age and town together"),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_taken_apart_says_which_step_and_why(tmp_path, steps, words):
    with pytest.raises(PlanError, match=words):
        planned(tmp_path, f"steps: {steps}\n")


def test_a_column_made_of_a_quasi_identifier_is_refused_since_it_would_not_be_counted(tmp_path):
    original = pa.table({"born": ["1980-02-01", "1981-03-01"], "seen": ["2020-01-01"] * 2, "illness": ["flu", "cold"]})
    (tmp_path / "plan.yaml").write_text("steps: [age: {birth: born, at: seen}]\n", encoding="utf-8")
    with pytest.raises(PlanError, match=r"makes age of born, which the original lacks"):
        sf.dimension(original, plan=tmp_path / "plan.yaml", quasi=["born"], sensitive=["illness"])


def test_a_quasi_identifier_that_the_plan_makes_before_is_one_like_any_other(tmp_path):
    original = pa.table({"born": ["1980-02-01", "1981-03-01"], "seen": ["2020-01-01"] * 2, "illness": ["flu", "cold"]})
    steps = "steps: [age: {birth: born, at: seen}, mask: {columns: [age]}]\n"
    (tmp_path / "plan.yaml").write_text(steps, encoding="utf-8")
    result = sf.dimension(original, plan=tmp_path / "plan.yaml", quasi=["age"], sensitive=["illness"])
    assert [(c.quasi_identifiers, c.k) for c in result.candidates] == [(("age",), 2)]


def test_records_left_out_before_the_first_quasi_identifier_are_left_out_of_the_original_too(tmp_path):
    first = "  - suppress_records: {where: {column: illness, equals: gout}}\n"
    result = planned(tmp_path, STEPS.replace("steps:\n", "steps:\n" + first))
    assert result.records == 5
    assert "Steps before the stage leave 1 of 6 records out." in result.notes


def test_steps_that_mean_something_else_in_another_order_are_refused(tmp_path):
    """The town is cleared for those of 50 and more; once the ages are numbered groups, nobody is."""
    steps = """\
steps:
  - suppress_values: {columns: [town], where: {column: age, at_least: 50}}
  - recode: {column: age, mapping: {31: 1, 32: 1, 33: 1, 51: 2, 52: 2, 53: 2}}
"""
    with pytest.raises(PlanError, match=r"do not make what the plan makes \(town\)"):
        planned(tmp_path, steps)


def test_a_step_that_does_nothing_to_these_data_is_left_where_it_can_do_no_harm(tmp_path):
    """In the plan's own order nobody is alone any more; done first it would leave everybody out."""
    steps = STEPS + "  - suppress_records: {class_size: 2, columns: [age, town]}\n"
    assert [c.k for c in planned(tmp_path, steps).candidates] == [1, 3]


def test_a_vault_is_not_written_to_while_measuring(tmp_path, monkeypatch):
    monkeypatch.setenv("SFUMATO_SECRET_KEY", "long enough to be one")
    steps = STEPS.replace("drop: {columns: [id]}", "tokenise: {column: id, vault: ids.vault, secret: key}")
    result = planned(tmp_path, steps)
    assert not (tmp_path / "ids.vault").exists()
    assert any("would write to a vault" in note for note in result.notes)
    with pytest.raises(PlanError, match="writes to a vault"):
        planned(tmp_path, "steps: [tokenise: {column: town, vault: ids.vault, secret: key}]\n")


def test_an_unknown_column_of_a_plan_is_an_error_that_names_the_nearest(tmp_path):
    with pytest.raises(UnknownColumn, match="'town'"):
        planned(tmp_path, STEPS, quasi=["age", "twon"])


def test_persons_are_counted_although_the_plan_drops_the_column_that_names_them(tmp_path):
    original = pa.table({"who": ["p", "p", "q", "r"], "town": ["A", "A", "B", "B"], "s": list("xyxy")})
    (tmp_path / "plan.yaml").write_text("steps: [drop: {columns: [who]}, mask: {columns: [town]}]\n", encoding="utf-8")
    result = sf.dimension(original, plan=tmp_path / "plan.yaml", quasi=["town"], sensitive=["s"], subject="who")
    assert (result.original.k, result.candidates[0].k, result.subject) == (1, 3, "who")


def test_the_answer_is_the_same_on_both_engines(engine):
    result = sf.dimension(pa.table(ORIGINAL), [pa.table(AGE), pa.table(BOTH)], engine=engine, **COLUMNS)
    assert [c.k for c in result.candidates] == [1, 3]
    assert result.candidates[1].nue == pytest.approx(6 * log(3) + 6 * log(2), rel=1e-12)
    assert result.optimal() == 2
