"""A matrix: a word in every cell of a grid, and a mark where something stands in it."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.show.charts.chart import FAINT, INK, WIDTH, Chart, drawn, grammar, inline, shown

# Pale enough for dark letters on each, and the words say the same as the colours.
TONES = ("#dcecf6", "#f4dfb3", "#f0b49a")
WHITE, EDGE = "#ffffff", "#0b4a78"
TALL = 64  # a row
MARK, MAYBE = "●", "?"

Here = tuple[int | None, int | None]


def matrix(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    words: Sequence[Sequence[str]],
    *,
    here: Here = (None, None),
    x: str = "",
    y: str = "",
    note: str = "",
) -> Chart:
    """The words of a grid, each kind in its tone, and a mark in the cell that `here` names by row and column.

    Where only the row or only the column is known, every cell that it could be has a question mark; where neither is,
    none has. `words` has one line per row, and in it one word per column; kinds take their tones in the order in which
    they come, from the last row up.
    """
    alt, down, across = grammar(), shown(rows), shown(columns)
    kinds = list(dict.fromkeys(word for line in reversed(words) for word in line))
    data = [
        _cell(down[i], across[j], word, TONES[min(kinds.index(word), len(TONES) - 1)], _mark(here, i, j))
        for i, line in enumerate(words)
        for j, word in enumerate(line)
    ]
    drawn_last = sorted(data, key=lambda cell: cell["mark"] == MARK)  # or its neighbours cover its edge
    base = alt.Chart(inline(drawn_last), width=WIDTH, height=TALL * max(1, len(down))).encode(
        x=alt.X("column:N", sort=across, title=x or None, axis=alt.Axis(labelAngle=0, labelColor=INK, tickColor=FAINT)),
        y=alt.Y("row:N", sort=down, title=y or None),
    )
    filled = base.mark_rect(strokeWidth=2).encode(
        color=alt.Color("fill:N", scale=None), stroke=alt.Stroke("edge:N", scale=None)
    )
    written = base.mark_text(fontSize=12, dy=-12, color=INK).encode(text="word:N")
    marked = base.mark_text(fontSize=20, dy=12, color=EDGE, fontWeight="bold").encode(text="mark:N")
    told = [*(f"{c['row']}, {c['column']}: {c['word']}" for c in data), _where(here, down, across), note]
    alternative = ". ".join(part.rstrip(".") for part in told if part.strip()) + "."
    return drawn(filled + written + marked, title=title, note=note, alternative=alternative)


def _cell(row: str, column: str, word: str, fill: str, mark: str) -> dict[str, str]:
    """What one cell looks like; the one with the mark has an edge."""
    edge = EDGE if mark == MARK else WHITE
    return {"row": row, "column": column, "word": word, "fill": fill, "mark": mark, "edge": edge}


def _mark(here: Here, row: int, column: int) -> str:
    """The mark of a cell: certain, possible, or none.

    >>> _mark((1, 2), 1, 2), _mark((1, None), 1, 0), _mark((1, None), 0, 0), _mark((None, None), 0, 0)
    ('●', '?', '', '')
    """
    if here == (row, column):
        return MARK
    possible = None in here and here != (None, None) and here[0] in (None, row) and here[1] in (None, column)
    return MAYBE if possible else ""


def _where(here: Here, rows: Sequence[str], columns: Sequence[str]) -> str:
    """Where the mark is, in words."""
    row, column = here
    named = [rows[row]] if row is not None else []
    named += [columns[column]] if column is not None else []
    if not named:
        return "Nothing is marked"
    return f"Marked: {', '.join(named)}" if len(named) == 2 else f"Somewhere in: {named[0]}"
