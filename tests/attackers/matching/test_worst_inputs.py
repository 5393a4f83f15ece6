"""Tables that are too small, too wide or too plain, and names that mean something to the code."""

from __future__ import annotations

from random import Random

import pytest

from sfumato.attackers.attack_interface import LinkedRecords
from sfumato.attackers.attacks.distance_linkage import DistanceLinkage
from sfumato.attackers.attacks.exact_linkage import ExactLinkage
from sfumato.attackers.attacks.inference import Inference
from sfumato.attackers.attacks.linkability import Linkability
from sfumato.attackers.attacks.probabilistic_linkage import ProbabilisticLinkage
from sfumato.attackers.attacks.singling_out import SinglingOut
from sfumato.errors import EmptyTable, MissingRole, UnknownColumn
from sfumato.tables.engines.duckdb import DuckDB

LINKAGES = [ExactLinkage(), DistanceLinkage(), ProbabilisticLinkage()]
every_linkage = pytest.mark.parametrize("attack", LINKAGES, ids=lambda attack: attack.name())


@every_linkage
def test_nobody_is_found_in_a_release_without_records(link, attack):
    found = attack.of(link([((30, "f"), None), ((40, "m"), None)], recoded=None))
    assert (found.match_rate, found.true_match_rate, found.linkable, found.comparisons) == (0.0, 0.0, 0, 0)


@every_linkage
def test_a_single_record_is_found_unless_its_only_column_says_nothing(link, attack):
    found = attack.of(link([((30, "f"), (30, "f"))]))
    likely = attack.name() != "probabilistic_linkage"  # there is nobody else whom it could be weighed against
    assert (found.matched, found.linkable, found.comparisons) == (likely, likely, 1)


@every_linkage
def test_people_who_are_all_equal_are_found_by_chance_only(link, attack):
    found = attack.of(link([((30, "f"), (30, "f"))] * 8))
    assert found.expected in (1.0, 0.0)
    assert found.expected == (attack.name() != "probabilistic_linkage")
    assert found.linkable == 0


@every_linkage
def test_one_column_is_enough(link, attack):
    found = attack.of(link([((i,), (i,)) for i in range(20)]))
    assert (found.true_match_rate, found.linkable) == (1.0, 20)


def wide(n: int = 60) -> list:
    random = Random(7)
    rows = [(*(random.choice("abc") for _ in range(39)), str(i)) for i in range(n)]
    return [(row, row) for row in rows]


@every_linkage
def test_forty_columns_are_enough_too(link, attack):
    found = attack.of(link(wide()))
    assert (found.true_match_rate, found.linkable) == (1.0, 60)


def test_probabilistic_linkage_says_that_it_leaves_columns_out(link):
    found = ProbabilisticLinkage().of(link(wide(), [f"column {i}" for i in range(1, 41)]))
    assert len(found.details["weights"]) == 10
    assert "column 40" in {weight["column"] for weight in found.details["weights"]}
    assert found.notes[0].startswith("Limited to the 10 columns that tell most people apart; left out: column ")
    assert found.notes[0].count("column ") == 30
    assert ProbabilisticLinkage().of(link([((1, 2), (1, 2))])).notes == ()


def test_probabilistic_linkage_learns_not_to_trust_a_column_that_was_shuffled(link):
    random = Random(11)
    rows = [
        (random.randint(0, 40), random.randint(0, 30), random.randint(0, 11), random.randint(0, 9)) for _ in range(400)
    ]
    shuffled = [row[3] for row in rows]
    random.shuffle(shuffled)
    pairs = [(row, (*row[:3], other)) for row, other in zip(rows, shuffled, strict=True)]
    found = ProbabilisticLinkage().of(link(pairs))
    trust = [weight["agree"] - weight["differ"] for weight in found.details["weights"]]
    assert trust[3] < 2 < min(trust[:3])
    without = ExactLinkage().of(link([(o[:3], r[:3]) for o, r in pairs]))
    assert ExactLinkage().of(link(pairs)).true_match_rate < 0.2
    assert found.true_match_rate == pytest.approx(without.true_match_rate, abs=0.03)


@every_linkage
def test_the_order_of_the_rows_and_of_the_columns_does_not_matter(link, attack):
    random = Random(3)
    rows = [(random.randint(0, 9), random.choice("fm"), random.choice(["a", "b", None])) for _ in range(80)]
    pairs = [(row, (row[0] + random.randint(-1, 1), *row[1:]) if random.random() < 0.9 else None) for row in rows]
    first = attack.of(link(pairs)).content().plain()
    second = attack.of(link([(o[::-1], r and r[::-1]) for o, r in reversed(pairs)])).content().plain()
    for key in ("match_rate", "true_match_rate", "found_rate", "linkable"):
        assert first[key] == pytest.approx(second[key], abs=1e-12)


