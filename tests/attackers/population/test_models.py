"""Population models: their equations, what holds for every sample, and the worst ones."""

from __future__ import annotations

from itertools import pairwise
from math import comb, exp, inf, isfinite, lgamma, log

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.attackers.population.choice import Dankar, chosen, estimates
from sfumato.attackers.population.country_populations import residents, residents_by_region
from sfumato.attackers.population.model_interface import (
    COUNTED,
    CUT,
    NOBODY,
    OVERLAP,
    Estimate,
    Population,
    PopulationModel,
    SampleSize,
    sample_size,
)
from sfumato.attackers.population.models import pitman, slide_negative_binomial
from sfumato.attackers.population.models.pitman import Pitman
from sfumato.attackers.population.models.slide_negative_binomial import SlideNegativeBinomial
from sfumato.attackers.population.models.zayatz import Zayatz
from sfumato.attackers.population.root_finding import root
from sfumato.errors import PolicyError
from sfumato.privacy.sizes import Sizes

MODELS: list[PopulationModel] = [Zayatz(), Pitman(), Pitman(approximate=True), SlideNegativeBinomial(), Dankar()]
COUNTS = st.dictionaries(st.integers(1, 400), st.integers(1, 300), min_size=1, max_size=8)
SOME_UNIQUE = COUNTS.map(lambda counts: {1: 7, 3: 1} | counts)
HOW_MANY_MORE = st.one_of(st.integers(1, 50), st.integers(1, 10**10))


def sizes_of(counts: dict[int, int]) -> Sizes:
    return Sizes(tuple((size, number, size * number) for size, number in sorted(counts.items())))


# What holds for every sample


@given(COUNTS, st.one_of(st.just(0), HOW_MANY_MORE))
@settings(max_examples=150)
def test_an_estimate_is_within_what_is_certain_and_so_within_the_population(counts: dict[int, int], more: int) -> None:
    sizes = sizes_of(counts)
    n = sample_size(sizes)
    for model in MODELS:
        found = model.of(sizes, n + more)
        assert found.caveat
        assert found.lowest == max(0, sizes.singletons - more)
        assert found.highest == sizes.singletons + more
        assert found.value is None or found.lowest <= found.value <= found.highest <= n + more
        assert found == model.of(sizes, n + more)


@given(SOME_UNIQUE)
@settings(max_examples=50)
def test_for_a_sample_that_is_the_population_the_formula_of_zayatz_is_the_count(counts: dict[int, int]) -> None:
    sizes = sizes_of(counts)
    found, _ = Zayatz().expected(sizes, sample_size(sizes))
    assert found == pytest.approx(sizes.singletons, rel=1e-12)


@given(SOME_UNIQUE, st.integers(1, 3000))
@settings(max_examples=50)
def test_zayatz_is_what_binomial_coefficients_say(counts: dict[int, int], more: int) -> None:
    counts = {size: number for size, number in counts.items() if size < 40}
    sizes = sizes_of(counts)
    n = sample_size(sizes)
    population = n + more

    def drawn_alone(i: int) -> float:
        return i * comb(population - i, n - 1) / comb(population, n) if population - i >= n - 1 else 0

    likely = counts[1] * drawn_alone(1) / sum(number * drawn_alone(i) for i, number in counts.items())
    found, _ = Zayatz().expected(sizes, population)
    assert found == pytest.approx(population / n * counts[1] * likely, rel=1e-9)


@given(SOME_UNIQUE)
@settings(max_examples=40)
def test_no_other_parameters_make_the_sample_more_likely_under_pitman(counts: dict[int, int]) -> None:
    sizes = sizes_of(counts)
    found = pitman.parameters(sizes, sample_size(sizes))
    assert found is not None
    theta, alpha = found
    best = log_likelihood(counts, theta, alpha)
    assert best > -inf
    for other in (0.001, 0.01, *(i / 20 for i in range(1, 20)), 0.99):
        for times in (0.01, 0.1, 0.5, 0.9, 0.99, 1, 1.01, 1.1, 2, 10, 100):
            assert log_likelihood(counts, (theta + alpha) * times - other, other) <= best + 1e-7 * abs(best)


