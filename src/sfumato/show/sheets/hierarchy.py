"""A hierarchy as a sheet: its levels, and the tree with how many records each node holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from sfumato.show.documents.hierarchy import HierarchyDocument
from sfumato.show.sheet import Section, Sheet, counted, number, plain

if TYPE_CHECKING:
    from sfumato.show.charts.chart import Chart

ROWS = 60  # of a tree that is abbreviated
LONGEST = 100  # characters of the parameters that are shown
MISSING = "missing"


@dataclass
class Node:
    """A label at a level, what is below it, and how many records it holds."""

    label: str
    records: int = 0
    children: dict[str | None, Node] = field(default_factory=dict)


def hierarchy_sheet(document: HierarchyDocument, *, whole: bool = False) -> Sheet:
    """The hierarchy for people, from its document; the tree is abbreviated unless the whole is asked for."""
    of = f" of {document.column}" if document.column else ""
    sections = (_about(document), _levels(document), _tree(document, whole=whole))
    return Sheet(
        title=plain(f"Hierarchy{of}"),
        verdict=f"{counted(document.values, 'value')}, {counted(document.height, 'level')} above them.",
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def hierarchy_html(document: HierarchyDocument, charts: Sequence[Chart] = ()) -> str:
    """The hierarchy as a fragment of HTML, for a notebook: a tree whose branches open and close."""
    from sfumato.show.fragment import fragment

    sheet = hierarchy_sheet(document)
    kept = tuple(section for section in sheet.sections if section.title != "Tree")
    tree = _html(tree_of(document), lowest_shown(document), document.height, known=document.records is not None)
    shown = fragment(Sheet(sheet.title, sheet.verdict, kept), charts)
    return f'{shown}<div class="sfumato"><h4>Tree</h4><ul>{tree}</ul></div>'


def tree_of(document: HierarchyDocument) -> Node:
    """The nodes of a hierarchy, from the top."""
    lines = document.lines
    top = Node(str(lines[0].labels[-1]) if lines else "*")
    for line in lines:
        node, records = top, line.records or 0
        node.records += records
        for label in reversed(line.labels[:-1]):
            node = node.children.setdefault(label, Node(MISSING if label is None else label))
            node.records += records
    return top


def lowest_shown(document: HierarchyDocument) -> int:
    """The lowest level of which an abbreviated tree has room for all nodes; the one below the top at least."""
    rows, lowest = 1, document.height
    while lowest > 0 and rows + document.levels[lowest - 1].labels <= ROWS:
        lowest -= 1
        rows += document.levels[lowest].labels
    return min(lowest, document.height - 1)


def _about(document: HierarchyDocument) -> Section:
    if not document.kind:
        return Section("How it was built")
    settings = {name: _written(value) for name, value in document.parameters.items()}
    again = " --set ".join(
        [f"--kind {settings.pop('kind', document.kind)}", *(f"{k}={v}" for k, v in settings.items())]
    )
    again = plain(again if len(again) <= LONGEST else f"{again[:LONGEST]} ...")
    return Section("How it was built", remarks=(document.why or "", *document.notes, f"The same again: {again}"))


def _levels(document: HierarchyDocument) -> Section:
    known = document.records is not None
    columns = ("level", "labels", "fewest records of a label")[: 3 if known else 2]
    rows = tuple(
        (str(level.level), number(level.labels), number(level.smallest))[: len(columns)] for level in document.levels
    )
    return Section("Levels", columns, rows, numbers=(0, 1, 2)[: len(columns)])


def _tree(document: HierarchyDocument, *, whole: bool) -> Section:
    lowest, known = 0 if whole else lowest_shown(document), document.records is not None
    rows = list(_rows(tree_of(document), document.height, lowest, 0))
    remarks = [f"Levels below {lowest} are left out: --tree shows all."] if lowest else []
    if not whole and len(rows) > ROWS:
        remarks.append(f"{number(len(rows) - ROWS)} more labels are left out: --tree shows all.")
        rows = rows[:ROWS]
    columns = ("label", "records")[: 2 if known else 1]
    cells = tuple((label, number(records))[: len(columns)] for label, records in rows)
    return Section("Tree", columns, cells, tuple(remarks), numbers=(1,))


def _rows(node: Node, level: int, lowest: int, depth: int) -> Iterator[tuple[str, int]]:
    """A node and those below it, indented; a node that is all there is of the one above is not repeated."""
    yield "  " * depth + (node.label or '""'), node.records
    node, level = _unfolded(node, level, lowest)
    for child in node.children.values() if level > lowest else ():
        yield from _rows(child, level - 1, lowest, depth + 1)


def _unfolded(node: Node, level: int, lowest: int) -> tuple[Node, int]:
    while level > lowest and [child.label for child in node.children.values()] == [node.label]:
        node, level = next(iter(node.children.values())), level - 1
    return node, level


def _html(node: Node, lowest: int, level: int, *, known: bool) -> str:
    records = f" <small>{number(node.records)}</small>" if known else ""
    label = f"{escape(plain(node.label))}{records}"
    node, level = _unfolded(node, level, lowest)
    if level <= lowest or not node.children:
        return f"<li>{label}</li>"
    children = list(node.children.values())
    below = "".join(_html(child, lowest, level - 1, known=known) for child in children[:ROWS])
    more = f"<li>{number(len(children) - ROWS)} more</li>" if len(children) > ROWS else ""
    return f"<li><details open><summary>{label}</summary><ul>{below}{more}</ul></details></li>"


def _written(value: Any) -> str:
    if isinstance(value, list):
        return (";" if value and isinstance(value[0], list) else ",").join(map(_written, value))
    return str(value)
