"""Grids: a heat map, whose cells are as dark as their numbers are high, and a matrix, whose cells hold words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sfumato.show.charts.chart import FAINT, INK, LETTER, WIDTH, Chart, drawn, grammar, inline, shown
from sfumato.show.sheet import number

LIGHTEST, DARKEST = "#e8f1f8", "#0b4a78"
NO_NUMBER = "#c9ced4"
HEAT_ROW = 30  # pixels of a row of numbers


def heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    numbers: Sequence[Sequence[float | None]],
    *,
    x: str = "",
    y: str = "",
    note: str = "",
) -> Chart:
    """The numbers of a grid, written into its cells; None where there is none.

    `numbers` has one line per row, and in it one number per column.
    """
    alt, down, across = grammar(), shown(rows), shown(columns)
    cells = [
        (row, column, value)
        for row, line in zip(down, numbers, strict=True)
        for column, value in zip(across, line, strict=True)
    ]
    known = [value for *_, value in cells if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    data = [_heat_cell(row, column, value, low, high) for row, column, value in cells]
    base = alt.Chart(inline(data), width=WIDTH, height=HEAT_ROW * max(1, len(down))).encode(
        x=alt.X("column:N", sort=across, title=x or None, axis=alt.Axis(orient="top", **_angle(across))),
        y=alt.Y("row:N", sort=down, title=y or None),
    )
    filled = base.mark_rect(stroke="#ffffff", strokeWidth=1.5).encode(color=alt.Color("fill:N", scale=None))
    written = base.mark_text(fontSize=_size([cell["text"] for cell in data], len(across))).encode(
        text="text:N", color=alt.Color("ink:N", scale=None)
    )
    words = [f"{row}, {column}: {number(value)}" for row, column, value in cells]
    return drawn(filled + written, title=title, note=note, alternative=". ".join([*words, note]).rstrip(". ") + ".")


def _heat_cell(row: str, column: str, value: float | None, low: float, high: float) -> dict[str, Any]:
    """What one cell looks like."""
    share = 0.0 if value is None or high == low else (value - low) / (high - low)
    fill = NO_NUMBER if value is None else _between(share)
    ink = _ink(fill)
    return {"row": row, "column": column, "text": number(value), "fill": fill, "ink": ink}


def _between(share: float) -> str:
    """A colour on the way from the lightest to the darkest.

    >>> _between(0.0), _between(1.0)
    ('#e8f1f8', '#0b4a78')
    """
    ends = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (LIGHTEST, DARKEST)]
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(*ends, strict=True))


def _ink(fill: str) -> str:
    """Black or white, whichever is read better on a colour: 4.5 to 1 at the least, as WCAG 2.1 asks for.

    >>> _ink("#e8f1f8"), _ink("#0b4a78")
    ('#000000', '#ffffff')
    """
    parts = (int(fill[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return "#000000" if (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) ** 2 > 1.05 * 0.05 else "#ffffff"


def _size(texts: Sequence[str], columns: int) -> float:
    """Letters as large as the narrow cells allow, at most 12 points and at least 6.

    >>> _size(["12.5", "-"], 8), _size(["0.0009709"], 12)
    (12, 7.3)
    """
    longest = max(map(len, texts), default=1) or 1
    return max(6, min(12, round((WIDTH / max(1, columns) - 4) / (longest * LETTER), 1)))


def _angle(labels: Sequence[str]) -> dict[str, Any]:
    """Labels of columns lie flat while they fit, and lean where they do not."""
    room = WIDTH / max(1, len(labels)) / (12 * LETTER)
    return {"labelAngle": 0 if max(map(len, labels), default=0) <= room else -40, "labelColor": INK, "tickColor": FAINT}


# Pale enough for dark letters on each, and the words say the same as the colours.
TONES = ("#dcecf6", "#f4dfb3", "#f0b49a")
WHITE, EDGE = "#ffffff", "#0b4a78"
WORD_ROW = 64  # a row of words and marks
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
        _word_cell(down[i], across[j], word, TONES[min(kinds.index(word), len(TONES) - 1)], _mark(here, i, j))
        for i, line in enumerate(words)
        for j, word in enumerate(line)
    ]
    drawn_last = sorted(data, key=lambda cell: cell["mark"] == MARK)  # or its neighbours cover its edge
    base = alt.Chart(inline(drawn_last), width=WIDTH, height=WORD_ROW * max(1, len(down))).encode(
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


def _word_cell(row: str, column: str, word: str, fill: str, mark: str) -> dict[str, str]:
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