def log_likelihood(counts: dict[int, int], theta: float, alpha: float) -> float:
    """Pitman's sampling formula, without what does not depend on the parameters."""
    classes, n = sum(counts.values()), sum(size * number for size, number in counts.items())
    if theta + alpha <= 0:
        return -inf
    founded = sum(log(theta + i * alpha) for i in range(1, classes))
    grown = sum(number * (lgamma(size - alpha) - lgamma(1 - alpha)) for size, number in counts.items())
    return founded + grown - (lgamma(theta + n) - lgamma(theta + 1))


@pytest.mark.parametrize(("theta", "alpha"), [(3.0, 0.5), (0.2, 0.9), (40.0, 0.1), (-0.3, 0.6)])
def test_the_expectation_of_pitman_is_that_of_the_urn(
    monkeypatch: pytest.MonkeyPatch, theta: float, alpha: float
) -> None:
    """E(S_1) person by person: one more by whoever founds a class, one less by whoever joins a unique."""
    monkeypatch.setattr(pitman, "parameters", lambda *_: (theta, alpha))
    classes, unique = 1.0, 1.0
    for m in range(1, 500):
        founds = (theta + classes * alpha) / (theta + m)
        unique += founds - unique * (1 - alpha) / (theta + m)
        classes += founds
    found, _ = Pitman().expected(sizes_of({1: 5, 3: 2}), 500)
    assert found == pytest.approx(unique, rel=1e-10)


@given(SOME_UNIQUE, st.integers(1, 100), st.floats(0.0001, 0.9999))
@settings(max_examples=80)
def test_the_slide_negative_binomial_solves_its_equations_as_they_are_printed(
    counts: dict[int, int], pairs: int, f: float
) -> None:
    counts = counts | {2: pairs}
    found = slide_negative_binomial.parameters(counts, f)
    if found is None:
        return
    classes, alpha, log_beta = found
    beta = exp(log_beta)
    rest = 1 - (1 - f) * (1 - beta)
    power = exp(alpha * log_beta - alpha * log(rest))
    unique = classes * f * power / rest * (rest + alpha * (1 - f) * (1 - beta))
    twos = classes * f**2 * alpha * (1 - beta) * power / (2 * rest**2) * (2 - (1 - alpha) * (1 - f) * (1 - beta))
    assert unique == pytest.approx(counts[1], rel=1e-6)
    assert twos == pytest.approx(counts[2], rel=1e-6)


@pytest.mark.parametrize(("alpha", "beta", "f"), [(1.0, 0.5, 0.5), (0.3, 0.05, 0.2), (2.5, 0.7, 0.8), (0.8, 0.2, 0.05)])
def test_the_equations_of_the_slide_negative_binomial_are_what_sampling_makes_of_it(
    alpha: float, beta: float, f: float
) -> None:
    """Classes of one and two in the sample, added up over the sizes that they may have in the population."""

    def share(i: int) -> float:
        ways = lgamma(alpha + i - 1) - lgamma(alpha) - lgamma(i)
        return exp(ways + alpha * log(beta) + (i - 1) * log(1 - beta))

    unique = sum(share(i) * i * f * (1 - f) ** (i - 1) for i in range(1, 1000))
    twos = sum(share(i) * comb(i, 2) * f**2 * (1 - f) ** (i - 2) for i in range(2, 1000))
    rest = 1 - (1 - f) * (1 - beta)
    power = (beta / rest) ** alpha
    assert unique == pytest.approx(f * power / rest * (rest + alpha * (1 - f) * (1 - beta)), rel=1e-9)
    expected = f**2 * alpha * (1 - beta) * power / (2 * rest**2) * (2 - (1 - alpha) * (1 - f) * (1 - beta))
    assert twos == pytest.approx(expected, rel=1e-9)


@given(st.integers(1, 500), st.integers(1, 500), st.floats(0.001, 0.999))
@settings(max_examples=60)
def test_the_equation_that_is_left_falls_so_that_it_has_one_root(unique: int, pairs: int, f: float) -> None:
    odds, found = pairs / unique, []
    for s in (1e-6, 0.01, *(i / 8 for i in range(1, 160)), 40, 80, 160):
        r = 1 - exp(-s)
        y = slide_negative_binomial._members(r, f, odds)
        found.append(-y * s / r + log(f + (1 - f) * y))
    assert all(later < earlier for earlier, later in pairwise(found))


