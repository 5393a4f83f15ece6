"""The keys that a project file may have, and what each may be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)
from pydantic.config import JsonDict
from pydantic_core import PydanticKnownError

from sfumato.errors import SchemaError, did_you_mean
from sfumato.project.file.context_keys import ContextKeys
from sfumato.project.file.key_model import Day, FileKeys, optional_key, wrong
from sfumato.project.file.search_keys import SearchKeys
from sfumato.project.file.selection import SelectionKeys
from sfumato.schema import NO_ROLE, Missing, Role, Scale
from sfumato.tables.engine import Kind
from sfumato.tables.read.date_format import DateFormat
from sfumato.tables.source import MISSING_TOKENS

ENCODINGS = ("utf-8", "utf-16", "cp1252", "cp1250", "cp850", "latin-1", "iso-8859-15", "ascii", "mac-roman")

Type = Literal["text", "integer", "real", "date", "timestamp", "boolean"]
Decimal = Literal[".", ","]

BOUNDS = ("at_least", "at_most")

OPTIONS: dict[str, tuple[str, ...]] = {
    "role": (*(role.value for role in Role), NO_ROLE),
    "scale": tuple(scale.value for scale in Scale),
    "type": get_args(Type),
    "missing_values": tuple(missing.value for missing in Missing),
    "decimal": get_args(Decimal),
}


def meant(keys: Iterable[str], options: Iterable[str]) -> str:
    """The option nearest to any of these keys, as the end of a message; nothing when none is near."""
    near = (did_you_mean(key, options) for key in keys)
    return next((words for words in near if words.startswith(" Did you mean")), "")


def _number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise wrong("expected a number.")
    return value


def _role(value: Any) -> Role | None:
    """A role, or None where the file says that it is undecided."""
    if isinstance(value, str) and value in OPTIONS["role"]:
        return None if value == NO_ROLE else Role(value)
    raise PydanticKnownError("enum", {"expected": ", ".join(OPTIONS["role"])})


def _increasing(edges: list[int | float]) -> list[int | float]:
    for position, (lower, upper) in enumerate(pairwise(edges), start=1):
        if not lower < upper:
            raise wrong("expected a number larger than the one before it: edges increase.", position)
    return edges


def _all_different(values: list[str]) -> list[str]:
    for position, value in enumerate(values):
        if value in values[:position]:
            raise wrong("this value stands in the list already. Expected each value once.", position)
    return values


def _path(text: str) -> str:
    if "\0" in text:
        raise wrong("expected a path, and no path holds the character U+0000.")
    return text


def _known_encoding(name: str) -> str:
    try:
        "".encode(name)  # which refuses codecs that are no encodings of text, such as zip
    except (LookupError, ValueError):
        raise wrong(f"expected the name of a character encoding.{did_you_mean(name, ENCODINGS)}") from None
    return name


def _known_format(text: str) -> str:
    try:
        DateFormat.of(text)
    except SchemaError as error:
        raise wrong(str(error)) from None
    return text


Number = Annotated[int | float, PlainValidator(_number), WithJsonSchema({"type": "number"})]
ColumnRole = Annotated[
    Role | None, PlainValidator(_role), WithJsonSchema({"type": "string", "enum": list(OPTIONS["role"])})
]
# Read as written, so a number or a word that YAML would otherwise understand is welcome too.
Word = Annotated[str, WithJsonSchema({"type": ["string", "number", "boolean"]})]
ListedWord = Annotated[str, WithJsonSchema({"type": ["string", "number", "boolean", "null"]})]
PathText = Annotated[str, AfterValidator(_path)]
Encoding = Annotated[str, AfterValidator(_known_encoding)]
Edges = Annotated[list[Number], Field(min_length=2), AfterValidator(_increasing)]
Order = Annotated[list[ListedWord], Field(min_length=2), AfterValidator(_all_different)]


HEADERS = (True, False)  # examples


class DataKeys(FileKeys):
    """Where the table is and how it is read. What is left out is detected."""

    model_config = ConfigDict(json_schema_extra={"not": {"required": ["table", "query"]}})

    source: PathText = Field(
        min_length=1,
        description="A file, a folder of Parquet files, or a database URL. A path is relative to this file.",
        examples=["patients.csv", "visits/", "postgresql://reader@db.example.org/study"],
    )
    table: Word | None = optional_key(
        "The table of a database, or the sheet of a workbook; '*' is all sheets of one shape.", "visits", "*"
    )
    query: str | None = optional_key("A SELECT, instead of a table.", "SELECT * FROM visits WHERE year = 2024")
    delimiter: str | None = optional_key(
        "The character between two values of a line.", ";", "\t", min_length=1, max_length=1
    )
    encoding: Encoding | None = optional_key("The character encoding of a text file.", "utf-8", "cp1252")
    decimal: Decimal | None = optional_key("The decimal sign of numbers.", ",")
    header: bool | None = optional_key("Whether the first line of a text file names the columns.", *HEADERS)
    missing_tokens: list[ListedWord] | None = optional_key(
        "Texts that mean that there is no value, as they are written: NULL is the text NULL.",
        list(MISSING_TOKENS),
    )
    also_missing: list[ListedWord] | None = optional_key("Further such texts, beside the usual ones.", ["?", "unknown"])

    @model_validator(mode="after")
    def _table_or_query(self) -> DataKeys:
        if self.table is not None and self.query is not None:
            raise wrong("expected a table or a query, not both.", "query")
        return self


# Of what is proposed or undecided nobody has decided.
DECIDED: JsonDict = {
    "properties": {"proposed": {"enum": [False, None]}, "role": {"enum": [role.value for role in Role]}}
}


class ColumnKeys(FileKeys):
    """What one column means for privacy, and how coarsely it is read."""

    model_config = ConfigDict(
        json_schema_extra={
            "dependentRequired": {"level": ["hierarchy"]},
            "dependentSchemas": {
                "order": {"required": ["scale"], "properties": {"scale": {"const": "ordinal"}}},
                "decided_by": DECIDED,
                "decided_on": DECIDED,
            },
            "not": {"required": ["bins", "hierarchy"]},
        }
    )

    role: ColumnRole = Field(
        description=(
            "direct: names one person by itself. quasi: names one person together with other columns. "
            "sensitive: what an attacker would like to learn. non-sensitive: none of these. "
            "undecided: nobody knows yet, and the column is not released."
        ),
        examples=["quasi"],
    )
    proposed: bool | None = optional_key(
        "true: the role is a proposal of `sfumato init` or `sfumato identify`, which may propose another. "
        "`sfumato confirm` asks about each, or delete it once you have decided: a decision is never written over.",
        True,  # noqa: FBT003
    )
    decided_by: str | None = optional_key(
        "Who decided on the role. Written by `sfumato confirm`.", "J. Doe", min_length=1
    )
    decided_on: Day | None = optional_key(
        "When: a day, or a moment, as ISO 8601 writes it. Written by `sfumato confirm`.",
        "2026-05-31",
        "2026-05-31T14:05:00+02:00",
    )
    reason: str | None = optional_key(
        "Why the column has this role, or why that is still open. Stays with you: it is not handed on.",
        "The field is filled in by nurses, and may hold names.",
    )
    scale: Scale | None = optional_key(
        "nominal: equal or not. ordinal: before or after. numeric: how far apart. date: days and times.",
        "numeric",
        strict=False,
    )
    type: Type | None = optional_key("What the values are read as. Left out: decided from the values.", "text")
    date_format: Annotated[str, AfterValidator(_known_format)] | None = optional_key(
        "How its dates are written: %d, %m or %b (Feb), %Y or %y, and perhaps %H, %M and %S. Years of two digits need "
        "their hundred years: from 1927 is 1927 to 2026.",
        "%d/%m/%Y",
        "%d-%b-%y from 1927",
    )
    also_missing: list[ListedWord] | None = optional_key(
        "Texts that mean that there is no value in this column, beside those of the table.", ["-99"]
    )
    bins: Edges | None = optional_key(
        "Edges, increasing: a number is read as the interval that it falls in.", [0, 6, 12, 18]
    )
    order: Order | None = optional_key("The values of an ordinal column, lowest first.", ["low", "middle", "high"])
    hierarchy: PathText | None = optional_key(
        "A file with what each value becomes at each level. A path is relative to this file.",
        "postcode.csv",
        min_length=1,
    )
    level: int | None = optional_key("The level of the hierarchy at which the column is read; 0: as it is.", 2, ge=0)

    @model_validator(mode="after")
    def _keys_go_together(self) -> ColumnKeys:
        for key, clashes, words in self._clashes():
            if clashes and getattr(self, key) is not None:
                raise wrong(words, key)
        return self

    def _clashes(self) -> Iterator[tuple[str, bool, str]]:
        numeric = self.scale in (None, Scale.NUMERIC)
        numbers = self.type is None or Kind(self.type).numeric
        yield "bins", not numeric, "bins need numbers. Expected `scale: numeric`, or no scale."
        yield "bins", not numbers, "bins need numbers. Expected `type: integer` or `type: real`, or no type."
        yield "hierarchy", self.bins is not None, "expected bins or a hierarchy, not both."
        yield "level", self.hierarchy is None, "a level is a level of a hierarchy. Add `hierarchy: FILE`."
        ordinal = self.scale is Scale.ORDINAL
        nobody = bool(self.proposed) or self.role is None
        for key in ("decided_by", "decided_on"):
            yield key, nobody, "nobody has decided, where a role is proposed or undecided. Delete one of the two."
        yield "order", not ordinal, "only an ordinal column has an order. Expected `scale: ordinal`."


class MeasureKeys(FileKeys):
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
    at_least: Number | None = optional_key("The reading must not be lower. Exactly one bound is given.", 5)
    at_most: Number | None = optional_key("The reading must not be higher. Exactly one bound is given.", 0.3)

    @model_validator(mode="after")
    def _one_bound(self) -> MeasureKeys:
        if self.at_least is not None and self.at_most is not None:
            raise wrong("expected at_least or at_most, not both.", "at_most")
        if self.at_least is None and self.at_most is None:
            raise wrong(f"expected a bound: at_least or at_most.{meant(self.model_extra or {}, BOUNDS)}")
        return self


class ScenarioKeys(FileKeys):
    """What an attacker may know of a person: some columns."""

    name: str = Field(min_length=1, description="What the scenario is called.", examples=["neighbour"])
    columns: list[str] = Field(min_length=1, description="The columns that are known.", examples=[["age", "sex"]])


class SubsetKeys(ScenarioKeys):
    """A scenario in which it is also known whether a condition holds."""

    where: dict[str, Any] = Field(
        description="The condition, as in a plan.", examples=[{"column": "outcome", "equals": "died"}]
    )
    mode: Literal["subset", "as_qi"] | None = Field(
        None,
        description="subset (default): the attacker is certain of it. as_qi: it is one more quasi-identifier.",
        examples=["subset"],
    )


class PopulationKeys(FileKeys):
    """The population of which the table is a sample: one of these."""

    fraction: float | None = Field(None, description="The share of it that is in the table.", examples=[0.05])
    size: int | None = Field(None, description="How many people it has.", examples=[1_200_000])
    region: str | None = Field(None, description="The country whose residents it is.", examples=["netherlands"])
    table: str | None = Field(
        None, description="A table of it with the same quasi-identifiers.", examples=["register.parquet"]
    )


class ProjectKeys(FileKeys):
    """The project file of Sfumato: a table, what its columns mean, and what is required of it."""

    model_config = ConfigDict(title="sfumato.yaml")

    data: DataKeys | None = optional_key("Where the table is and how it is read.", {"source": "patients.csv"})
    engine: str | None = optional_key(
        "Where the rows are held and counted: duckdb (default) or spark.", "duckdb", min_length=1
    )
    subject: Word | None = optional_key(
        "The column that says which person a record is about; classes then count persons.", "patient_id"
    )
    missing_values: Missing | None = optional_key(
        "How a missing quasi-identifier compares. own_value (default): missing equals missing. "
        "wildcard: it may be anything and equals everything. never_matches: it equals nothing.",
        "own_value",
        strict=False,
    )
    columns: dict[str, ColumnKeys] | None = optional_key(
        "The columns by name. A column that is not listed is undecided.",
        {"age": {"role": "quasi", "scale": "numeric", "bins": [0, 6, 12, 18]}},
    )
    selection: SelectionKeys | None = optional_key(
        "The quasi-identifiers that the grade of the recipient selects. Written by `sfumato identify --recipient FILE "
        "--write`.",
        {"grade": "Middle", "threshold": 0.5, "final": [{"column": "age", "score": 0.6667}], "below": []},
    )
    plan: dict[str, Any] | None = optional_key(
        "What is done to the table, in order: `steps`. Read by `sfumato apply`.",
        {"steps": [{"drop": {"columns": ["name"]}}]},
    )
    measures: list[MeasureKeys] | None = optional_key(
        "What is required: measures with their bounds.", [{"measure": "k_anonymity", "at_least": 5}]
    )
    anonymise: SearchKeys | None = optional_key(
        "How the release is searched. Read by `sfumato anonymise`.", {"suppress": 0.02, "objective": "loss"}
    )
    scenarios: list[ScenarioKeys] | None = optional_key(
        "What attackers may know. Read by `sfumato risk`.", [{"name": "neighbour", "columns": ["age", "sex"]}]
    )
    subsets: list[SubsetKeys] | None = optional_key(
        "Scenarios in which a condition is known too. Read by `sfumato risk`.",
        [{"name": "died", "columns": ["age"], "where": {"column": "outcome", "equals": "D"}, "mode": "subset"}],
    )
    population: PopulationKeys | None = optional_key(
        "The population of which the table is a sample. Read by `sfumato risk`.", {"fraction": 0.05}
    )
    context: ContextKeys | None = optional_key(
        "Why and for whom data are released: `sfumato context`.", {"purpose": "Research"}
    )
    preset: str | None = optional_key(
        "What stands behind this file, by name: `sfumato presets`.", "ema_0070", min_length=1
    )
