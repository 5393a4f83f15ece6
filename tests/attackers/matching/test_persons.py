"""Attacks where a subject is known: persons are counted, each against its definition, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import log2, sqrt
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato.attackers.attack_interface
import sfumato.attackers.matching.nearest_tuples
from sfumato.attackers.attack_interface import LinkageResult, Trials
from sfumato.attackers.attacks.distance_linkage import DistanceLinkage
from sfumato.attackers.attacks.exact_linkage import ExactLinkage
from sfumato.attackers.attacks.inference import Baseline, Inference
from sfumato.attackers.attacks.linkability import Linkability
from sfumato.attackers.attacks.probabilistic_linkage import UNITS, ProbabilisticLinkage
from sfumato.attackers.attacks.singling_out import SinglingOut
from sfumato.attackers.matching.coded_tuples import Tuples
from sfumato.attackers.risk import risk
from sfumato.chance import Chance

NEAR = 1e-6
KINDS = (int, str, str)
LINKAGES = [ExactLinkage(), DistanceLinkage(), ProbabilisticLinkage()]
QUESTIONS = [SinglingOut(), Linkability(), Inference(sensitive="c3"),
             Inference(sensitive="c3", baseline=Baseline.LEFT_OUT)]  # fmt: skip


@st.composite
def visits(draw):
    """Records with age, sex and place, some of which are not released, and whose they are; some are nobody's."""
    pairs, persons = [], []
    for _ in range(draw(st.integers(1, 12))):
        age = draw(st.one_of(st.none(), st.integers(0, 4)))
        original = (age, draw(st.sampled_from("fm")), draw(st.sampled_from([None, "a", "b"])))
        moved = None if age is None else age + draw(st.integers(-1, 1))
        released = (
            draw(st.sampled_from([age, age, moved, None])),
            original[1],
            draw(st.sampled_from([original[2], "b"])),
        )
        pairs.append((original, draw(st.sampled_from([released, released, released, released, None]))))
        persons.append(draw(st.sampled_from([None, 1, 1, 2, 3, 4])))
    return pairs, persons


TABLES = visits()


def people(persons: list) -> list:
    """Whose each record is; one without a subject is a person of its own."""
    return [("row", i) if person is None else person for i, person in enumerate(persons)]


def agree(found: LinkageResult, pairs: list, persons: list, candidates: Callable[[int], list[int]]) -> None:
    """Compare a result with what it is by definition, from the released records that each original one names."""
    whose = people(persons)
    named = [{whose[j] for j in candidates(i)} for i in range(len(pairs))]
    of = {person: [i for i, who in enumerate(whose) if who == person] for person in set(whose)}
    chance = {p: max((p in named[i]) / len(named[i]) if named[i] else 0.0 for i in own) for p, own in of.items()}
    assert (found.unit, found.persons, found.records) == ("persons", len(of), len(pairs))
    assert found.matched == sum(any(named[i] for i in own) for own in of.values())
    assert found.own_named == sum(p > 0 for p in chance.values())
    assert found.expected == pytest.approx(sum(chance.values()))
    assert found.true_match_rate == pytest.approx(sum(chance.values()) / len(of))
    assert found.match_rate == pytest.approx(found.true_match_rate + found.false_match_rate)
    assert found.linkable == sum(p == 1 for p in chance.values())
    linkable = [i + 1 for i in range(len(pairs)) if named[i] == {whose[i]}]
    assert sorted(row for (row,) in found.rows.engine.fetch(f"SELECT row FROM {found.rows}")) == linkable


def lowest(pairs: list, cost: Callable[[tuple, tuple], float]) -> Callable[[int], list[int]]:
    def candidates(i: int) -> list[int]:
        costs = {j: cost(pairs[i][0], released) for j, (_, released) in enumerate(pairs) if released is not None}
        return [j for j, c in costs.items() if c <= min(costs.values()) + NEAR]

    return candidates


@pytest.fixture(scope="module", params=[512, 3], ids=["one block", "many blocks"])
def blocks(request):
    """Small tables are one block; blocks of three tuples, and two ties at a time, make the search go on and on."""
    with pytest.MonkeyPatch.context() as patch:
        module = sfumato.attackers.matching.nearest_tuples
        patch.setattr(module, "BLOCK", request.param)
        patch.setattr(module, "SLOTS", 2 if request.param == 3 else 1024)
        patch.setattr(module, "SEVERAL", 2 if request.param == 3 else 64)
        patch.setattr(module, "TIES", 2 if request.param == 3 else 2**20)
        yield


