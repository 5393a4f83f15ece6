"""Pictures: well formed, the same every time, in words as well, and with no reference to anywhere."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sfumato.errors import MissingExtra
from sfumato.show.charts import chart as drawing
from sfumato.show.charts.bars_and_lines import Mark, Series, bars, lines
from sfumato.show.charts.boxes import DensityBox
from sfumato.show.charts.categories import CategoryCounts
from sfumato.show.charts.chart import COLOURS, DARK_PAPER, MIDDLE, PAPER, Chart, shown
from sfumato.show.charts.distribution import categories, numbers
from sfumato.show.charts.grids import heat_map

from .pictures import boxes, checked, texts

BLUE, ORANGE = COLOURS[:2]
NASTY = "<script>alert(\"1\")</script> & 'x' http://example.org/\x00\n]]>"

ADDRESSES = """
import sys
from sfumato.show.charts.chart import grammar
grammar()
print("itself" if "rfc3987_syntax" in sys.modules else "later")
from jsonschema import FormatChecker
for address in ("http://example.org/ü", "no address"):
    print(FormatChecker().conforms(address, "iri"))
print("itself" if hasattr(sys.modules["rfc3987_syntax"], "__file__") else "later")
"""


def every_chart(name: str = "age") -> dict[str, Chart]:
    return {
        "categories": categories(name, [CategoryCounts(name, 30, 20), CategoryCounts("F", 12, 11)], note=name),
        "numbers": numbers(name, [DensityBox(0, 10, 30), DensityBox(10, 20, 12)], [DensityBox(0, 20, 40)], note=name),
        "dates": numbers(name, [DensityBox(18262, 18269, 30)], [DensityBox(18262, 18293, 30)], moment=True),
        "nothing": categories(name, [CategoryCounts("F", 2, 2)]),
        "lines": lines(name, [Series(name, ((0, 1), (1, -2)))], x=name, y=name, marked=Mark(1, -2, name)),
        "panels": lines(name, [Series("a", ((0, 1), (1, 2)), p) for p in (name, "b")], x="x", y="y", note=name),
        "heat map": heat_map(name, [name, name], ["0.1", name], [[1, None], [0.5, 0.25]], x=name, y=name, note=name),
    }


@pytest.mark.parametrize("kind", every_chart())
def test_a_picture_is_well_formed_says_what_it_shows_and_refers_to_nothing_elsewhere(kind):
    checked(every_chart()[kind])


@pytest.mark.parametrize("kind", every_chart())
def test_names_from_the_data_are_texts_and_never_markup(kind):
    from xml.etree import ElementTree

    found = every_chart(NASTY)[kind]
    root = ElementTree.fromstring(found.svg)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg", "title", "desc", "style", "rect", "g", "path", "line", "text", "tspan"
    }  # fmt: skip
    assert "<script" not in found.svg
    if kind not in ("dates", "nothing"):
        assert "<script>alert(" in "".join(texts(root))


def test_the_same_chart_is_the_same_bytes_whatever_theme_is_on():
    import altair

    first = every_chart()
    themes = altair.theme if hasattr(altair.theme, "enable") else altair.themes  # before Altair 5.5
    with themes.enable("dark"):
        second = every_chart()
    assert first == second


def test_another_process_draws_the_same_bytes():
    code = (
        "import sys\nfrom sfumato.show.charts.bars_and_lines import bars\n"
        "tables = [('original', [4, 2]), ('release', [None, 1])]\n"
        "sys.stdout.write(bars('Classes', ['1', '2'], tables, x='size', y='classes').svg)"
    )
    drawn = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert drawn[0] == drawn[1]
    tables = [("original", [4, 2]), ("release", [None, 1])]
    assert drawn[0].decode() == bars("Classes", ["1", "2"], tables, x="size", y="classes").svg


def test_without_the_optional_part_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtra, match=r"Drawing charts.*sfumato\[plots\]"):
        every_chart()


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("paper", [PAPER, DARK_PAPER])
def test_what_is_drawn_stands_out_from_white_and_from_dark_paper(paper):
    """WCAG 2.1 asks for 3 to 1 between graphics and what is behind them, and for 4.5 to 1 with text."""
    assert min(contrast(colour, paper) for colour in (*COLOURS, MIDDLE)) > 3
    inks = ("INK", "FAINT") if paper == PAPER else ("DARK_INK", "DARK_FAINT")
    assert min(contrast(getattr(drawing, ink), paper) for ink in inks) > 4.5


def test_density_is_count_over_width_and_the_area_of_a_box_its_records():
    """S3.28: 200 records of 20 to 39 lie as densely as 100 of 40 to 49, and half as densely as 100 of 50 to 54."""
    released = [DensityBox(20, 40, 200), DensityBox(40, 50, 100), DensityBox(50, 55, 100)]
    assert [box.density for box in released] == [10.0, 10.0, 20.0]
    root = checked(numbers("age", [DensityBox(20, 55, 400)], released))
    drawn = sorted(boxes(root, ORANGE))
    widths, heights = [width for _, width, _ in drawn], [height for *_, height in drawn]
    assert [width / widths[2] for width in widths] == pytest.approx([4, 2, 1])
    assert [height / heights[2] for height in heights] == pytest.approx([0.5, 0.5, 1])
    areas = [width * height for width, height in zip(widths, heights, strict=True)]
    original = [width * height for _, width, height in boxes(root, BLUE)]
    assert [area / sum(original) * 400 for area in areas] == pytest.approx([200, 100, 100])


def test_ranges_that_overlap_add_up():
    root = checked(numbers("age", [DensityBox(20, 80, 80)], [DensityBox(20, 80, 60), DensityBox(40, 60, 20)]))
    heights = [height for *_, height in sorted(boxes(root, ORANGE))]
    assert [height / heights[0] for height in heights] == pytest.approx([1, 2, 1])


def test_bars_are_as_long_as_there_are_records_and_none_is_about_a_few():
    rows = [
        CategoryCounts("A", 400, 300),
        CategoryCounts("B", 100, 0),
        CategoryCounts("C", 9, 5),
        CategoryCounts("D", 9, 8),
    ]
    root = checked(categories("sex", rows))
    bars = {colour: [width for _, width, _ in boxes(root, colour)] for colour in (BLUE, ORANGE)}
    assert [bar / bars[BLUE][0] * 400 for bar in bars[BLUE]] == pytest.approx([400, 100, 18])
    assert [bar / bars[BLUE][0] * 400 for bar in bars[ORANGE]] == pytest.approx([300, 0, 13])
    assert "fewer than 11 records (2 values)" in texts(root)
    assert not {"C", "D"} & set(texts(root))


def test_dates_are_written_as_dates():
    root = checked(numbers("day", [DensityBox(18262, 18628, 3660)], [DensityBox(18262, 18628, 3660)], moment=True))
    assert any(text.startswith("2020-") for text in texts(root))
    assert "from 2020-01-01 to 2021-01-01" in root[1].text


def test_a_chart_about_fewer_than_eleven_people_shows_none_of_them():
    for found in (
        categories("sex", [CategoryCounts("F", 6, 6), CategoryCounts("M", 4, 4)]),
        numbers("age", [DensityBox(0, 9, 10)], []),
    ):
        root = checked(found)
        assert not {"F", "M", "6", "4", "10"} & set(texts(root))
        assert "fewer than 11 records" in found.alternative


def test_lines_say_where_they_begin_end_and_dip():
    found = lines("Loss", [Series("low", ((0, 18.0), (20, -1.5), (100, 100.0)))], x="share", y="loss")
    assert "low: 18 at 0 to 100 at 100, lowest -1.5 at 20." in found.alternative
    assert "low" in texts(checked(found))


def test_the_marked_point_is_named_in_the_picture_and_in_words():
    found = lines("Curve", [Series("risk", ((0, 1), (1, 0.5)))], x="x", y="y", marked=Mark(1, 0.5, "chosen"))
    assert "chosen" in texts(checked(found))
    assert "Marked: chosen, 0.5 at 1." in found.alternative


def test_every_panel_has_its_lines_and_its_name():
    series = [Series(name, ((0, 1), (1, 2)), panel) for panel in ("conventional", "generic") for name in ("a", "b")]
    root = checked(lines("Loss", series, x="x", y="y"))
    assert {"conventional", "generic", "a", "b"} <= set(texts(root))
    drawn = [path for path in root.iter() if path.get("stroke-width") == "2.2" and path.get("d", "").count("L") == 1]
    assert len([path for path in drawn if not path.get("transform")]) == 4


def test_a_heat_map_writes_every_number_and_keeps_rows_of_one_name_apart():
    root = checked(heat_map("Risk", ["same", "same"], ["x"], [[0.125], [None]]))
    assert {"0.125", "-", "same", "same (2)"} <= set(texts(root))


def test_labels_stay_different_when_they_are_cut():
    long = "a" * 60
    cut = shown([long, long + "b", "a"])
    assert len(set(cut)) == 3
    assert max(map(len, cut)) <= 52


@pytest.mark.parametrize("kind", every_chart())
def test_every_text_and_axis_has_a_colour_for_dark_paper_or_is_drawn_among_the_data(kind):
    groups = [g.get("class", "") for g in checked(every_chart()[kind]).iter() if len(g) and g[0].tag.endswith("text")]
    roles = {name for group in groups for name in group.split() if name.startswith("role-")}
    assert roles
    assert [role for role in roles - {"role-mark"} if f".sfumato-chart .{role}>text" not in drawing.STYLE] == []


def test_whoever_checks_an_address_after_a_chart_has_the_check_itself():
    """The check of international addresses is not imported for charts, which takes seconds, and not replaced either."""
    pytest.importorskip("rfc3987_syntax")
    said = subprocess.run(
        [sys.executable, "-c", ADDRESSES], capture_output=True, text=True, check=True, timeout=120
    ).stdout.split()
    assert said == ["later", "True", "False", "itself"]
