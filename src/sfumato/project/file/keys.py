"""The keys that a project file may have, and what each may be."""

from __future__ import annotations

import codecs
import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from sfumato.errors import did_you_mean
from sfumato.project.file.attacker_keys import PopulationKeys, ScenarioKeys, SubsetKeys
from sfumato.project.file.context_keys import ContextKeys
from sfumato.project.file.search_keys import SearchKeys
from sfumato.schema import Missing, Role, Scale
from sfumato.tables.engine import Kind
from sfumato.tables.source import MISSING_TOKENS

ENCODINGS = ("utf-8", "utf-16", "cp1252", "cp1250", "cp850", "latin-1", "iso-8859-15", "ascii", "mac-roman")

Type = Literal["text", "integer", "real", "date", "timestamp", "boolean"]
Decimal = Literal[".", ","]

BOUNDS = ("at_least", "at_most")

OPTIONS: dict[str, tuple[str, ...]] = {
    "role": tuple(role.value for role in Role),
    "scale": tuple(scale.value for scale in Scale),
    "type": get_args(Type),
    "missing_values": tuple(missing.value for missing in Missing),
    "decimal": get_args(Decimal),
}


def meant(keys: Iterable[str], options: Iterable[str]) -> str:
    """The option nearest to any of these keys, as the end of a message; nothing when none is near."""
    near = (did_you_mean(key, options) for key in keys)
    return next((words for words in near if words.startswith(" Did you mean")), "")


def _wrong(words: str, key: str | int | None = None) -> PydanticCustomError:
    """An error in our own words, at one of the keys inside the thing that is checked."""
    return PydanticCustomError("wrong", "{words}", {"words": words, "key": key})


def _number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _wrong("expected a number.")
    return value


def _increasing(edges: list[int | float]) -> list[int | float]:
    for position, (lower, upper) in enumerate(pairwise(edges), start=1):
        if not lower < upper:
            raise _wrong("expected a number larger than the one before it: edges increase.", position)
    return edges


def _all_different(values: list[str]) -> list[str]:
    for position, value in enumerate(values):
        if value in values[:position]:
            raise _wrong("this value stands in the list already. Expected each value once.", position)
    return values


def _known_encoding(name: str) -> str:
    try:
        codecs.lookup(name)
    except (LookupError, ValueError):
        raise _wrong(f"expected the name of a character encoding.{did_you_mean(name, ENCODINGS)}") from None
    return name


Number = Annotated[int | float, PlainValidator(_number), WithJsonSchema({"type": "number"})]
# Read as written, so a number or a word that YAML would otherwise understand is welcome too.
Word = Annotated[str, WithJsonSchema({"type": ["string", "number", "boolean"]})]
ListedWord = Annotated[str, WithJsonSchema({"type": ["string", "number", "boolean", "null"]})]
Encoding = Annotated[str, AfterValidator(_known_encoding)]
Edges = Annotated[list[Number], Field(min_length=2), AfterValidator(_increasing)]
Order = Annotated[list[ListedWord], Field(min_length=2), AfterValidator(_all_different)]


def _key(description: str, *examples: Any, **limits: Any) -> Any:
    """A key that may be left out, or left empty."""
    return Field(None, description=description, examples=list(examples), **limits)


