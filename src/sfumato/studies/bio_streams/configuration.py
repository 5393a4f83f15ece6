"""The configuration of the BIO-STREAMS risk service, with its own keys, and what we added to them.

Reference: BIO-STREAMS deliverable D4.2 (2025), section 2.2 and appendix A.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sfumato.errors import did_you_mean
from sfumato.studies.bio_streams.configuration_file import ConfigurationFile
from sfumato.studies.sdtm.combination import CombinationRules

Bins = Mapping[str, tuple[float, ...]]
BINNED = ("binning_config", "sensitive_binning_config_for_L", "sensitive_binning_config")  # keys that give edges


@dataclass(frozen=True)
class Configuration:
    """Which columns identify, which are sensitive, how they are binned, what k, l and t must be."""

    categorical_qis: tuple[str, ...]
    continuous_qis: tuple[str, ...]
    sensitive_features: tuple[str, ...]
    K: int
    L: int
    T: float  # in the unit of the sensitive variable where that is a number
    binning_config: Bins = field(default_factory=dict)
    sensitive_binning_config_for_L: Bins = field(default_factory=dict)
    sensitive_binning_config: Bins = field(default_factory=dict)  # t then compares bins, not numbers
    closeness: Mapping[str, str] = field(default_factory=dict)  # the measure of t by column, where a project names it
    combination: CombinationRules = field(default_factory=CombinationRules)
    strict_bins: bool = False  # a value outside the edges is an error, not a bin of its own
    separator: str = "--"
    missing_tokens: tuple[str, ...] | None = None
    document: ConfigurationFile = field(default_factory=lambda: ConfigurationFile({}), repr=False, compare=False)

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """Every quasi-identifier, in the order of the files that list records."""
        return self.categorical_qis + self.continuous_qis

    def require_columns(self, available: Iterable[str]) -> None:
        """Refuse a configuration that names columns which the combined table does not have."""
        columns = list(available)
        named = {
            "categorical_qis": self.categorical_qis,
            "continuous_qis": self.continuous_qis,
            "sensitive_feature": self.sensitive_features,
        }
        for key, wanted in named.items():
            for column in wanted:
                if column not in columns:
                    problem = f"there is no column {column!r} in the combined table.{did_you_mean(column, columns)}"
                    raise self.document.wrong(problem, key)


PUBLISHED = Configuration(
    categorical_qis=("DM__SEX", "SC__Country of Permanent Address", "SC__District of Permanent Address"),
    continuous_qis=("DM__AGE", "VS__BMI"),
    sensitive_features=("LB__Cholesterol",),
    K=5,
    L=5,
    T=30,
    binning_config={"DM__AGE": (0, 6, 12, 18), "VS__BMI": (0, 20, 30, 40)},
    sensitive_binning_config_for_L={"LB__Cholesterol": (100, 150, 200, 250)},
    document=ConfigurationFile({}, "the published example"),
)
