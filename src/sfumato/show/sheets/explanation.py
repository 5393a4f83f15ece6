"""Why a search chose its levels, and whom suppression hits, as sheets."""

from __future__ import annotations

from sfumato.show.documents.explanation import (
    ColumnBiasDocument,
    EasierSearchDocument,
    ExplanationDocument,
    MoreSuppressionDocument,
    NeighbourDocument,
    RequirementEffectDocument,
    SuppressionBiasDocument,
)
from sfumato.show.sheet import Section, Sheet, counted, number


def explanation_sheet(document: ExplanationDocument) -> Sheet:
    """The explanation of a solution, from its document."""
    sections = (_columns(document), _better(document), _safer(document), _requirements(document))
    return Sheet(
        title="Why these levels",
        verdict=_verdict(document),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _verdict(document: ExplanationDocument) -> str:
    proved = "no combination of levels loses less" if document.optimal else "a better one may exist"
    return (
        f"{document.objective} {number(document.score)} ({document.means}): {proved}. "
        f"{number(document.suppressed)} of {counted(document.records, 'record')} suppressed, "
        f"{number(document.limit)} may be."
    )


def _columns(document: ExplanationDocument) -> Section:
    rows = [
        (
            column.column,
            f"{column.level} of {column.height}",
            f"{number(column.labels)} of {number(column.values)}",
            number(column.cost),
            number(column.lowest_score),
            number(column.lowest_suppressed),
        )
        for column in document.columns
    ]
    rows.append(("suppressed records", "", "", number(document.suppression_cost), "", ""))
    said = (
        "The costs add up to the score."
        if document.adds_up
        else "The costs do not add up to the score: columns are lost together."
    )
    return Section(
        "What each column costs",
        ("column", "level", "labels left", "cost", "score at lowest", "suppressed there"),
        tuple(rows),
        (f"{said} The last two are for this column alone at its lowest level.",),
        numbers=(3, 4, 5),
    )


def _better(document: ExplanationDocument) -> Section:
    best = document.next_better
    remark = "No column one level lower scores less, even if all that breaks the policy there were suppressed."
    if best:
        why = f"but {counted(best.excess, 'record')} more would be suppressed than may be" if best.excess else (
            "and it keeps to the policy"
        )  # fmt: skip
        remark = f"The next better one is {_instead(best, document)}, {why}."
    rows = tuple((*_step(step), _why_not(step, document)) for step in document.one_level_lower)
    columns = ("column", "level", "score", "suppressed", "smallest class", "why not")
    return Section("One level lower", columns, rows, (remark,), numbers=(1, 2, 3, 4))


def _why_not(step: NeighbourDocument, document: ExplanationDocument) -> str:
    if step.excess:
        return f"{number(step.excess)} suppressed too many"
    if step.score is None or document.score is None or step.score >= document.score:
        return "loses more"
    return "was not found: the search ended early"


def _safer(document: ExplanationDocument) -> Section:
    best = document.next_safer
    remark = "No column can go one level higher and keep to the policy."
    if best:
        remark = (
            f"The cheapest one is {_instead(best, document)}, {counted(best.suppressed, 'record')} suppressed, "
            f"at least {counted(best.smallest, 'record')} alike."
        )
    rows = tuple(
        (*_step(step), f"{number(step.excess)} suppressed too many" if step.excess else "kept to")
        for step in document.one_level_higher
    )
    columns = ("column", "level", "score", "suppressed", "smallest class", "policy")
    return Section("One level higher", columns, rows, (remark,), numbers=(1, 2, 3, 4))


def _instead(step: NeighbourDocument, document: ExplanationDocument) -> str:
    return f"{step.column} at level {step.level}: {number(step.score)} instead of {number(document.score)}"


def _step(step: NeighbourDocument) -> tuple[str, ...]:
    return (step.column, *map(number, (step.level, step.score, step.suppressed, step.smallest)))


def _requirements(document: ExplanationDocument) -> Section:
    rows = [
        (
            _named(effect),
            number(effect.bound),
            number(effect.breaks),
            number(effect.alone),
            number(effect.without.score),
            _binds(effect.without),
        )
        for effect in document.requirements
    ]
    more = document.more_suppression
    if more:
        rows.append(("suppressed records", number(document.limit), "", "", number(more.score), _binds(more)))
    remarks = ["Breaks: records of classes that break it before suppression; alone: that break nothing else."]
    if more:
        remarks.append(f"For suppression, the score if {counted(more.limit, 'record')} could be suppressed.")
    columns = ("requirement", "bound", "breaks", "alone", "score without it", "keeps the score up")
    return Section("What binds", columns, tuple(rows), tuple(remarks), numbers=(1, 2, 3, 4))


def _named(effect: RequirementEffectDocument) -> str:
    return f"{effect.measure}({effect.about})" if effect.about else str(effect.measure)


def _binds(without: EasierSearchDocument | MoreSuppressionDocument) -> str:
    return {True: "yes", False: "no", None: "not known"}[without.binds]


def bias_sheet(document: SuppressionBiasDocument) -> Sheet:
    """Whom suppression hits, from its document."""
    share = f" ({document.share * 100:.1f} %)" if document.share is not None else ""
    hits = sum(group.hit for column in document.columns for group in column.groups)
    who = f"{counted(hits, 'group')} hit" if hits else "No group hit"
    return Sheet(
        title="Whom suppression hits",
        verdict=(
            f"{number(document.suppressed)} of {counted(document.records, 'record')} suppressed{share}. "
            f"{who} clearly more often than everybody."
        ),
        sections=tuple(
            section
            for section in (*(_groups(column) for column in document.columns), _notes(document))
            if section.rows or section.remarks
        ),
    )


def _groups(column: ColumnBiasDocument) -> Section:
    rows = tuple(
        (
            group.label,
            number(group.records),
            number(group.suppressed),
            f"{group.share * 100:.1f} %",
            "-" if group.ratio is None else f"{group.ratio:.2f}",
            "more often" if group.hit else "",
        )
        for group in column.groups
    )
    title = column.column if column.level is None else f"{column.column}, level {column.level}"
    return Section(title, ("group", "records", "suppressed", "share", "ratio", ""), rows, numbers=(1, 2, 3, 4))


def _notes(document: SuppressionBiasDocument) -> Section:
    left = document.left_out
    said = [f"Too many labels, or too few records, to compare: {', '.join(left)}."] if left else []
    return Section("Notes", remarks=(*document.notes, *said))