@given(st.integers(1, 1000), st.floats(0.01, 0.99))
def test_a_sample_of_uniques_only_stands_for_as_many_classes_as_people(unique: int, f: float) -> None:
    """By hand: every sum of the estimate of Haas and Stokes has then one term."""
    assert slide_negative_binomial.population_classes({1: unique}, f) == pytest.approx(unique / f)


# The worst samples


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_with_nobody_unique_in_the_sample_nobody_is_expected_to_be(model: PopulationModel) -> None:
    for counts in ({5: 1}, {2: 10}, {1_000_000: 1}):
        found = model.of(sizes_of(counts), 10**8)
        assert (found.value, found.caveat) == (0, NOBODY)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_the_whole_population_is_counted(model: PopulationModel) -> None:
    assert model.of(sizes_of({1: 3, 2: 4}), 11) == Estimate(3, 3, 3, COUNTED)
    assert model.of(sizes_of({1: 1}), 1) == Estimate(1, 1, 1, COUNTED)


def test_one_record_or_uniques_only_say_nothing_of_how_large_classes_become() -> None:
    for unique in (1, 10, 10_000):
        sizes = sizes_of({1: unique})
        assert Zayatz().of(sizes, 10**6).value == pytest.approx(10**6)
        for model in (Pitman(), SlideNegativeBinomial()):
            found = model.of(sizes, 10**6)
            assert found.value is None
            assert found.highest == 10**6
            assert found.caveat
        assert Dankar().choice(sizes, 10**6)[0] == "zayatz"
        assert Dankar().of(sizes, 10**6).value == pytest.approx(10**6)


def test_classes_that_overlap_have_no_estimate() -> None:
    found = Zayatz().of(Sizes(((1, 1, 1), (3, 2, 2)), overlapping=3, risk=0.5), 10)
    assert found == Estimate(None, caveat=OVERLAP)


def test_an_answer_beyond_what_is_possible_is_cut_and_says_so() -> None:
    """Pitman fits the sample roughly; one more person can change the number of uniques by one at most."""
    found = Pitman().of(sizes_of({1: 600, 2: 10, 30: 10}), 921)
    assert found.value in (found.lowest, found.highest)
    assert found.caveat.endswith(CUT)


def test_a_population_smaller_than_the_sample_is_an_error_that_says_both_sizes() -> None:
    with pytest.raises(PolicyError, match="The population has 9 members and the sample 10"):
        Zayatz().of(sizes_of({1: 10}), 9)
    with pytest.raises(PolicyError, match="The population has 9 members and the sample 10"):
        Population(size=9).members(10)


