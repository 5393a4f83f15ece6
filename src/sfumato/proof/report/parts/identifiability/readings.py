"""What measures read before and after, the sizes of classes, and the three questions of WP216."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from sfumato.privacy.assessment import Assessment, Reading
from sfumato.privacy.models.average_risk import AverageRisk
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.maximum_risk import MaximumRisk
from sfumato.privacy.sizes import LADDER, Sizes
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.charts.bars_and_lines import bars
from sfumato.show.charts.chart import Chart
from sfumato.show.documents.report import NumberSource
from sfumato.show.sheet import Section, counted, number

MET = {True: "yes", False: "NO", None: ""}
STEPS = (2, *LADDER)  # class sizes below which records are counted


def reading_blocks(evidence: ReportEvidence, mask: SmallNumberMask, *, draw: bool) -> tuple[Block, ...]:
    """Readings, ladder with its pictures, classes with one sensitive value."""
    return (_readings(evidence), _ladder(evidence, mask, draw=draw), _homogeneous(evidence, mask))


def _readings(evidence: ReportEvidence) -> Block:
    """Every requirement, before and after; k, l and t where nothing was required."""
    sides: Mapping[str, Assessment | None] = evidence.after or {"": None}
    rows = [row for name, assessment in sides.items() for row in _rows(evidence, name, assessment)]
    scenarios = any(sides)
    named = ("scenario",) if scenarios else ()
    head = ("measure", *named, "sensitive", "before", "after", "bound", "met", "what it says")
    measures = {reading.measure.name(): reading.measure for reading in _read(evidence.before)}
    told = tuple(
        explained(name, type(measure), measure.plainly, f"{measure.bounds}; safer when {measure.safer.value}")
        for name, measure in measures.items()
    )
    numbers = tuple(head.index(name) for name in ("before", "after", "bound"))
    remark = "" if evidence.required else "Nothing was required: these are readings, not a verdict."
    return Block(Section("Readings", head, tuple(rows), (remark,) if remark else (), numbers), explained=told)


def required_rows(evidence: ReportEvidence) -> list[tuple[str, ...]]:
    """What was required, before and after, and whether it is met; in scenarios, the one that each was read for."""
    sides: Mapping[str, Assessment | None] = evidence.after or {"": None}
    rows: list[tuple[str, ...]] = []
    for scenario, after in sides.items():
        before = {reading.measure: reading for reading in _read(evidence.knowing.get(scenario, evidence.before))}
        judged = _read(after) if after else () if evidence.released else evidence.before.readings
        for reading in judged:
            if reading.requirement.bound is None:
                continue
            once = before.get(reading.measure)
            values = (_value(once) if once else "-", _value(reading) if evidence.released else "-")
            named = f"{reading.requirement.text}, {scenario}" if scenario else reading.requirement.text
            rows.append((named, *values, MET[reading.met]))
    return rows


def _read(assessment: Assessment) -> Sequence[Reading]:
    return (*assessment.readings, *assessment.alongside)


def _rows(evidence: ReportEvidence, scenario: str, after: Assessment | None) -> list[tuple[str, ...]]:
    later = {reading.measure: reading for reading in _read(after)} if after else {}
    rows: list[tuple[str, ...]] = []
    named = (scenario,) if scenario else ()
    for reading in _read(evidence.knowing.get(scenario, evidence.before)):
        then = later.get(reading.measure)
        judged = then if then is not None else None if evidence.released else reading
        met = MET[judged.met if judged else None]
        rows.append((
            reading.measure.name(), *named, reading.sensitive or "-", _value(reading), _value(then) if then else "-",
            number(judged.requirement.bound if judged else reading.requirement.bound), met, reading.measure.plainly,
        ))  # fmt: skip
    return rows


def _value(reading: Reading) -> str:
    if reading.value is not None and math.isinf(reading.value):
        return "infinite"
    return "nobody has a value" if reading.value is None else number(reading.value)


def _ladder(evidence: ReportEvidence, mask: SmallNumberMask, *, draw: bool) -> Block:
    """Records in classes below the sizes that guidelines ask for; what is shown hides no few people in a difference."""
    tables = _tables(evidence)
    texts = {name: _below(sizes, mask) for name, sizes in tables}
    rows = tuple(
        (f"fewer than {size}" if size > 2 else "alone", f"above {LADDER[size]}" if size in LADDER else "1",
         *(cell for name, _ in tables for cell in texts[name][i]))
        for i, size in enumerate(STEPS)
    )  # fmt: skip
    head = ("class size", "risk", *(label for name, _ in tables for label in (f"records, {name}", f"share, {name}")))
    remarks = (*(_summary(name, sizes) for name, sizes in tables), _hidden(mask))
    charts = (_histogram(tables, mask), _drawn_ladder(tables, mask)) if draw else ()
    return Block(
        Section("Risk ladder", head, rows, remarks, tuple(range(2, len(head)))), charts,
        (explained("highest risk", MaximumRisk, MaximumRisk.plainly, "0 to 1"),
         explained("average risk", AverageRisk, AverageRisk.plainly, "0 to 1"), _precedents()),
    )  # fmt: skip


def _precedents() -> NumberSource:
    return NumberSource(
        name="risk ladder",
        words="How many records are in classes smaller than a guideline accepts.",
        formula="records in classes with |E| < s, for s = 2, 3, 5, 11, 20",
        range="0 to all records",
        more=("Sizes are compared, not risks: 1/11 = 0.0909 is what guidelines call 0.09.",),
        references=(
            "El Emam (2013). Guide to the De-Identification of Personal Health Information. CRC Press: cell-size "
            "precedents 3, 5, 11 and 20.",
            "EMA Policy 0070 and Health Canada PRCI: a highest risk of 0.09, classes of 11.",
        ),
    )


def _tables(evidence: ReportEvidence) -> list[tuple[str, Sizes]]:
    tables = [("before", evidence.before.sizes)]
    named = len(evidence.after) > 1
    return tables + [(f"after, {name}" if named else "after", a.sizes) for name, a in evidence.after.items()]


def _below(sizes: Sizes, mask: SmallNumberMask) -> list[tuple[str, str]]:
    counts = [sizes.records_below(size) for size in STEPS]
    pairs = zip(mask.steps(counts, sizes.records), mask.step_shares(counts, sizes.records), strict=True)
    return list(pairs)


def _summary(name: str, sizes: Sizes) -> str:
    classes = "1 class" if sizes.count == 1 else f"{number(sizes.count)} classes"
    return (
        f"{name.capitalize()}: {counted(sizes.records, 'record')} in {classes}; smallest {number(sizes.smallest)}, 5th "
        f"percentile {number(sizes.quantile(0.05))}, median {number(sizes.quantile(0.5))}, average "
        f"{number(round(sizes.average, 2))}. Highest risk {number(1 / sizes.smallest)}, average risk "
        f"{number(sizes.average_risk)}."
    )


def _hidden(mask: SmallNumberMask) -> str:
    return f"A number that would tell of 1 to {mask.least - 1} records, by itself or by a difference, is a bound here."


def _histogram(tables: list[tuple[str, Sizes]], mask: SmallNumberMask) -> Chart:
    """The sizes of classes; ranges with few records are shown with their neighbours."""
    known = [mask.known([s.records_below(size) for size in STEPS], s.records) for _, s in tables]
    cuts = [i for i in range(len(STEPS)) if all(row[i] is not None for row in known)]
    starts = [1, *(STEPS[i] for i in cuts)]
    labels = [_range(low, high) for low, high in zip(starts, [*starts[1:], 0], strict=True)]
    values = []
    for (name, sizes), row in zip(tables, known, strict=True):
        ends = [0, *(row[i] or 0 for i in cuts), sizes.records]
        values.append((name, [float(b - a) for a, b in pairwise(ends)]))
    note = f"Ranges of 1 to {mask.least - 1} records are shown with their neighbours." if mask.least > 1 else ""
    return bars("Records by the size of their class", labels, values, x="size of the class", y="records", note=note)


def _range(low: int, high: int) -> str:
    return f"{low}+" if not high else str(low) if high == low + 1 else f"{low}–{high - 1}"


def _drawn_ladder(tables: list[tuple[str, Sizes]], mask: SmallNumberMask) -> Chart:
    labels = ["alone", *(f"below {size}" for size in LADDER)]
    values = []
    for name, sizes in tables:
        known = mask.known([sizes.records_below(size) for size in STEPS], sizes.records)
        values.append((name, [None if n is None else round(100 * n / sizes.records, 1) for n in known]))
    return bars(
        "Risk ladder: records in classes that are too small", labels, values, x="size of the class",
        y="% of the records", note="Guidelines ask for classes of 3, 5, 11 or 20.",
    )  # fmt: skip


def _homogeneous(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """Records in classes where everybody has the same sensitive value."""
    after = next(iter(evidence.after.values()), None)
    rows = tuple(
        (name, mask.count(n, evidence.before.records),
         "-" if after is None or name not in after.homogeneous else mask.count(after.homogeneous[name], after.records))
        for name, n in evidence.before.homogeneous.items()
    )  # fmt: skip
    told = explained("l", DistinctLDiversity, bounds="1 upwards; safer when higher")
    remark = "Who finds the class knows the value: the homogeneity attack." if rows else ""
    section = Section(
        "Records in classes with one sensitive value", ("sensitive", "before", "after"), rows,
        (remark,) if rows else (), (1, 2),
    )  # fmt: skip
    return Block(section, explained=(told,))
