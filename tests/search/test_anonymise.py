"""A release that keeps to a policy: what is found, what is released, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InfeasiblePolicy
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.plans.plan import Plan
from sfumato.plans.steps.microaggregate import Microaggregate

LETTERS = Hierarchy(tuple((x, "early" if x < "c" else "late", "*") for x in "abcd"))
DIGITS = Hierarchy(tuple((str(i), "low" if i < 3 else "high", "*") for i in range(5)))

people = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", "d", None]),
        st.sampled_from([0, 1, 2, 3, 4, None]),
        st.sampled_from(["flu", "cold", "cancer", None]),
        st.sampled_from([1.5, 2.0, 7.25, None]),
    ),
    min_size=4,
    max_size=40,
)
requirements = st.sampled_from(
    [
        ["k_anonymity >= 2"],
        ["k_anonymity >= 3", "distinct_l_diversity(illness) >= 2"],
        ["t_closeness(illness) <= 0.4"],
        ["k_anonymity >= 2", "t_ordered(cost) <= 0.3"],
        ["entropy_l_diversity(illness) >= 1.5", "maximum_risk <= 0.5"],
        ["average_risk <= 0.3"],
        ["basic_beta_likeness(illness) <= 1.5"],
    ]
)


def table(rows: list[tuple[Any, ...]]) -> pa.Table:
    columns = list(zip(*rows, strict=True))
    types = {"letter": pa.string(), "digit": pa.int64(), "illness": pa.string(), "cost": pa.float64()}
    return pa.table({name: pa.array(c, kind) for (name, kind), c in zip(types.items(), columns, strict=True)})


@settings(max_examples=20)
@given(rows=people, required=requirements, share=st.sampled_from([0.0, 0.2, 0.6]))
def test_a_release_read_from_scratch_keeps_to_its_policy_or_there_is_none(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Any, ...]], required: list[str], share: float
) -> None:
    try:
        found = sf.anonymise(
            table(rows), quasi=["letter", "digit"], sensitive=["illness", "cost"], requirements=required,
            suppress=share, hierarchies={"letter": LETTERS, "digit": DIGITS}, compare=False,
        )  # fmt: skip
    except sf.SfumatoError as error:
        if not isinstance(error, InfeasiblePolicy) and "no record would be left" not in str(error):
            raise
        return
    folder = tmp_path_factory.mktemp("release")
    found.write(folder, "released.parquet")
    again = sf.assess(
        folder / "released.parquet", quasi=["letter", "digit"], sensitive=["illness", "cost"], requirements=required
    )
    assert found.met
    assert again.met
    assert again.records == found.release.num_rows >= len(rows) - share * len(rows) - 1e-9
    assert again.sizes.count == found.solution.classes


def test_the_plan_of_a_release_gives_the_same_bytes(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    source.write_text(
        "id,Ålder,sex,visit date,illness\n"
        + "".join(
            f"{i},{20 + i * 7 % 60},{'mf'[i % 2]},2024-0{1 + i % 9}-1{i % 9},{'abc'[i % 3]}\n" for i in range(60)
        ),
        encoding="utf-8",
    )
    found = sf.anonymise(
        source, quasi=["Ålder", "sex", "visit date"], sensitive="illness", subject="id", k=4, l=2, suppress=0.1
    )
    found.write(tmp_path / "out")
    applied = sf.apply_plan(tmp_path / "out" / "plan.yaml", source, tmp_path / "again.csv")
    assert applied.path.read_bytes() == (tmp_path / "out" / "released.csv").read_bytes()
    assert "id" not in found.release.column_names
    assert sf.read_plan(tmp_path / "out" / "plan.yaml").fingerprint() == found.plan.fingerprint()
    found.write(tmp_path / "twice")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "twice").iterdir())
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "twice" / name).read_bytes()


def test_steps_before_the_search_take_part_in_the_plan() -> None:
    rows = pa.table({"name": list("abcdefgh"), "income": [1.0, 2, 3, 40, 41, 42, 90, 91], "sex": list("mfmfmfmf")})
    before = Plan().then(Microaggregate("income", 4))
    found = sf.anonymise(rows, quasi=["income", "sex"], direct="name", k=2, plan=before)
    assert [step.name for step in found.plan.steps] == ["microaggregate", "drop", "keep"]
    assert found.levels == {"income": 0, "sex": 0}
    assert found.release.column_names == ["income", "sex"]
    assert found.met


def test_a_subject_that_a_step_treats_is_released_and_one_that_none_treats_is_not() -> None:
    from sfumato.plans.steps.recode import Recode

    rows = pa.table({"who": ["u", "v", "w", "x"], "sex": list("mmff")})
    assert sf.anonymise(rows, quasi="sex", subject="who", k=2).release.column_names == ["sex"]
    treated = Plan().then(Recode("who", {"u": "1", "v": "2", "w": "3", "x": "4"}))
    found = sf.anonymise(rows, quasi="sex", subject="who", k=2, plan=treated)
    assert found.release.column_names == ["who", "sex"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"quasi": ["sex"]}, "Nothing is required"),
        ({"k": 2}, "role 'quasi'"),
        ({"quasi": ["sex"], "sensitive": ["sex"], "k": 2, "l": 2}, "A column has one role"),
        ({"quasi": ["sexx"], "k": 2}, "Did you mean 'sex'"),
        ({"quasi": ["sex"], "k": 2, "suppress": 1.5}, "between 0 and 1"),
        ({"quasi": ["sex"], "k": 2, "objective": "los"}, "Did you mean 'loss'"),
        ({"quasi": ["sex"], "k": 2, "method": "optimum"}, "Did you mean 'optimal'"),
        ({"quasi": ["sex"], "k": 2, "aggregate": "mean"}, "arithmetic"),
        ({"quasi": ["sex"], "k": 2, "objective": "class-size", "aggregate": "sum"}, "not read column by column"),
        ({"quasi": ["sex"], "k": 2, "levels": {"sex": 9}}, "levels 0 to 1"),
        ({"quasi": ["sex"], "k": 2, "weights": {"age": 9}}, "no column 'age'"),
        ({"quasi": ["sex"], "k": 2, "hierarchies": {"sex": Hierarchy((("m", "*"),))}}, "hierarchy"),
    ],
)
def test_what_cannot_be_searched_is_said_before_anything_is_done(options: dict[str, Any], says: str) -> None:
    rows = pa.table({"sex": ["m", "m", "f", "f"]})
    with pytest.raises(sf.SfumatoError, match=says):
        sf.anonymise(rows, **options)


def test_a_value_that_a_hierarchy_lacks_is_counted_and_never_shown() -> None:
    rows = pa.table({"town": ["Ayr", "Bath", "Hushaby", "Hushaby"]})
    with pytest.raises(sf.SfumatoError, match=r"1 .*2") as error:
        sf.anonymise(rows, quasi="town", k=2, hierarchies={"town": Hierarchy((("Ayr", "*"), ("Bath", "*")))})
    assert "town" in str(error.value)
    assert "Hushaby" not in str(error.value)


def test_bins_of_a_project_file_are_the_first_level(tmp_path: Path) -> None:
    from sfumato.privacy.question import Question
    from sfumato.search.anonymise import anonymise_source

    (tmp_path / "people.csv").write_text("age,sex\n" + "".join(f"{a},m\n" for a in range(20, 60)), encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(
        "data: {source: people.csv}\n"
        "columns:\n  age: {role: quasi, bins: [0, 30, 40, 50, 60]}\n  sex: {role: quasi}\n"
        "measures:\n  - {measure: k_anonymity, at_least: 5}\n"
        "anonymise: {method: optimal, suppress: 0.1, levels: {sex: 0}}\n",
        encoding="utf-8",
    )
    found, sources = anonymise_source(None, tmp_path / "sfumato.yaml", Question(), {})
    assert found.levels == {"age": 1, "sex": 0}
    assert set(found.release["age"].to_pylist()) == {"[0, 30)", "[30, 40)", "[40, 50)", "[50, 60)"}
    assert found.request.suppression == 0.1
    assert {path.name for path in sources} == {"people.csv", "sfumato.yaml"}


def test_the_same_release_comes_of_spark(spark: Any, tmp_path: Path) -> None:
    from sfumato.tables.engines.spark import Spark

    rows = [(x, i % 5, ["flu", "cold", None][i % 3], 1.5) for i, x in enumerate("abcdabcdabca" * 4)]
    options: dict[str, Any] = {
        "quasi": ["letter", "digit"], "sensitive": "illness", "k": 3, "l": 2, "suppress": 0.2,
        "hierarchies": {"letter": LETTERS, "digit": DIGITS},
    }  # fmt: skip
    here, there = sf.anonymise(table(rows), **options), sf.anonymise(table(rows), engine=Spark(spark), **options)
    assert there.levels == here.levels
    assert there.solution.suppressed == here.solution.suppressed
    assert there.release.to_pylist() == here.release.to_pylist()
    assert there.met