def test_every_model_has_an_answer_for_millions_of_records() -> None:
    zipf = {size: max(1, 600_000 // size**2) for size in range(1, 700)} | {300_000: 1}
    assert sample_size(sizes_of(zipf)) > 4_000_000
    found = estimates(sizes_of(zipf), 317_238_626)
    assert all(estimate.value is not None and isfinite(estimate.value) for estimate in found.values())


@pytest.mark.parametrize("population", [10**7, 10**12, 10**15])
def test_nothing_overflows_in_a_huge_population(population: int) -> None:
    for counts in ({1: 3, 2: 1}, {1: 1_000_000, 2: 1}, {1: 1, 2: 1, 3_000_000: 1}):
        for model in MODELS:
            found = model.of(sizes_of(counts), population)
            assert found.value is None or 0 <= found.value <= population


# The rule


@pytest.mark.parametrize(
    ("small", "pitman_says", "slide_says", "taken"),
    [
        (True, 5.0, 1.0, "pitman"),
        (True, 50.0, 1.0, "pitman"),
        (True, None, 1.0, "zayatz"),
        (False, 1.0, 9.0, "slide_negative_binomial"),
        (False, 1.0, 11.0, "zayatz"),
        (False, 1.0, None, "zayatz"),
    ],
)
def test_the_rule_takes_pitman_for_small_samples_and_the_lower_of_the_others_for_large(
    small: bool, pitman_says: float | None, slide_says: float | None, taken: str
) -> None:
    says = {"pitman": pitman_says, "slide_negative_binomial": slide_says, "zayatz": 10.0}
    found = {name: Estimate(value) for name, value in says.items()}
    assert chosen(found, SampleSize.SMALL if small else SampleSize.LARGE) == (taken, found[taken])


def test_a_tenth_is_a_small_sample_and_a_person_more_is_not() -> None:
    sizes = sizes_of({1: 500, 2: 100, 5: 60})
    assert Dankar().choice(sizes, 10_000)[0] == "pitman"
    assert Dankar().choice(sizes, 9_999)[0] != "pitman"
    assert "pitman" in Dankar().of(sizes, 10_000).caveat


# Populations


@pytest.mark.parametrize("fraction", [0, -0.1, 1.0001, float("nan"), inf])
def test_a_fraction_is_above_0_and_at_most_1(fraction: float) -> None:
    with pytest.raises(PolicyError, match="above 0, and 1 at most"):
        Population(fraction=fraction)


@pytest.mark.parametrize("given_as", [{}, {"size": 5, "fraction": 0.5}, {"size": 5, "region": "usa"}])
def test_a_population_is_given_in_one_way(given_as: dict[str, int]) -> None:
    with pytest.raises(PolicyError, match="in one way"):
        Population(**given_as)


@pytest.mark.parametrize("size", [0, -1, True, 1.5])
def test_the_size_of_a_population_is_a_whole_number(size: int) -> None:
    with pytest.raises(PolicyError, match="whole number from 1 on"):
        Population(size=size)


def test_the_residents_of_a_region_are_said_with_their_source_and_year() -> None:
    assert all(each.source and 2010 < each.year < 2030 for each in residents_by_region().values())
    table = pa.table({"age": list(range(40)) * 2, "sex": ["f", "m"] * 40})
    told = sf.risk(table, quasi=["age", "sex"], region="Switzerland", uniques=0)
    assert told.document()["population"]["source"].endswith("2018")
    assert "8 516 543 (World Bank" in str(told)
    assert "source" not in sf.risk(table, quasi=["age", "sex"], population_size=900, uniques=0).document()["population"]


def test_a_region_is_known_by_its_name_in_any_case_and_a_wrong_one_is_an_error() -> None:
    assert Population(region="Germany").members(5) == residents_by_region()["germany"].number
    with pytest.raises(PolicyError, match="Did you mean 'germany'"):
        Population(region="Gernany")


def test_the_fraction_of_everybody_is_everybody() -> None:
    assert Population(fraction=1).members(7) == 7


def test_a_document_is_plain() -> None:
    found = Zayatz().of(sizes_of({1: 3, 2: 1}), 10)
    assert found.value == pytest.approx(4.378378, abs=1e-6)
    assert found.content().plain() == {"value": found.value, "lowest": 0.0, "highest": 8.0, "caveat": Zayatz.caveat}


# Roots


@given(st.floats(-50, 50), st.integers(1, 7).filter(lambda power: power % 2))
def test_a_root_between_two_ends_is_found_to_the_last_digits(where: float, power: int) -> None:
    found = root(lambda x: (x - where) ** power * exp(x / 10), -60, 70)
    assert found == pytest.approx(where, abs=1e-6 if power > 1 else 1e-12)


def test_a_step_has_its_root_at_the_step_and_ends_may_be_roots() -> None:
    assert root(lambda x: -1.0 if x < 0.3 else 1.0, 0, 1) == pytest.approx(0.3, abs=1e-15)
    assert root(lambda x: x, 0, 5) == 0
    assert root(lambda x: x - 5, 0, 5) == 5
    assert root(lambda x: 1e200 * (x - 1), -1e3, 1e3) == pytest.approx(1)


def test_every_region_is_found_by_its_own_name() -> None:
    known = residents_by_region()
    assert [name for name, people in known.items() if residents(name) != people] == []