@given(TABLES)
@settings(max_examples=40)
def test_exact_linkage_counts_the_persons_of_whom_a_record_names_them(link, drawn):
    pairs, persons = drawn
    found = ExactLinkage().of(link(pairs, types=KINDS, persons=persons))
    agree(found, pairs, persons, lambda i: [j for j, (_, r) in enumerate(pairs) if r == pairs[i][0]])


def scale(pairs: list) -> float:
    known = [original[0] for original, _ in pairs if original[0] is not None]
    every = known + [released[0] for _, released in pairs if released is not None and released[0] is not None]
    if len(set(known)) > 1:
        mean = sum(known) / len(known)
        return sqrt(sum((v - mean) ** 2 for v in known) / len(known))
    return (max(every) - min(every) if every else 0) or 1.0


def far(x: Any, y: Any, scale: float) -> float:
    return float(x is not y) if x is None or y is None else abs(x - y) / scale


@pytest.mark.usefixtures("blocks")
@given(TABLES)
@settings(max_examples=40)
def test_distance_linkage_counts_the_persons_of_whom_a_record_is_nearest_to_their_own(link, drawn):
    pairs, persons = drawn
    deviation = scale(pairs)

    def cost(x: tuple, y: tuple) -> float:
        return far(x[0], y[0], deviation) + (x[1] != y[1]) + (x[2] != y[2])

    agree(DistanceLinkage().of(link(pairs, types=KINDS, persons=persons)), pairs, persons, lowest(pairs, cost))


@pytest.mark.usefixtures("blocks")
@given(TABLES, st.sampled_from([-1000.0, 0.0, 2.0]))
@settings(max_examples=40)
def test_probabilistic_linkage_counts_the_persons_whose_records_weigh_most(link, drawn, threshold):
    pairs, persons = drawn
    found = ProbabilisticLinkage(threshold).of(link(pairs, types=KINDS, persons=persons))
    weights = found.details.get("weights", [])
    worth = [round(w["agree"] * UNITS) - round(w["differ"] * UNITS) for w in weights]
    whole = sum(round(w["agree"] * UNITS) for w in weights)

    def lost(x: tuple, y: tuple) -> int:
        return sum(w for a, b, w in zip(x, y, worth, strict=True) if a != b)

    def candidates(i: int) -> list[int]:
        best = lowest(pairs, lost)(i)
        return [j for j in best if whole - lost(pairs[i][0], pairs[j][1]) > round(threshold * UNITS)]

    agree(found, pairs, persons, candidates)
    for w in weights:
        assert w["agree"] == pytest.approx(log2(w["m"] / w["u"]))


def fits(pairs: list, o: tuple, r: tuple) -> bool:
    return all(b is None or a == b for a, b in zip(o, r, strict=True))


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


@given(TABLES)
@settings(max_examples=40)
def test_singling_out_counts_the_persons_by_the_share_of_their_records_that_fit_nobody_else(link, drawn):
    pairs, persons = drawn
    found = SinglingOut().of(link(pairs, types=KINDS, persons=persons))
    whose = people(persons)
    released = {p: {r for (_, r), who in zip(pairs, whose, strict=True) if who == p and r is not None}
                for p in set(whose)}  # fmt: skip
    shares = [mean([len({who for (o, _), who in zip(pairs, whose, strict=True) if fits(pairs, o, r)}) == 1 for r in rs])
              for rs in released.values() if rs]  # fmt: skip
    assert found.unit == "persons"
    assert found.attack.attempts == (len(shares) or len(set(whose)))
    assert found.attack.successes == pytest.approx(sum(shares))


def distance(pairs: list, x: tuple, y: tuple, places: tuple[int, ...]) -> float:
    """As `Lookalikes` measures it, over values told apart as they are."""
    different = {original for original, _ in pairs}
    n = Counter(original for original, _ in pairs)
    known = [(o[0], n[o]) for o in different if o[0] is not None]
    total = sum(k for _, k in known)
    deviation = 0.0
    if len({v for v, _ in known}) > 1:
        middle = sum(v * k for v, k in known) / total
        deviation = sqrt(sum(k * (v - middle) ** 2 for v, k in known) / total)
    every = [v for v, _ in known] + [r[0] for _, r in pairs if r is not None and r[0] is not None]
    deviation = deviation or ((max(every) - min(every)) if every else 0) or 1.0
    return sum(far(x[k], y[k], deviation) if k == 0 else x[k] != y[k] for k in places)


def nearest(pairs: list, x: tuple, places: tuple[int, ...], without: set[int] = frozenset()) -> set[int]:
    costs = {j: distance(pairs, x, r, places) for j, (_, r) in enumerate(pairs) if r is not None and j not in without}
    return {j for j, c in costs.items() if c <= min(costs.values()) + NEAR}