class Keys(BaseModel):
    """Keys and values of one part of the file; a key that is not listed is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class DataKeys(Keys):
    """Where the table is and how it is read. What is left out is detected."""

    model_config = ConfigDict(json_schema_extra={"not": {"required": ["table", "query"]}})

    source: str = Field(
        min_length=1,
        description="A file, a folder of Parquet files, or a database URL. A path is relative to this file.",
        examples=["patients.csv", "visits/", "postgresql://reader@db.example.org/study"],
    )
    table: Word | None = _key("The table of a database, or the sheet of a workbook.", "visits")
    query: str | None = _key("A SELECT, instead of a table.", "SELECT * FROM visits WHERE year = 2024")
    delimiter: str | None = _key("The character between two values of a line.", ";", "\t", min_length=1, max_length=1)
    encoding: Encoding | None = _key("The character encoding of a text file.", "utf-8", "cp1252")
    decimal: Decimal | None = _key("The decimal sign of numbers.", ",")
    missing_tokens: list[ListedWord] | None = _key(
        "Texts that mean that there is no value, as they are written: NULL is the text NULL.",
        list(MISSING_TOKENS),
    )

    @model_validator(mode="after")
    def _table_or_query(self) -> DataKeys:
        if self.table is not None and self.query is not None:
            raise _wrong("expected a table or a query, not both.", "query")
        return self


class ColumnKeys(Keys):
    """What one column means for privacy, and how coarsely it is read."""

    model_config = ConfigDict(
        json_schema_extra={
            "dependentRequired": {"level": ["hierarchy"]},
            "dependentSchemas": {"order": {"required": ["scale"], "properties": {"scale": {"const": "ordinal"}}}},
            "not": {"required": ["bins", "hierarchy"]},
        }
    )

    role: Role = Field(
        strict=False,
        description=(
            "direct: names one person by itself. quasi: names one person together with other columns. "
            "sensitive: what an attacker would like to learn. non-sensitive: none of these."
        ),
        examples=["quasi"],
    )
    proposed: bool | None = _key(
        "true: the role is a proposal of `sfumato init` or `sfumato identify`, which may propose another. "
        "Delete it once you have decided: a decision is never written over.",
        True,  # noqa: FBT003
    )
    scale: Scale | None = _key(
        "nominal: equal or not. ordinal: before or after. numeric: how far apart. date: days and times.",
        "numeric",
        strict=False,
    )
    type: Type | None = _key("What the values are read as. Left out: decided from the values.", "text")
    bins: Edges | None = _key("Edges, increasing: a number is read as the interval that it falls in.", [0, 6, 12, 18])
    order: Order | None = _key("The values of an ordinal column, lowest first.", ["low", "middle", "high"])
    hierarchy: str | None = _key(
        "A file with what each value becomes at each level. A path is relative to this file.",
        "postcode.csv",
        min_length=1,
    )
    level: int | None = _key("The level of the hierarchy at which the column is read; 0: as it is.", 2, ge=0)

    @model_validator(mode="after")
    def _keys_go_together(self) -> ColumnKeys:
        for key, clashes, words in self._clashes():
            if clashes and getattr(self, key) is not None:
                raise _wrong(words, key)
        return self

    def _clashes(self) -> Iterator[tuple[str, bool, str]]:
        numeric = self.scale in (None, Scale.NUMERIC)
        numbers = self.type is None or Kind(self.type).numeric
        yield "bins", not numeric, "bins need numbers. Expected `scale: numeric`, or no scale."
        yield "bins", not numbers, "bins need numbers. Expected `type: integer` or `type: real`, or no type."
        yield "hierarchy", self.bins is not None, "expected bins or a hierarchy, not both."
        yield "level", self.hierarchy is None, "a level is a level of a hierarchy. Add `hierarchy: FILE`."
        ordinal = self.scale is Scale.ORDINAL
        yield "order", not ordinal, "only an ordinal column has an order. Expected `scale: ordinal`."


class MeasureKeys(Keys):
    """One requirement: a measure, its bound, and its parameters, which are keys of its own."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"oneOf": [{"required": ["at_least"]}, {"required": ["at_most"]}]},
    )

    measure: str = Field(
        min_length=1,
        description="The name of a measure, such as k_anonymity.",
        examples=["k_anonymity", "t_closeness"],
    )
    at_least: Number | None = _key("The reading must not be lower. Exactly one bound is given.", 5)
    at_most: Number | None = _key("The reading must not be higher. Exactly one bound is given.", 0.3)

    @model_validator(mode="after")
    def _one_bound(self) -> MeasureKeys:
        if self.at_least is not None and self.at_most is not None:
            raise _wrong("expected at_least or at_most, not both.", "at_most")
        if self.at_least is None and self.at_most is None:
            raise _wrong(f"expected a bound: at_least or at_most.{meant(self.model_extra or {}, BOUNDS)}")
        return self


class ProjectKeys(Keys):
    """The project file of Sfumato: a table, what its columns mean, and what is required of it."""

    model_config = ConfigDict(title="sfumato.yaml")

    data: DataKeys | None = _key("Where the table is and how it is read.", {"source": "patients.csv"})
    engine: str | None = _key("Where the rows are held and counted: duckdb (default) or spark.", "duckdb", min_length=1)
    subject: Word | None = _key(
        "The column that says which person a record is about; classes then count persons.", "patient_id"
    )
    missing_values: Missing | None = _key(
        "How a missing quasi-identifier compares. own_value (default): missing equals missing. "
        "wildcard: it may be anything and equals everything. never_matches: it equals nothing.",
        "own_value",
        strict=False,
    )
    columns: dict[str, ColumnKeys] | None = _key(
        "The columns by name. A column that is not listed is non-sensitive.",
        {"age": {"role": "quasi", "scale": "numeric", "bins": [0, 6, 12, 18]}},
    )
    plan: dict[str, Any] | None = _key(
        "What is done to the table, in order: `seed` and `steps`. Read by `sfumato apply`.",
        {"seed": 1, "steps": [{"drop": {"columns": ["name"]}}]},
    )
    measures: list[MeasureKeys] | None = _key(
        "What is required: measures with their bounds.", [{"measure": "k_anonymity", "at_least": 5}]
    )
    anonymise: SearchKeys | None = _key(
        "How the release is searched. Read by `sfumato anonymise`.", {"suppress": 0.02, "objective": "loss"}
    )
    scenarios: list[ScenarioKeys] | None = _key(
        "What attackers may know. Read by `sfumato risk`.", [{"name": "neighbour", "columns": ["age", "sex"]}]
    )
    subsets: list[SubsetKeys] | None = _key(
        "Scenarios in which a condition is known too. Read by `sfumato risk`.",
        [{"name": "died", "columns": ["age"], "where": {"column": "outcome", "equals": "D"}, "mode": "subset"}],
    )
    population: PopulationKeys | None = _key(
        "The population of which the table is a sample. Read by `sfumato risk`.", {"fraction": 0.05}
    )
    context: ContextKeys | None = _key(
        "Why and for whom data are released: `sfumato context`.", {"purpose": "Research"}
    )
    preset: str | None = _key("What stands behind this file, by name: `sfumato presets`.", "ema_0070", min_length=1)
