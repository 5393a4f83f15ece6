"""Sweeney (2002), k-anonymity: a model for protecting privacy. The tables printed in it."""

from __future__ import annotations

import pytest

from sfumato.privacy.models.average_risk import AverageRisk
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.maximum_risk import MaximumRisk
from sfumato.privacy.sizes import Sizes
from sfumato.studies.printed_tables import rows
from sfumato.tables.engines.duckdb import DuckDB

COLUMNS = ["race", "birth", "gender", "zip", "problem"]
ROLES = {"race": "quasi", "birth": "quasi", "gender": "quasi", "zip": "quasi", "problem": "sensitive"}

# Figure 2: k-anonymity where k = 2 and the quasi-identifier is {Race, Birth, Gender, ZIP}.
FIGURE_2 = [
    ("Black", "1965", "m", "0214*", "short breath"),
    ("Black", "1965", "m", "0214*", "chest pain"),
    ("Black", "1965", "f", "0213*", "hypertension"),
    ("Black", "1965", "f", "0213*", "hypertension"),
    ("Black", "1964", "f", "0213*", "obesity"),
    ("Black", "1964", "f", "0213*", "chest pain"),
    ("White", "1964", "m", "0213*", "chest pain"),
    ("White", "1964", "m", "0213*", "obesity"),
    ("White", "1964", "m", "0213*", "short breath"),
    ("White", "1967", "m", "0213*", "chest pain"),
    ("White", "1967", "m", "0213*", "chest pain"),
]

# Figure 3: PT, and two releases of it in the same order; each is anonymous by itself.
ZIPS = ["02138", "02139", "02141", "02142"]
PT = [(race, code) for race in ("Asian", "Black", "White") for code in ZIPS]
GT1 = [("Person", code) for _, code in PT]
GT2 = [(race, code[:4] + "*") for race, code in PT]


@pytest.fixture(scope="module")
def duckdb() -> DuckDB:
    return DuckDB(threads=1)


def test_figure_2_is_2_anonymous_in_four_classes_of_two_and_one_of_three(duckdb: DuckDB) -> None:
    classes = rows(FIGURE_2, COLUMNS, duckdb, **ROLES).classes()
    assert KAnonymity().of(classes) == 2
    assert Sizes.of(classes).histogram == ((2, 4, 8), (3, 1, 3))


def test_figure_2_lets_one_in_two_be_found_at_worst_and_five_in_eleven_on_average(duckdb: DuckDB) -> None:
    classes = rows(FIGURE_2, COLUMNS, duckdb, **ROLES).classes()
    assert MaximumRisk().of(classes) == 0.5
    assert AverageRisk().of(classes) == 5 / 11


def test_two_classes_of_figure_2_tell_the_problem_of_everybody_in_them(duckdb: DuckDB) -> None:
    """k-anonymity does not say so: it is what l-diversity was invented for."""
    classes = rows(FIGURE_2, COLUMNS, duckdb, **ROLES).classes()
    readings = DistinctLDiversity("problem").readings(classes)
    assert sorted(duckdb.fetch(f"SELECT reading FROM {readings}")) == [(1,), (1,), (2,), (2,), (3,)]


@pytest.mark.parametrize(
    ("quasi", "k"),
    [
        (["race"], 5),
        (["birth"], 2),
        (["gender"], 4),
        (["zip"], 2),
        (["birth", "gender"], 2),
        (["race", "gender"], 2),
    ],
)
def test_fewer_quasi_identifiers_of_figure_2_give_these_k(duckdb: DuckDB, quasi: list[str], k: int) -> None:
    """Counted by hand: 6 black and 5 white; born 1964 (5), 1965 (4), 1967 (2); 7 men and 4 women."""
    dataset = rows(FIGURE_2, COLUMNS, duckdb, **dict.fromkeys(quasi, "quasi"))
    assert KAnonymity().of(dataset.classes()) == k


@pytest.mark.parametrize(("table", "k"), [(PT, 1), (GT1, 3), (GT2, 2)], ids=["PT", "GT1", "GT2"])
def test_the_tables_of_figure_3_are_1_3_and_2_anonymous(duckdb: DuckDB, table: list[tuple[str, str]], k: int) -> None:
    assert KAnonymity().of(rows(table, ["race", "zip"], duckdb, race="quasi", zip="quasi").classes()) == k


def test_two_anonymous_releases_in_the_same_order_link_to_singletons(duckdb: DuckDB) -> None:
    """The unsorted matching attack of section 4.1: GT1 beside GT2 has the ZIP of one and the race of the other."""
    linked = [(race, code) for (_, code), (race, _) in zip(GT1, GT2, strict=True)]
    classes = rows(linked, ["race", "zip"], duckdb, race="quasi", zip="quasi").classes()
    assert KAnonymity().of(classes) == 1
    assert Sizes.of(classes).singletons == 12
