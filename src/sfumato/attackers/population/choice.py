"""The rule that says which population model to believe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.attackers.catalogue import population_models
from sfumato.attackers.population.model_interface import Estimate, PopulationModel, SampleSize
from sfumato.privacy.sizes import Sizes


@dataclass(frozen=True)
class Dankar(PopulationModel):
    r"""Expected number of population uniques, by the model that does best at this sampling fraction.

    .. math::
        \hat S_1 = \begin{cases}
        \text{Pitman} & n / N \le 0.1 \\
        \min(\text{slide negative binomial}, \text{Zayatz}) & n / N > 0.1
        \end{cases}

    In simulations on six clinical data sets no model was good at every sampling fraction, and this choice was. Zayatz
    stands in for a model that has no answer. Each model says itself for which samples the rule takes it (`taken_for`).

    References
    ----------
    Dankar, El Emam, Neisa, Roffey (2012). Estimating the re-identification risk of clinical data sets. BMC Medical
    Informatics and Decision Making 12:66.

    Examples
    --------
    >>> sizes = Sizes(((1, 50, 50), (2, 10, 20), (5, 6, 30)))
    >>> Dankar().choice(sizes, 10_000)[0], Dankar().choice(sizes, 200)[0]
    ('pitman', 'slide_negative_binomial')
    """

    plainly = "the model that did best in simulations on clinical data at this sampling fraction"
    caveat = "Chosen by the rule of Dankar et al. (2012)"

    def choice(self, sizes: Sizes, population: int) -> tuple[str, Estimate]:
        """The name of the model that is chosen, and its estimate."""
        return chosen(estimates(sizes, population), SampleSize.of(sizes, population))

    def expected(self, sizes: Sizes, population: int) -> tuple[float | None, str]:
        name, estimate = self.choice(sizes, population)
        return estimate.value, f"{self.caveat}: {name.replace('_', ' ')}. {estimate.caveat}"


def estimates(sizes: Sizes, population: int) -> dict[str, Estimate]:
    """What each model says, by its name."""
    return {name: model().of(sizes, population) for name, model in population_models().items()}


def chosen(estimates_by_model: Mapping[str, Estimate], sample: SampleSize) -> tuple[str, Estimate]:
    """The estimate that the rule takes for a sample: the lowest of its models, and of equals that which stands in."""
    models = population_models()
    ranked = sorted(
        (estimate.value, not models[name].stands_in, name)
        for name, estimate in estimates_by_model.items()
        if sample in models[name].taken_for and estimate.value is not None
    )
    name = ranked[0][2] if ranked else next(name for name in estimates_by_model if models[name].stands_in)
    return name, estimates_by_model[name]
