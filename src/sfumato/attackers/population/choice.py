"""The rule that says which population model to believe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.attackers.population.estimate import Estimate
from sfumato.attackers.population.model_interface import PopulationModel, sample_size
from sfumato.attackers.population.models.pitman import Pitman
from sfumato.attackers.population.models.slide_negative_binomial import SlideNegativeBinomial
from sfumato.attackers.population.models.zayatz import Zayatz
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
    stands in for a model that has no answer.

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
        found = estimates(sizes, population)
        return chosen(found, small=10 * sample_size(sizes) <= population)

    def expected(self, sizes: Sizes, population: int) -> tuple[float | None, str]:
        name, found = self.choice(sizes, population)
        return found.value, f"{self.caveat}: {name.replace('_', ' ')}. {found.caveat}"


def estimates(sizes: Sizes, population: int) -> dict[str, Estimate]:
    """What each model says, by its name."""
    models: tuple[PopulationModel, ...] = (Pitman(), SlideNegativeBinomial(), Zayatz())
    return {model.name(): model.of(sizes, population) for model in models}


def chosen(found: Mapping[str, Estimate], *, small: bool) -> tuple[str, Estimate]:
    """The estimate that the rule takes; `small` says whether the sample is at most a tenth of the population."""
    zayatz = Zayatz.name(), found[Zayatz.name()]
    other = (Pitman if small else SlideNegativeBinomial).name()
    value, usual = found[other].value, zayatz[1].value
    if value is None or (not small and usual is not None and usual <= value):
        return zayatz
    return other, found[other]