@given(TABLES)
@settings(max_examples=40)
def test_linkability_counts_the_persons_by_the_share_of_their_records_whose_halves_lead_to_one_person(link, drawn):
    pairs, persons = drawn
    whose = people(persons)
    found = Linkability(known=("c1",)).of(link(pairs, types=KINDS, persons=persons))
    if len(set(whose)) == 1:
        assert found.attack == Trials(0, 0)
        return
    shares = []
    for p in set(whose):
        originals = {o for (o, _), who in zip(pairs, whose, strict=True) if who == p}
        both = [{whose[j] for j in nearest(pairs, o, (0,)) & nearest(pairs, o, (1, 2))} for o in originals]
        shares.append(mean([len(named) == 1 for named in both]))
    assert found.attack.attempts == found.control.attempts == len(shares)
    assert found.attack.successes == pytest.approx(sum(shares))


@given(TABLES, st.booleans())
@settings(max_examples=60)
def test_inference_guesses_what_most_persons_have_among_the_nearest_records(link, drawn, left_out):
    pairs, persons = drawn
    whose = people(persons)

    def right(o: tuple, records: set[int]) -> float:
        counts = Counter(value for _, value in {(whose[j], pairs[j][1][2]) for j in records} if value is not None)
        best = [value for value, n in counts.items() if n == max(counts.values())]
        return (o[2] in best) / len(best) if best else 0.0

    everybody = {j for j, (_, r) in enumerate(pairs) if r is not None}
    attack, control = [], []
    for p in set(whose):
        originals = {o for (o, _), who in zip(pairs, whose, strict=True) if who == p and o[2] is not None}
        if originals:
            own = {j for j, who in enumerate(whose) if who == p}
            attack.append(mean([right(o, nearest(pairs, o, (0, 1))) for o in originals]))
            control.append(mean([right(o, nearest(pairs, o, (0, 1), own) if left_out else everybody)
                                 for o in originals]))  # fmt: skip
    baseline = Baseline.LEFT_OUT if left_out else Baseline.MAJORITY
    found = Inference(sensitive="c3", baseline=baseline).of(link(pairs, types=KINDS, persons=persons))
    assert found.attack.attempts == len(attack)
    assert found.attack.successes == pytest.approx(sum(attack))
    assert found.control.successes == pytest.approx(sum(control))


@given(TABLES, st.sampled_from([None, 1, 1000]), st.sampled_from([2, 2000]))
@settings(max_examples=40)
def test_one_record_a_person_gives_what_records_give_to_the_last_draw(link, drawn, first, attempts):
    """Whether all are named persons, or none: `None` makes each a person of its own."""
    pairs, _ = drawn
    persons = [None if first is None else first + 7 * i % 97 for i in range(len(pairs))]
    records, alone = link(pairs, types=KINDS), link(pairs, types=KINDS, persons=persons)
    for linkage in LINKAGES:
        one, other = linkage.of(records), linkage.of(alone)
        assert other.expected == pytest.approx(one.expected, rel=1e-12)
        assert (other.unit, other.persons) == ("persons", one.records)
        assert replace(other, persons=None, expected=one.expected) == one
    for question in (SinglingOut(attempts=attempts), SinglingOut(attempts=attempts, columns=2),
                     Linkability(attempts=attempts), Inference(sensitive="c3", attempts=attempts),
                     Inference(sensitive="c3", attempts=attempts, baseline=Baseline.LEFT_OUT)):  # fmt: skip
        one, other = question.of(records), question.of(alone)
        assert (other.attack, other.control, other.notes) == (one.attack, one.control, one.notes)


@given(TABLES, st.integers(2, 3))
@settings(max_examples=40)
def test_every_record_written_down_again_changes_nothing_for_persons(link, drawn, times):
    pairs, persons = drawn
    named = [100 + i if person is None else person for i, person in enumerate(persons)]
    once, often = link(pairs, types=KINDS, persons=named), link(pairs * times, types=KINDS, persons=named * times)
    for linkage in LINKAGES:
        one, other = linkage.of(once), linkage.of(often)
        assert (other.matched, other.own_named, other.linkable) == (one.matched, one.own_named, one.linkable)
        assert other.expected == pytest.approx(one.expected)
    for question in QUESTIONS:
        one, other = question.of(once).attack, question.of(often).attack
        assert (other.attempts, other.successes) == (one.attempts, pytest.approx(one.successes))


