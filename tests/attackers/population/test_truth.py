"""The estimates against the truth: samples of populations in which the uniques can be counted."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato.attackers.population.choice import Dankar
from sfumato.attackers.population.model_interface import PopulationModel
from sfumato.attackers.population.models.pitman import Pitman
from sfumato.attackers.population.models.slide_negative_binomial import SlideNegativeBinomial
from sfumato.attackers.population.models.zayatz import Zayatz
from sfumato.privacy.sizes import Sizes

SAMPLES = 12
Labels = np.ndarray[Any, np.dtype[np.int64]]


def sizes_of(labels: Labels) -> Sizes:
    counts = Counter(np.unique(labels, return_counts=True)[1].tolist())
    return Sizes(tuple((size, number, size * number) for size, number in sorted(counts.items())))


def relative(model: PopulationModel, population: Labels, fraction: float) -> float:
    """The mean estimate from samples without replacement, over the number of uniques that there are."""
    n, found = round(len(population) * fraction), []
    for seed in range(SAMPLES):
        sample = np.random.default_rng(seed).choice(population, n, replace=False)
        value = model.of(sizes_of(sample), len(population)).value
        assert value is not None
        found.append(value)
    return float(np.mean(found)) / sizes_of(population).singletons


def slid(classes: int, alpha: float, beta: float) -> Labels:
    """A population whose class sizes less one are negative binomial."""
    sizes = 1 + np.random.default_rng(0).negative_binomial(alpha, beta, classes)
    return np.repeat(np.arange(classes), sizes)


def urn(people: int, theta: float, alpha: float) -> Labels:
    """A population that grows as Pitman's does: whoever joins picks somebody, and goes elsewhere at times."""
    chance = np.random.default_rng(1)
    labels, sizes = np.zeros(people, dtype=np.int64), [1]
    for m in range(1, people):
        if chance.random() * (theta + m) < theta + alpha * len(sizes):
            labels[m] = len(sizes)
            sizes.append(1)
            continue
        picked = labels[chance.integers(m)]
        while chance.random() < alpha / sizes[picked]:
            picked = labels[chance.integers(m)]
        labels[m] = picked
        sizes[picked] += 1
    return labels


@pytest.fixture(scope="module")
def census(shared: Path) -> dict[str, Labels]:
    """The classes of the census table, with and without the occupation."""
    with (shared / "data" / "adult" / "adult.csv").open(encoding="utf-8", newline="") as file:
        header, *records = list(csv.reader(file, delimiter=";"))
    occupation = header.index("occupation")
    fewer = [tuple(value for i, value in enumerate(record) if i != occupation) for record in records]
    found = {}
    for name, keys in (("nine", [tuple(record) for record in records]), ("eight", fewer)):
        numbers: dict[tuple[str, ...], int] = {}
        found[name] = np.array([numbers.setdefault(key, len(numbers)) for key in keys])
    return found


@pytest.mark.parametrize("columns", ["nine", "eight"])
@pytest.mark.parametrize(("fraction", "within"), [(0.05, 0.1), (0.1, 0.1), (0.3, 0.08), (0.5, 0.03), (0.8, 0.01)])
def test_the_rule_of_dankar_is_near_the_uniques_of_the_census(
    census: dict[str, Labels], columns: str, fraction: float, within: float
) -> None:
    """15,512 of 30,162 are unique on nine columns, and 8,841 on eight."""
    assert relative(Dankar(), census[columns], fraction) == pytest.approx(1, abs=within)


@pytest.mark.parametrize("columns", ["nine", "eight"])
def test_zayatz_is_too_high_for_a_small_sample_of_the_census_as_its_caveat_says(
    census: dict[str, Labels], columns: str
) -> None:
    assert relative(Zayatz(), census[columns], 0.05) > 1.5
    assert relative(Zayatz(), census[columns], 0.8) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(("fraction", "within"), [(0.05, 0.1), (0.1, 0.05), (0.5, 0.02)])
def test_pitman_finds_the_uniques_of_a_population_that_is_as_it_assumes(fraction: float, within: float) -> None:
    assert relative(Pitman(), urn(20_000, theta=50, alpha=0.6), fraction) == pytest.approx(1, abs=within)


@pytest.mark.parametrize(("alpha", "beta", "fraction"), [(1, 0.5, 0.5), (1, 0.5, 0.8), (0.3, 0.05, 0.3)])
def test_the_slide_negative_binomial_finds_the_uniques_of_a_population_that_is_as_it_assumes(
    alpha: float, beta: float, fraction: float
) -> None:
    population = slid(10_000, alpha, beta)
    assert relative(SlideNegativeBinomial(), population, fraction) == pytest.approx(1, abs=0.05)
    assert abs(relative(Pitman(), population, fraction) - 1) > 0.1


@pytest.mark.parametrize("model", [Zayatz(), Pitman(), SlideNegativeBinomial()], ids=repr)
def test_the_larger_the_sample_the_nearer_the_estimate(model: PopulationModel) -> None:
    population = slid(5_000, 0.8, 0.3)
    errors = [abs(relative(model, population, fraction) - 1) for fraction in (0.05, 0.5, 0.999)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.02
