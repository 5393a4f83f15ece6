"""Tables of statistics, as a sheet: the cells, what is hidden, and how closely that can be worked out."""

from __future__ import annotations

from sfumato.show.documents.tabulation import CellDocument, LeftOpenDocument, RulesDocument, TabulationDocument
from sfumato.show.sheet import Section, Sheet, but_open, counted, number, open_section

LINES = 40  # of cells that a terminal shows: the file has all of them
HIDDEN = "hidden"


def tabulation_sheet(document: TabulationDocument) -> Sheet:
    """The tables, from their document."""
    names = list(document.cells[0].statistics) if document.cells else []
    rows = tuple(_row(cell, names) for cell in document.cells[:LINES])
    more = len(document.cells) - LINES
    remarks = (f"And {counted(more, 'cell')} more: they are in the file.",) if more > 0 else ()
    columns = (*document.columns, "count", *names)
    figures = tuple(range(len(document.columns), len(columns)))
    left = tuple(_left_open(each) for each in document.left_open)
    sections = [Section("Cells", columns, rows, remarks, numbers=figures)]
    if document.hidden:
        sections.append(Section("What can be worked out", ("number", "narrowest interval"), left, _how(document)))
    sections.append(Section("Rules", remarks=(*_rules(document.rules, names), *document.notes)))
    if document.open:
        sections.append(open_section(document.open))
    return Sheet(
        title=f"Statistics of {document.source}",
        verdict=_verdict(document),
        sections=tuple(sections),
    )


def _verdict(document: TabulationDocument) -> str:
    cells = document.shown + document.hidden
    if not document.hidden:
        said = f"All {counted(cells, 'cell')} are shown"
    else:
        said = f"{number(document.hidden)} of {counted(cells, 'cell')} {'is' if document.hidden == 1 else 'are'} hidden"
        said += ", and fewer would not do" if document.fewest else ", and whether fewer would do is not known"
    return f"{said}{but_open(document.open)}."


def _row(cell: CellDocument, names: list[str]) -> tuple[str, ...]:
    figures = [cell.count, *(cell.statistics[name] for name in names)]
    return (*cell.values.values(), *(HIDDEN if cell.hidden else number(figure) for figure in figures))


def _left_open(each: LeftOpenDocument) -> tuple[str, str]:
    width = "nothing bounds it" if each.narrowest is None else number(each.narrowest)
    return each.number, width if each.exact or each.narrowest is None else f"{width} or wider"


def _how(document: TabulationDocument) -> tuple[str, ...]:
    said = ["Of the cells that are hidden for what they say: from the least to the most that the others leave open."]
    if not document.fewest:
        said.append("Found by cubes of cells, one small cell after the other: every one of them is protected.")
    return tuple(said)


def _rules(rules: RulesDocument, names: list[str]) -> tuple[str, ...]:
    empty = "empty cells are hidden as well" if rules.zeros == HIDDEN else "empty cells are shown"
    said = [f"Counts below {rules.threshold} are hidden; {empty}. ({rules.source}.)"]
    if rules.round > 1:
        said.append(f"Counts are rounded to the nearest {rules.round}.")
    if names:
        said.append(
            f"Sums and means are hidden where a part could be worked out to within {number(rules.p)} %, or where the "
            f"{number(rules.largest)} largest parts are more than {number(rules.share)} % of all."
        )
    return tuple(said)