@given(TABLES)
@settings(max_examples=40)
def test_some_records_of_a_person_written_down_again_change_nothing_for_exact_linkage(link, drawn):
    pairs, persons = drawn
    named = [100 + i if person is None else person for i, person in enumerate(persons)]
    once = ExactLinkage().of(link(pairs, types=KINDS, persons=named))
    often = ExactLinkage().of(link(pairs + pairs[:1] * 9, types=KINDS, persons=named + named[:1] * 9))
    assert (often.matched, often.own_named, often.linkable) == (once.matched, once.own_named, once.linkable)
    assert often.expected == pytest.approx(once.expected)


VISITS = [(("A", 1), ("A", 1)), (("A", 2), ("A", 2)), (("B", 1), ("A", 1)), (("B", 1), ("B", 1))]


def test_a_person_is_linked_by_the_record_that_tells_most_and_any_record_of_theirs_is_right(link):
    """By hand: the first person has two records, the second two that are alike in the original, one of them changed.

    Of the four records, one by one: (A, 1) names the first and the third, 1/2; (A, 2) names itself, 1; each (B, 1)
    names the fourth, which is right for the fourth alone: 2.5 of 4. Of the two persons: (A, 2) names the first person
    alone, and (B, 1) the second alone, whichever of the two it is: 2 of 2.
    """
    records = ExactLinkage().of(link(VISITS))
    assert (records.expected, records.linkable, records.true_match_rate) == (2.5, 2, 0.625)
    persons = ExactLinkage().of(link(VISITS, persons=[1, 1, 2, 2]))
    assert (persons.expected, persons.linkable, persons.true_match_rate) == (2.0, 2, 1.0)
    rows = sorted(row for (row,) in persons.rows.engine.fetch(f"SELECT row FROM {persons.rows}"))
    assert rows == [2, 3, 4]


def test_ten_records_of_somebody_else_are_one_person_to_be_mistaken_for(link):
    pairs, persons = [(("f",), ("f",))] * 11, [1] + [2] * 10
    assert ExactLinkage().of(link(pairs)).true_match_rate == pytest.approx(1 / 11)
    assert ExactLinkage().of(link(pairs, persons=persons)).true_match_rate == 0.5


def test_engines_agree_on_persons(link, engine):
    pairs, persons = [*VISITS, ((None, 3), None), (("C", None), ("C", None))], [1, 1, 2, 2, None, None]
    for linkage in LINKAGES:
        one, other = (linkage.of(link(pairs, types=(str, int), persons=persons, engine=e)) for e in (None, engine))
        assert other.content() == one.content()
        rows = [sorted(result.rows.engine.fetch(f"SELECT row FROM {result.rows}")) for result in (one, other)]
        assert rows[0] == rows[1]


def test_of_a_person_with_many_records_some_are_drawn(monkeypatch, link):
    monkeypatch.setattr(sfumato.attackers.attack_interface, "MOST_RECORDS", 3)
    pairs = [((i, "f"), (i, "f")) for i in range(50)] + [((0, "f"), (0, "f"))]
    linked = link(pairs, persons=[1] * 50 + [2])
    assert SinglingOut().of(linked).attack == SinglingOut().of(linked).attack
    tuples = Tuples.of(linked).release_holders
    tried = [SinglingOut().tried(tuples.tuples_of(0), Chance.of(seed)).tolist() for seed in range(200)]
    assert {len(set(some)) for some in tried} == {3}
    assert set().union(*tried) == set(range(50))


def test_risk_counts_persons_before_the_release_and_after_it():
    """Three patients with six visits; one visit of each is suppressed in part, and each is linked by another."""
    before = pa.table({"id": range(6), "who": [1, 1, 2, 2, 3, 3], "age": [30, 31, 40, 41, 40, 50],
                       "town": ["a", "a", "a", "b", "a", "b"]})  # fmt: skip
    after = pa.table({"id": range(6), "age": [30, None, 40, None, 40, None], "town": ["a", "a", "a", None, "a", None]})
    found = risk(before, after, quasi=["age", "town"], subject="who", key="id", attempts=10)
    exact = found.tried.linkages[0]
    assert (exact.persons, exact.records, exact.expected, exact.linkable) == (3, 6, 2.0, 1)
    document = found.content()
    assert document.linkage.unit == document.scenarios[0].after.linkage.unit == "persons"
    assert [question.unit for question in document.questions] == ["persons", "persons"]
    assert "linkable persons" in str(found)
    assert "of the 3 persons" in str(found)
    records = risk(before, after, quasi=["age", "town"], key="id", attempts=10)
    assert (records.tried.linkages[0].unit, records.tried.linkages[0].linkable) == ("records", 1)
    assert "linkable records" in str(records)
