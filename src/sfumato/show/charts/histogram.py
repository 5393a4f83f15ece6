"""The sizes of classes: how many records share their values with few others, and how many with many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from sfumato.show.charts.chart import HEIGHT, WIDTH, Chart, by_table, drawn, grammar, inline, shown
from sfumato.show.sheet import number

STARTS = (1, 2, 3, 5, 10, 20, 50, 100, 1000)  # where a range of sizes begins

Sizes = Iterable[tuple[int, int]]  # a size, and how many classes have it


def class_sizes(tables: Sequence[tuple[str, Sizes]], *, note: str = "") -> Chart:
    """The share of records in classes of one, of two, of three or four, ... for one table or several.

    Tables have a name, and their classes by size, as pairs of a size and how many classes have it.
    """
    alt, title = grammar(), "Records by the size of their class"
    names, labels = shown([name for name, _ in tables]), size_labels()
    shares = {name: records_by_size(sizes) for name, (_, sizes) in zip(names, tables, strict=True)}
    data = [
        {"size": label, "table": name, "share": share}
        for name in names
        for label, share in zip(labels, shares[name], strict=True)
    ]
    chart = (
        alt.Chart(inline(data), width=WIDTH, height=HEIGHT)
        .mark_bar()
        .encode(
            x=alt.X("size:N", sort=labels, title="records in the class", axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("table:N", sort=names),
            y=alt.Y("share:Q", title="share of records", axis=alt.Axis(format=".0%")),
            color=by_table(names),
        )
    )
    words = [
        f"{name}: " + ", ".join(f"{number(round(100 * share, 1))} % in classes of {label}"
                                for label, share in zip(labels, shares[name], strict=True) if share) + "."
        for name in names
    ]  # fmt: skip
    return drawn(chart, title=title, note=note, alternative=" ".join([*words, note]).strip())


def records_by_size(sizes: Sizes) -> list[float]:
    """The share of records whose class is of the first range of sizes, of the second, ...

    >>> records_by_size([(1, 2), (4, 1), (1000, 0), (7, 2)])
    [0.1, 0.0, 0.2, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    held = [0] * len(STARTS)
    for size, classes in sizes:
        held[sum(size >= start for start in STARTS) - 1] += size * classes
    records = sum(held)
    return [n / records if records else 0.0 for n in held]


def size_labels() -> list[str]:
    """The ranges of sizes in words.

    >>> size_labels()
    ['1', '2', '3–4', '5–9', '10–19', '20–49', '50–99', '100–999', '1000+']
    """
    ranges = (str(low) if high == low + 1 else f"{low}–{high - 1}" for low, high in pairwise(STARTS))
    return [*ranges, f"{STARTS[-1]}+"]
