"""What a configuration of the BIO-STREAMS risk service must look like, and what to say when it does not."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, TypeVar

from sfumato.errors import did_you_mean
from sfumato.studies.bio_streams.configuration import Bins, Configuration
from sfumato.studies.bio_streams.configuration_file import ConfigurationFile, KeyPath
from sfumato.studies.sdtm.combination import DEFAULT, UNINFORMATIVE, CombinationRules
from sfumato.studies.sdtm.domain import SUBJECT, IdRule, Naming, Pivot, Rule

Names = tuple[str, ...]
Choice = TypeVar("Choice", bound=StrEnum)
Made = TypeVar("Made", Pivot, IdRule)

ALIASES = {
    "k": "K", "l": "L", "ℓ": "L", "t": "T",
    "sensitive_binning_config_for_l": "sensitive_binning_config_for_L",
    "sensitive_binning_config_for_ℓ": "sensitive_binning_config_for_L",
}  # fmt: skip
REQUIRED = ("categorical_qis", "continuous_qis", "sensitive_feature", "K", "L", "T")
OPTIONAL = (
    "binning_config", "sensitive_binning_config_for_L", "sensitive_binning_config",
    "pivot", "drop_columns", "id_rule", "strict_bins", "separator", "missing_tokens",
)  # fmt: skip


def validate_config(config: ConfigurationFile | Mapping[str, Any]) -> Configuration:
    """Check that every required key is there and every value is of the kind it should be.

    >>> validate_config({"categorical_qis": ["DM__SEX"], "continuous_qis": [], "sensitive_feature": "LB__HDL",
    ...                  "K": 5, "ℓ": 2, "T": 30}).L
    2
    """
    document = config if isinstance(config, ConfigurationFile) else ConfigurationFile(dict(config))
    return _Checker(document, _keys(document)).configuration()


def _keys(document: ConfigurationFile) -> dict[str, str]:
    """How the file spells each key that it gives; an error for one that is unknown, missing or doubled."""
    if not isinstance(document.values, dict):
        raise document.wrong("expected a mapping of keys to values, such as `K: 5`.")
    spelled: dict[str, str] = {}
    for written in document.values:
        key = ALIASES.get(written, written)
        if key not in REQUIRED + OPTIONAL:
            raise document.wrong(
                f"there is no such key.{did_you_mean(str(written), REQUIRED + OPTIONAL)}", str(written)
            )
        if key in spelled:
            raise document.wrong(f"the same as {spelled[key]!r}, which is given as well. Remove one.", written)
        spelled[key] = written
    for key in REQUIRED:
        if key not in spelled:
            raise document.wrong(f"the key {key!r} is missing. {_why(key)}".strip())
    return spelled


def _why(key: str) -> str:
    unit = "It is the largest distance allowed, in the unit of the sensitive variable, so it has no default."
    return {"T": unit, "continuous_qis": "Write [] where there is none."}.get(key, "")


@dataclass(frozen=True)
class _Checker:
    """Reads each key of a document as what it should be, or says what it should have been."""

    document: ConfigurationFile
    spelled: Mapping[str, str]

    def configuration(self) -> Configuration:
        categorical, continuous = self.names("categorical_qis"), self.names("continuous_qis")
        sensitive = self.names("sensitive_feature")
        self.require_apart(categorical, continuous, sensitive)
        return Configuration(
            categorical, continuous, sensitive,
            K=self.count("K"), L=self.count("L"), T=self.distance("T"),
            binning_config=self.bins("binning_config", continuous, "continuous_qis"),
            sensitive_binning_config_for_L=self.bins("sensitive_binning_config_for_L", sensitive),
            sensitive_binning_config=self.bins("sensitive_binning_config", sensitive),
            combination=self.combination(),
            strict_bins=self.one_of_kind("strict_bins", bool, "true or false", default=False),
            separator=self.one_of_kind("separator", str, "text", default="--"),
            missing_tokens=self.tokens("missing_tokens"),
            document=self.document,
        )  # fmt: skip

    def get(self, key: str) -> Any:
        return self.document.values[self.spelled[key]] if key in self.spelled else None

    def expected(self, what: str, *place: str) -> Exception:
        spelled = self.spelled.get(place[0], place[0])
        return self.document.wrong(f"expected {what}.", spelled, *place[1:])

    def one_of_kind(self, key: str, kind: type[Any], what: str, *, default: Any) -> Any:
        value = self.get(key)
        if value is not None and not isinstance(value, kind):
            raise self.expected(what, key)
        return default if value is None else value

    def names(self, key: str) -> Names:
        """Column names: a list, or a single one; a missing list of columns must be written as []."""
        value = self.get(key)
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(name, str) and name for name in listed):
            raise self.expected("a column name, or a list of column names", key)
        if len(set(listed)) < len(listed):
            raise self.expected("each column once", key)
        return tuple(listed)

    def require_apart(self, categorical: Names, continuous: Names, sensitive: Names) -> None:
        if not categorical + continuous:
            raise self.expected("at least one quasi-identifier, here or in continuous_qis", "categorical_qis")
        if not sensitive:
            raise self.expected("at least one column", "sensitive_feature")
        for key, names, others in (
            ("continuous_qis", continuous, categorical),
            ("sensitive_feature", sensitive, categorical + continuous),
        ):
            both = [name for name in names if name in others]
            if both:
                raise self.expected(f"columns that are not quasi-identifiers already, but {both[0]!r} is one", key)

    def count(self, key: str) -> int:
        value = self.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.expected("a whole number of at least 1", key)
        return value

    def distance(self, key: str) -> float:
        value = self.get(key)
        if not _is_number(value) or value < 0:
            raise self.expected("a number of at least 0", key)
        return value  # type: ignore[no-any-return]

    def bins(self, key: str, columns: Names, among: str = "sensitive_feature") -> Bins:
        edges_by_column = self.mapping(key)
        for column, edges in edges_by_column.items():
            if column not in columns:
                nearest = did_you_mean(column, columns)
                problem = f"this column is not in {among}, so its bins would do nothing.{nearest}"
                raise self.document.wrong(problem, self.spelled[key], column)
            if not isinstance(edges, list) or len(edges) < 2 or not all(map(_is_number, edges)):
                raise self.expected("a list of at least two numbers, the edges of the bins", key, column)
            if any(high <= low for low, high in pairwise(edges)):
                raise self.expected("edges that increase from one to the next", key, column)
        return {column: tuple(edges) for column, edges in edges_by_column.items()}

    def mapping(self, key: str) -> dict[str, Any]:
        value = self.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
            raise self.expected("a mapping of names to settings", key)
        return value

    def combination(self) -> CombinationRules:
        dropped = self.tokens("drop_columns")
        if dropped and SUBJECT in map(str.upper, dropped):
            raise self.expected(f"columns other than {SUBJECT}, by which the domains are joined", "drop_columns")
        return CombinationRules(
            pivots=self.by_domain("pivot", ("rule", "name", "value"), self.pivot),
            id_rules=self.by_domain("id_rule", ("column", "pattern", "replacement"), self.id_rule),
            drop_columns=UNINFORMATIVE if dropped is None else dropped,
        )

    def by_domain(self, key: str, parts: Names, read: Callable[[KeyPath, dict[str, Any]], Made]) -> dict[str, Made]:
        """A setting for each domain and a default, or one setting for all of them."""
        mapping = self.mapping(key)
        if any(part in mapping for part in parts):
            return {DEFAULT: self.part(mapping, parts, read, key)}
        return {
            domain if domain == DEFAULT else domain.upper(): self.part(settings, parts, read, key, domain)
            for domain, settings in mapping.items()
        }

    def part(self, settings: Any, parts: Names, read: Callable[[KeyPath, dict[str, Any]], Made], *place: str) -> Made:
        if not isinstance(settings, dict):
            raise self.expected(f"a mapping with {', '.join(parts)}", *place)
        for name, value in settings.items():
            if name not in parts:
                raise self.document.wrong(f"there is no such key.{did_you_mean(str(name), parts)}", *place, str(name))
            if not isinstance(value, str):
                raise self.expected("text", *place, name)
        return read(place, settings)

    def pivot(self, place: KeyPath, settings: dict[str, Any]) -> Pivot:
        rule = self.choice(Rule, settings.get("rule", Rule.BASELINE), *place, "rule")
        name = self.choice(Naming, settings.get("name", Naming.TEST), *place, "name")
        return Pivot(rule, name, settings.get("value"))

    def choice(self, options: type[Choice], value: str, *place: str) -> Choice:
        if value not in [*options]:
            raise self.document.wrong(
                f"there is no such choice.{did_you_mean(value, [str(o) for o in options])}", *place
            )
        return options(value)

    def id_rule(self, place: KeyPath, settings: dict[str, Any]) -> IdRule:
        if "pattern" not in settings:
            raise self.expected("a `pattern`, the regular expression of what is replaced", *place)
        return IdRule(settings["pattern"], settings.get("replacement", ""), settings.get("column", SUBJECT))

    def tokens(self, key: str) -> Names | None:
        value = self.get(key)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
            raise self.expected("a list of texts (put numbers in quotes)", key)
        return tuple(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
