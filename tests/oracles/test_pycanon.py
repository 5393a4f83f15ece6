"""pyCANON 1.3.6 on its own tables: where we agree, and the ledger of where we do not and who is right."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf, isinf, log
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest

from sfumato.privacy.classes import EquivalenceClasses, Value
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.measure_interface import Safer, SensitiveMeasure
from sfumato.privacy.models.alpha_k_anonymity import AlphaKAnonymity
from sfumato.privacy.models.average_risk import AverageRisk
from sfumato.privacy.models.basic_beta_likeness import BasicBetaLikeness
from sfumato.privacy.models.delta_disclosure import DeltaDisclosure
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.enhanced_beta_likeness import EnhancedBetaLikeness
from sfumato.privacy.models.entropy_l_diversity import EntropyLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.maximum_risk import MaximumRisk
from sfumato.privacy.models.recursive_l_diversity import RecursiveLDiversity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.models.t_ordered import TOrdered
from sfumato.privacy.sizes import Sizes
from sfumato.studies.printed_tables import rows
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB

NAMES = [
    "adult_raw", "adult_k3", "adult_k10", "adult_k20", "adult_raw_2SA", "stroke_raw", "stroke_k2", "stroke_k5",
    "stroke_k10", "stroke_k15", "stroke_k19", "stroke_k20", "stroke_k22", "stroke_k25", "drugs_raw", "drugs_k5",
    "hospital_disease", "hospital_2SA",
]  # fmt: skip
TWO_SENSITIVE = ["adult_raw_2SA", "hospital_2SA"]


@dataclass(frozen=True)
class Case:
    """One table of pyCANON's, and what it answered."""

    table: pa.Table
    answers: dict[str, Any]
    engine: DuckDB

    @property
    def quasi(self) -> list[str]:
        return list(self.answers["config"]["qi"])

    @property
    def sensitive(self) -> list[str]:
        return list(self.answers["config"]["sa"])

    @cached_property
    def classes(self) -> EquivalenceClasses:
        return self.classes_of(self.quasi, self.sensitive)

    def classes_of(self, quasi: list[str], sensitive: list[str]) -> EquivalenceClasses:
        roles = {**dict.fromkeys(quasi, "quasi"), **dict.fromkeys(sensitive, "sensitive")}
        return Dataset.of(self.engine.load(self.table.select([*quasi, *sensitive])), roles).classes()

    def said(self, measure: str, *, gen: bool = True) -> Any:
        return self.answers[f"gen={gen}"][measure]["value"]

    def worst(self, kind: type[SensitiveMeasure], classes: EquivalenceClasses | None = None) -> float:
        """pyCANON with gen=True: the worst reading over the sensitive attributes."""
        classes = classes or self.classes
        found = [kind(column).of(classes) for column in classes.sensitive]
        readings = [reading for reading in found if reading is not None]
        return min(readings) if kind.safer is Safer.HIGHER else max(readings)

    def worst_t(self, classes: EquivalenceClasses | None = None) -> float:
        """The ordered distance for numbers, total variation for the rest, as pyCANON chooses."""
        classes = classes or self.classes
        kinds = classes.records.kinds
        return max(
            (TOrdered if kinds[classes.column(column)] is Kind.INTEGER else TCloseness)(column).of(classes) or 0.0
            for column in classes.sensitive
        )

    def cells(self) -> list[tuple[int, float, float]]:
        """Class, share in the class and share in all, of every value of every sensitive attribute."""
        return [
            (class_id, q, p)
            for column in self.sensitive
            for class_id, q, p in self.engine.fetch(
                f"SELECT class_id, q, p FROM {self.classes.distribution(Value(column))}"
            )
        ]


@pytest.fixture(scope="module")
def duckdb() -> DuckDB:
    return DuckDB()


@pytest.fixture(scope="module")
def cases(shared: Path, duckdb: DuckDB) -> Any:
    """Each case by its name, read when it is first asked for and kept."""
    answers = json.loads((shared / "oracles" / "pycanon.json").read_text(encoding="utf-8"))["results"]
    assert sorted(answers) == sorted(NAMES)

    @cache
    def case(name: str) -> Case:
        table = pa_csv.read_csv(shared / "data" / "pycanon" / answers[name]["config"]["file"])
        if answers[name]["config"].get("strip_header"):
            table = table.rename_columns([column.strip() for column in table.column_names])
        assert table.num_rows == answers[name]["rows"]
        return Case(table, answers[name], duckdb)

    return case


