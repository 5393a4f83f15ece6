"""The main table of every result: a row for each thing that a person would sort, count or filter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from typing import Any

from sfumato.show.document import Document, plain_value
from sfumato.show.documents.anonymisation import AnonymisationDocument
from sfumato.show.documents.assessment import AssessmentDocument
from sfumato.show.documents.confirmation import ConfirmationDocument
from sfumato.show.documents.context import ContextDocument
from sfumato.show.documents.dimension import DimensionsDocument
from sfumato.show.documents.evaluation import EvaluationDocument
from sfumato.show.documents.explanation import ExplanationDocument, SuppressionBiasDocument
from sfumato.show.documents.exposure import ExposureDocument
from sfumato.show.documents.frontier import FrontierDocument
from sfumato.show.documents.hierarchy import HierarchyDocument
from sfumato.show.documents.identification import IdentificationDocument, IdentificationsDocument
from sfumato.show.documents.losses import LossesDocument
from sfumato.show.documents.recipient import RecipientDocument
from sfumato.show.documents.report import ReportDocument
from sfumato.show.documents.safe_harbor import SafeHarborDocument
from sfumato.show.documents.tabulation import TabulationDocument
from sfumato.show.documents.triage import TriageDocument
from sfumato.show.documents.use_log import LogDocument
from sfumato.show.documents.verified import VerifiedDocument

TableRow = Mapping[str, Any]


def framed(rows: Sequence[TableRow]) -> Any:
    """Rows as a pandas frame, or as an Arrow table where pandas is not installed."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    columns = {key: [row.get(key) for row in rows] for key in keys}
    try:
        import pandas as pd
    except ImportError:
        import pyarrow as pa

        return pa.table(columns)
    return pd.DataFrame(columns)


def _rows(parts: Iterable[Document | Mapping[str, Any]]) -> list[TableRow]:
    """A row for each part: lists as one text, and what is inside of a part under both names."""
    return [dict(_flat(part.plain() if isinstance(part, Document) else plain_value(part))) for part in parts]


def _flat(row: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    for key, value in row.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        elif isinstance(value, list | tuple):
            yield f"{before}{key}", ", ".join(map(_word, value))
        else:
            yield f"{before}{key}", value


def _word(part: Any) -> str:
    """One part of a list: by its name, where it has one."""
    return str(part.get("name", part) if isinstance(part, Mapping) else part)


@singledispatch
def main_table(document: Document) -> list[TableRow]:
    """The main table of a document; of one that has no other, everything as one row."""
    return _rows([document])


@main_table.register
def _(document: AssessmentDocument) -> list[TableRow]:
    return _rows(document.readings)


@main_table.register
def _(document: AnonymisationDocument) -> list[TableRow]:
    return _rows(document.readings)


@main_table.register
def _(document: IdentificationDocument) -> list[TableRow]:
    said = [" ".join(finding.sentence for finding in column.evidence) for column in document.columns]
    columns = [{**column.plain(), "evidence": words} for column, words in zip(document.columns, said, strict=True)]
    return _rows(columns)


@main_table.register
def _(document: IdentificationsDocument) -> list[TableRow]:
    return [{"table": table.name, **row} for table in document.tables for row in main_table(table.identification)]


@main_table.register
def _(document: ConfirmationDocument) -> list[TableRow]:
    return _rows([*document.decided, *document.open])


@main_table.register
def _(document: ExposureDocument) -> list[TableRow]:
    return _rows((*document.scenarios, *document.subsets))


@main_table.register
def _(document: FrontierDocument) -> list[TableRow]:
    return _rows(document.points)


@main_table.register
def _(document: DimensionsDocument) -> list[TableRow]:
    return _rows(document.candidates)


@main_table.register
def _(document: EvaluationDocument) -> list[TableRow]:
    return _rows(document.readings)


@main_table.register
def _(document: ExplanationDocument) -> list[TableRow]:
    return _rows(document.columns)


@main_table.register
def _(document: SuppressionBiasDocument) -> list[TableRow]:
    return [{"column": each.column, **row} for each in document.columns for row in _rows(each.groups)]


@main_table.register
def _(document: RecipientDocument) -> list[TableRow]:
    scores = ("linkage", "reidentifiability", "understanding", "average")
    return [{"score": score, "points": float(getattr(document, score))} for score in scores]


@main_table.register
def _(document: ContextDocument) -> list[TableRow]:
    lists = (*document.five_safes, document.impact_assessment)
    return [{"checklist": each.title, **row} for each in lists for row in _rows(each.controls)]


@main_table.register
def _(document: HierarchyDocument) -> list[TableRow]:
    names = ["value", *(f"level {level}" for level in range(1, document.height + 1))]
    return [{**dict(zip(names, line.labels, strict=True)), "records": line.records} for line in document.lines]


@main_table.register
def _(document: ReportDocument) -> list[TableRow]:
    return _rows(document.glance)


@main_table.register
def _(document: VerifiedDocument) -> list[TableRow]:
    texts = [{"said": str(claim.said), "found": str(claim.found)} for claim in document.claims]
    return _rows({**claim.plain(), **text} for claim, text in zip(document.claims, texts, strict=True))


@main_table.register
def _(document: TriageDocument) -> list[TableRow]:
    return _rows(document.tables)


@main_table.register
def _(document: LogDocument) -> list[TableRow]:
    return _rows(document.uses)


@main_table.register
def _(document: SafeHarborDocument) -> list[TableRow]:
    return [
        {
            "item": item.item,
            "identifier": item.identifier,
            "passed": item.passed,
            "columns": ", ".join(column.name for column in item.columns),
            "left": ", ".join(item.left),
            "open": ", ".join(column.name for column in item.open),
        }
        for item in document.items
    ]


@main_table.register
def _(document: LossesDocument) -> list[TableRow]:
    """A row for each utility model: its total, and what it reads for each column, from 0 to 1."""
    return [
        {
            "model": model,
            "value": total.value,
            "normalised": total.normalised,
            **{name: each[model].normalised for name, each in document.columns.items() if model in each},
        }
        for model, total in document.total.items()
    ]


@main_table.register
def _(document: TabulationDocument) -> list[TableRow]:
    """A row for each cell; a column of the data that is called `count` keeps its name, and the count gets a number."""
    figures = ["count", *(document.cells[0].statistics if document.cells else ()), "hidden"]
    taken = {*document.columns}
    names = {name: name if name not in taken else f"{name} (2)" for name in figures}
    return [
        {
            **cell.values,
            names["count"]: cell.count,
            **{names[name]: figure for name, figure in cell.statistics.items()},
            names["hidden"]: cell.hidden,
        }
        for cell in document.cells
    ]