@every_linkage
def test_names_and_numbers_of_columns_do_not_matter(link, attack):
    pairs = [((i % 5, i % 3), (i % 5, i % 2)) for i in range(12)]
    plain = attack.of(link(pairs)).content().plain()
    named = attack.of(link(pairs, ['row"; DROP TABLE t; --', "kept"])).content().plain()
    assert {k: v for k, v in plain.items() if k != "weights"} == {k: v for k, v in named.items() if k != "weights"}


@every_linkage
@pytest.mark.parametrize("kind", [
    "BOOLEAN", "HUGEINT", "UBIGINT", "DECIMAL(20, 2)", "FLOAT", "DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIME",
    "UUID", "ENUM('a', 'b')", "INTEGER[]",
])  # fmt: skip
def test_columns_of_every_kind_are_linked(attack, kind):
    values = {
        "BOOLEAN": ("TRUE", "FALSE"), "DATE": ("'2020-01-01'", "'2021-01-01'"), "TIME": ("'10:00'", "'11:00'"),
        "UUID": (f"'{'0' * 32}'", f"'{'1' * 32}'"), "ENUM('a', 'b')": ("'a'", "'b'"), "INTEGER[]": ("[1]", "[2]"),
    }  # fmt: skip
    one, two = values.get("DATE" if kind.startswith("TIMESTAMP") else kind, ("1", "200"))
    rows = " UNION ALL ".join(f"SELECT CAST({v} AS {kind}) AS o1, CAST({v} AS {kind}) AS r1, TRUE AS kept"
                              for v in (one, two, "NULL"))  # fmt: skip
    assert attack.of(LinkedRecords.of(DuckDB().query(rows), ["x"])).linkable == 3


def test_huge_and_infinite_numbers_do_not_break_the_distance(link):
    values = [0.0, 1e-300, 1.0, 1e300, -1e300, float("inf"), None]
    found = DistanceLinkage().of(link([((v, "f"), (v, "f")) for v in values]))
    assert found.match_rate == 1.0
    assert found.own_named == len(values)


@pytest.mark.parametrize(
    "attack", [SinglingOut(), Linkability(), Inference(sensitive="c2")], ids=lambda attack: attack.name()
)
def test_the_three_questions_have_an_answer_on_the_smallest_tables(link, attack):
    for pairs in ([((1, 2), (1, 2))], [((1, 2), None)], [((1, 2), (1, 2))] * 5, [((1, 2), (None, None))] * 5):
        found = attack.of(link(pairs, recoded=None, types=(int, int)))
        assert found.risk == 0.0
        assert set(found.content().plain()) >= {"method", "risk", "interval", "attack", "control", "notes"}


def test_one_column_has_no_two_halves_and_the_result_says_so(link):
    found = Linkability().of(link([((i,), (i,)) for i in range(9)]))
    assert (found.risk, found.interval, found.attack.attempts) == (0.0, (0.0, 1.0), 0)
    assert found.notes == ("One column has no two halves: nothing was attempted.",)


def test_a_table_without_records_or_columns_is_refused():
    engine = DuckDB()
    with pytest.raises(EmptyTable):
        LinkedRecords.of(engine.query("SELECT 1 AS o1, 1 AS r1, TRUE AS kept WHERE FALSE"), ["age"])
    with pytest.raises(MissingRole):
        LinkedRecords.of(engine.query("SELECT TRUE AS kept"), [])
    with pytest.raises(UnknownColumn, match="'r1'"):
        LinkedRecords.of(engine.query("SELECT 1 AS o1, TRUE AS kept"), ["age"])


def test_engines_agree(link, engine):
    random = Random(5)
    rows = [(random.randint(20, 40), random.choice("fm"), random.choice(["north", "south", None])) for _ in range(60)]
    pairs = [((a, s, p), (a + random.randint(-2, 2), s, f"{p}*" if p else None)) for a, s, p in rows]
    pairs[3] = (pairs[3][0], None)
    here, there = link(pairs, recoded=None), link(pairs, recoded=None, engine=engine)
    assert there.recoded == ("c3",)
    for attack in (ExactLinkage(), DistanceLinkage(), ProbabilisticLinkage(), SinglingOut(attempts=20)):
        assert attack.of(here).content() == attack.of(there).content()