def together(duckdb: DuckDB, records: list[tuple[Any, ...]]) -> EquivalenceClasses:
    return rows(records, ["q", "s"], duckdb, q="quasi", s="sensitive").classes()


# Agreement


@pytest.mark.parametrize("name", NAMES)
def test_k_the_classes_and_the_highest_risk_are_the_same(cases: Any, name: str) -> None:
    case = cases(name)
    sizes, theirs = Sizes.of(case.classes), case.answers["sizes_ec"]["value"]
    assert KAnonymity().of(case.classes) == case.answers["k_anonymity"]["value"]
    assert (sizes.count, sizes.smallest, sizes.largest) == (theirs["n_ec"], theirs["min_ec"], theirs["max_ec"])
    assert sizes.average == pytest.approx(theirs["mean_ec"], rel=1e-14)
    assert median(size for size, n, _ in sizes.histogram for _ in range(n)) == theirs["median_ec"]
    assert sizes.records == case.answers["rows"]
    assert MaximumRisk().of(case.classes) == pytest.approx(case.answers["max_rir"]["value"], rel=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_distinct_l_alpha_beta_and_t_are_the_same(cases: Any, name: str) -> None:
    case = cases(name)
    assert case.worst(DistinctLDiversity) == case.said("l_diversity")
    assert [case.worst(AlphaKAnonymity), KAnonymity().of(case.classes)] == pytest.approx(
        case.said("alpha_k_anonymity"), rel=1e-14
    )
    assert case.worst(BasicBetaLikeness) == pytest.approx(case.said("basic_beta_likeness"), rel=1e-12)
    assert case.worst_t() == pytest.approx(case.said("t_closeness"), rel=1e-9)


@pytest.mark.parametrize("name", TWO_SENSITIVE)
def test_with_gen_false_the_other_sensitive_attributes_are_quasi_identifiers(cases: Any, name: str) -> None:
    """pyCANON's other treatment of several sensitive attributes: an attacker knows all of them but one."""
    case = cases(name)
    readings: dict[str, list[float]] = {"l": [], "alpha": [], "beta": [], "t": []}
    for column in case.sensitive:
        classes = case.classes_of([*case.quasi, *(c for c in case.sensitive if c != column)], [column])
        readings["l"].append(case.worst(DistinctLDiversity, classes))
        readings["alpha"].append(case.worst(AlphaKAnonymity, classes))
        readings["beta"].append(case.worst(BasicBetaLikeness, classes))
        readings["t"].append(case.worst_t(classes))
    assert min(readings["l"]) == case.said("l_diversity", gen=False)
    assert max(readings["alpha"]) == case.said("alpha_k_anonymity", gen=False)[0]
    assert max(readings["beta"]) == pytest.approx(case.said("basic_beta_likeness", gen=False), rel=1e-12)
    assert max(readings["t"]) == pytest.approx(case.said("t_closeness", gen=False), rel=1e-9)


# The ledger of disagreements


@pytest.mark.parametrize("name", NAMES)
def test_average_risk_is_over_people_and_not_over_classes(cases: Any, name: str) -> None:
    """pyCANON averages 1/size over the classes, so a class of 45 weighs as much as one of 1.

    We are right: the guide of El Emam asks for the chance of finding a person picked at random, which is
    the number of classes over the number of records. Theirs follows from our sizes, so only the weights differ.
    """
    case = cases(name)
    sizes = Sizes.of(case.classes)
    theirs = sum(n / size for size, n, _ in sizes.histogram) / sizes.count
    assert theirs == pytest.approx(case.answers["average_rir"]["value"], rel=1e-12)
    assert AverageRisk().of(case.classes) == pytest.approx(sizes.count / case.answers["rows"], rel=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_entropy_l_is_ours_cut_off_to_a_whole_number(cases: Any, name: str) -> None:
    """pyCANON cuts exp(entropy) off. We are right: definition 4.1 allows a real l, and 2.8 is not 2."""
    case = cases(name)
    assert int(case.worst(EntropyLDiversity)) == case.said("entropy_l_diversity")


def test_three_equally_frequent_values_have_an_entropy_l_of_three_and_not_two(duckdb: DuckDB) -> None:
    """exp(ln 3) is a little less than 3 in floating point, so pyCANON answers 2. We are right: definition 4.1."""
    assert EntropyLDiversity("s").of(together(duckdb, [("a", s) for s in "xyz"])) == 3


def test_recursive_diversity_ranks_the_counts_downwards(cases: Any) -> None:
    """For drugs_k5 pyCANON answers (c, l) = (2, 2), since it ranks the counts from the rarest up.

    We are right: definition 4.2 ranks from the commonest down. A class with counts 5 and 1 would need
    5 < c * 1, which c = 2 is not: ours is 5.
    """
    case = cases("drugs_k5")
    assert case.said("recursive_c_l_diversity") == [2, 2]
    assert RecursiveLDiversity("Drug", l=2).of(case.classes) == 5
    counts = case.engine.fetch(f"""
        SELECT list(n ORDER BY n DESC) FROM {case.classes.cells(Value("Drug"))} GROUP BY class_id""")
    assert ([5, 1],) in counts


def test_where_a_class_has_one_value_only_both_refuse_recursive_2_diversity(cases: Any) -> None:
    """pyCANON then answers nothing (NaN, for l = 1); ours is infinite for l = 2, which says the same."""
    case = cases("hospital_disease")
    assert case.said("recursive_c_l_diversity") == [None, 1]
    assert RecursiveLDiversity("disease", l=2).of(case.classes) == inf


def test_a_record_with_a_missing_quasi_identifier_does_not_vanish(duckdb: DuckDB) -> None:
    """Two alike and one with no value: pyCANON answers k = 2, because its grouping drops the third.

    We are right: the third person stands alone, k = 1, and is in the published table.
    """
    classes = together(duckdb, [("a", "x"), ("a", "y"), (None, "z")])
    assert KAnonymity().of(classes) == 1
    assert Sizes.of(classes).histogram == ((1, 1, 1), (2, 1, 2))


@pytest.mark.parametrize("name", NAMES)
def test_delta_is_infinite_where_a_class_lacks_a_value(cases: Any, name: str) -> None:
    """pyCANON skips values that a class lacks, and so answers a finite delta for every one of its tables.

    We are right: the definition of Brickell and Shmatikov is about every value, and the logarithm of 0 has no
    bound; that a patient cannot have a disease is a disclosure too. Over the values that are there
    both agree, so nothing but the skipped values differs.
    """
    case = cases(name)
    present = max(abs(log(q / p)) for _, q, p in case.cells())
    assert present == pytest.approx(case.said("delta_disclosure"), rel=1e-12)
    assert isinf(case.worst(DeltaDisclosure))


def test_delta_is_the_same_where_every_class_has_every_value(duckdb: DuckDB) -> None:
    """Nothing is skipped then: over the values present is over all values."""
    classes = together(duckdb, [("a", s) for s in "xxxy"] + [("b", s) for s in "xyyy"])
    cells = duckdb.fetch(f"SELECT max(abs(ln(q / p))) FROM {classes.distribution(Value('s'))}")
    assert DeltaDisclosure("s").of(classes) == pytest.approx(cells[0][0], rel=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_enhanced_beta_is_infinite_where_a_gain_exceeds_the_logarithm(cases: Any, name: str) -> None:
    """pyCANON answers the largest min(gain, -ln p), at which the definition does not hold.

    We are right: definition 3 of Cao and Karras requires every gain to be at most min(beta, -ln p). A gain above
    -ln p is too large for any beta, so there is none to report; where no gain is that large, both agree.
    """
    case = cases(name)
    capped = max(min((q - p) / p, -log(p)) for _, q, p in case.cells() if q > p)
    assert capped == pytest.approx(case.said("enhanced_beta_likeness"), rel=1e-9)
    assert case.worst(EnhancedBetaLikeness) == inf


def test_the_median_size_is_that_of_a_class_that_exists(cases: Any) -> None:
    """Among 20 classes pyCANON gives the middle of the two middle sizes, 8 and 9; ours is the lower: a size
    that at least half of the classes do not exceed. Both are medians.
    """
    case = cases("drugs_k5")
    assert case.answers["sizes_ec"]["value"]["median_ec"] == 8.5
    assert Sizes.of(case.classes).quantile(0.5) == 8
