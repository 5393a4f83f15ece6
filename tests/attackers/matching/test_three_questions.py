"""Singling out, linkability, inference: tables on which the answer is known, and all records one by one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from sfumato.attackers.attack_interface import AttackResult, Trials
from sfumato.attackers.attacks.inference import Baseline, Inference
from sfumato.attackers.attacks.linkability import Linkability
from sfumato.attackers.attacks.singling_out import SinglingOut
from sfumato.errors import PolicyError, UnknownColumn

ATTACKS = [SinglingOut(), Linkability(), Inference(sensitive="c4")]


def people(n: int, seed: int = 1) -> list[tuple]:
    """People who differ from each other on every half of three columns, with a random illness."""
    random = Random(seed)
    return [(i, f"place {i}", -i, random.choice(["flu", "cold", "hiv"])) for i in range(n)]


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_the_interval_of_a_rate_is_that_of_wilson(counts):
    n, successes = counts
    known = binomtest(successes, n).proportion_ci(method="wilson")
    assert Trials(n, successes).interval == pytest.approx((known.low, known.high), abs=1e-12)


def test_the_risk_is_what_the_release_adds_to_the_control():
    assert AttackResult("x", Trials(10, 8), Trials(10, 5)).risk == pytest.approx(0.6)
    assert AttackResult("x", Trials(10, 3), Trials(10, 5)).risk == 0.0
    assert AttackResult("x", Trials(10, 10), Trials(10, 10)).risk == 0.0
    assert AttackResult("x", Trials(0, 0), Trials(0, 0)).interval == (0.0, 1.0)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name())
def test_a_release_of_the_table_as_it_is_answers_every_question(link, attack):
    found = attack.of(link((p, p) for p in people(60)))
    assert found.attack == Trials(60, 60)
    assert found.control.rate < 0.55
    assert found.risk == 1.0


@pytest.mark.parametrize("blank", [None, "*"])
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name())
def test_a_release_without_any_value_answers_no_question(link, attack, blank):
    found = attack.of(link(((p, (blank,) * 4) for p in people(60)), recoded=None))
    assert found.risk == found.interval[0] == 0.0


def test_of_suppressed_quasi_identifiers_nothing_is_inferred_beyond_what_is_common(link):
    found = Inference(sensitive="c4").of(link(((p, (None, None, None, p[3])) for p in people(60)), recoded=None))
    commonest = Counter(p[3] for p in people(60)).most_common(1)[0][1]
    assert found.attack == found.control == Trials(60, commonest)
    assert found.risk == 0.0


def test_a_release_in_classes_of_five_singles_nobody_out(link):
    pairs = [((20 + i, "f" if i % 2 else "m"), (f"{20 + i // 5 * 5}+", "*")) for i in range(50)]
    found = SinglingOut().of(link(pairs, recoded=None))
    assert (found.attack.rate, found.risk) == (0.0, 0.0)


def test_a_suppressed_cell_says_nothing_about_whom_is_meant(link):
    """One record is described by its age alone, which another one has too."""
    pairs = [((30, "f"), (30, None)), ((30, "m"), (30, "m")), ((40, "m"), (40, None))]
    assert SinglingOut().of(link(pairs)).attack == Trials(3, 2)


def test_a_label_fits_the_value_that_it_equals_also_where_it_was_given_to_others_only(link):
    pairs = [(("a",), ("a*",)), (("b",), ("a",)), (("c",), ("c*",))]
    assert SinglingOut().of(link(pairs, recoded=None)).attack == Trials(3, 2)


def test_on_one_column_rows_say_no_more_than_the_column(link):
    """Drawn one column at a time, the control is the attack up to chance."""
    pairs = [(p, p) for p in zip(range(200), [i // 2 for i in range(200)], strict=True)]
    found = SinglingOut(columns=1).of(link(pairs))
    assert found.attack.rate == pytest.approx(0.5, abs=0.11)
    assert found.interval[0] == 0.0


def test_the_intervals_cover_the_true_rate_in_nearly_all_samples(link):
    """Of 1200 people 400 are alone, so the true rate of singling out is 1/3."""
    pairs = [((i, "f"), (i, "f")) if i < 400 else ((1000 + i // 2, "m"), (1000 + i // 2, "m")) for i in range(1200)]
    linked = link(pairs)
    found = [SinglingOut(attempts=150, seed=seed).of(linked).attack for seed in range(40)]
    assert len({trials.successes for trials in found}) > 5
    assert sum(low <= 1 / 3 <= high for low, high in (trials.interval for trials in found)) >= 35


def test_attempts_are_on_different_people_and_repeat_with_the_seed(link):
    linked = link((p, p) for p in people(50))
    attack = SinglingOut(attempts=30, seed=5)
    assert attack.of(linked) == attack.of(linked)
    from sfumato.attackers.matching.coded_tuples import Tuples
    from sfumato.chance import Chance

    drawn = [attack.drawn(Tuples.of(linked).n, Chance.of(seed)).tolist() for seed in (5, 6)]
    assert all(len(set(numbers)) == 30 for numbers in drawn)
    assert drawn[0] != drawn[1]


def test_halves_of_two_different_people_are_linked_where_the_second_half_says_nothing(link):
    """All have the same second half, so that any first half leads to one record with any second half."""
    found = Linkability().of(link(((i, "f"), (i, "f")) for i in range(30)))
    assert (found.attack.rate, found.control.rate, found.risk) == (1.0, 1.0, 0.0)


def test_the_control_of_linkability_never_takes_both_halves_from_the_same_person(link):
    found = Linkability().of(link(((i, i), (i, i)) for i in range(2)))
    assert (found.attack, found.control) == (Trials(2, 2), Trials(2, 0))


def test_what_is_inferred_without_the_own_record_is_no_risk_of_being_released(link):
    """Everybody in a place has the same illness: known from the others as well."""
    pairs = [((f"place {i // 5}", ["flu", "cold", "hiv"][i // 5 % 3]),) * 2 for i in range(45)]
    linked = link(pairs, ["place", "illness"])
    assert Inference(sensitive="illness").of(linked).risk == 1.0
    assert Inference(sensitive="illness", baseline=Baseline.LEFT_OUT).of(linked).risk == 0.0


def test_people_without_the_sensitive_value_are_passed_over_and_counted(link):
    pairs = [((1, "flu"), (1, "flu")), ((2, None), (2, None)), ((3, "cold"), (3, "cold"))]
    found = Inference(sensitive="c2").of(link(pairs))
    assert found.attack == Trials(2, 2)
    assert found.notes == ("1 records without the sensitive value were passed over.",)


CELLS = st.sampled_from([None, "a", "b", "c"])


@st.composite
def coded(draw):
    """A place in one of two codings, a sex with gaps, an illness; some records are not in the release."""
    place, sex, illness = draw(CELLS), draw(st.sampled_from("fm")), draw(st.sampled_from([None, "flu", "hiv"]))
    label = draw(st.sampled_from([place, f"{place}*" if place else None, "*", "b"]))
    released = (label, draw(st.sampled_from([sex, sex, None])), illness)
    return (place, sex, illness), draw(st.sampled_from([released, released, released, None]))


TABLES = st.lists(coded(), min_size=1, max_size=10)


def distance(pairs: list, original: tuple, released: tuple, places: tuple[int, ...]) -> int:
    given = {(o[0], r[0]) for o, r in pairs if r is not None}
    fits = [original[k] == released[k] or (k == 0 and (original[0], released[0]) in given) for k in places]
    return len(places) - sum(fits)


def near(pairs: list, original: tuple, places: tuple[int, ...]) -> set[int]:
    costs = {j: distance(pairs, original, r, places) for j, (_, r) in enumerate(pairs) if r is not None}
    return {j for j, cost in costs.items() if cost == min(costs.values())}


@given(TABLES)
@settings(max_examples=40)
def test_singling_out_counts_the_descriptions_that_fit_one_record(link, pairs):
    given = {(o[0], r[0]) for o, r in pairs if r is not None}

    def fits(o: tuple, r: tuple) -> bool:
        place = r[0] is None or o[0] == r[0] or (o[0], r[0]) in given
        return place and all(r[k] is None or o[k] == r[k] for k in (1, 2))

    descriptions = [r for _, r in pairs if r is not None]
    found = SinglingOut().of(link(pairs, recoded=["c1"], types=(str,) * 3))
    assert found.attack.successes == sum(sum(fits(o, r) for o, _ in pairs) == 1 for r in descriptions)
    assert found.attack.attempts == (len(descriptions) or len(pairs))


@given(TABLES.filter(lambda pairs: len(pairs) > 1))
@settings(max_examples=40)
def test_linkability_counts_the_people_whose_halves_lead_to_one_record(link, pairs):
    found = Linkability(known=("c1",)).of(link(pairs, recoded=["c1"], types=(str,) * 3))
    both = [near(pairs, o, (0,)) & near(pairs, o, (1, 2)) for o, _ in pairs]
    assert found.attack == Trials(len(pairs), sum(len(records) == 1 for records in both))
    assert found.details["halves"] == [["c1"], ["c2", "c3"]]


@given(TABLES, st.booleans())
@settings(max_examples=60)
def test_inference_counts_the_people_whose_lookalikes_have_their_illness(link, pairs, left_out):
    def right(o: tuple, records: set[int]) -> float:
        counts = Counter(pairs[j][1][2] for j in records if pairs[j][1][2] is not None)
        best = [value for value, n in counts.items() if n == max(counts.values())]
        return (o[2] in best) / len(best) if best else 0.0

    def without(i: int) -> list:
        return [(o, None if j == i else r) for j, (o, r) in enumerate(pairs)]

    def lookalikes(i: int, *, own: bool) -> set[int]:
        # The coding is known from the whole release, also where a record is left out.
        costs = {j: distance(pairs, pairs[i][0], r, (0, 1))
                 for j, (_, r) in enumerate(pairs if own else without(i)) if r is not None}  # fmt: skip
        return {j for j, cost in costs.items() if cost == min(costs.values())}

    control = Baseline.LEFT_OUT if left_out else Baseline.MAJORITY
    linked = link(pairs, recoded=["c1"], types=(str,) * 3)
    found = Inference(sensitive="c3", baseline=control).of(linked)
    known = [i for i, (o, _) in enumerate(pairs) if o[2] is not None]
    assert found.attack == Trials(len(known), sum(right(pairs[i][0], lookalikes(i, own=True)) for i in known))
    everybody = {j for j, (_, r) in enumerate(pairs) if r is not None}
    compared = [right(pairs[i][0], lookalikes(i, own=False) if left_out else everybody) for i in known]
    assert found.control.successes == pytest.approx(sum(compared))


def test_more_noise_is_less_risk(link):
    random = Random(2)
    ages = [(random.randint(0, 10_000), random.choice("fm"), random.choice(["flu", "hiv"])) for _ in range(300)]
    noises = [random.random() - 0.5 for _ in ages]
    risks = []
    for reach in (0, 30, 300):
        moved = [((a, s, i), (a + round(reach * e), s, i)) for (a, s, i), e in zip(ages, noises, strict=True)]
        risks.append([Inference(sensitive="c3").of(link(moved)).risk, SinglingOut().of(link(moved)).risk])
    assert all(more > less for before, after in pairwise(risks) for more, less in zip(before, after, strict=True))


@pytest.mark.parametrize("attempts", [0, -1, True, 1.5])
def test_a_number_of_attempts_that_makes_no_sense_is_refused(attempts):
    with pytest.raises(PolicyError, match="attempts"):
        SinglingOut(attempts=attempts)


def test_an_unknown_column_is_refused(link):
    linked = link([((1, 2), (1, 2))], ["age", "dose"])
    with pytest.raises(UnknownColumn, match="'ages'"):
        Inference(sensitive="ages").of(linked)
    with pytest.raises(UnknownColumn, match="'doses'"):
        Linkability(known=("doses",)).of(linked)
