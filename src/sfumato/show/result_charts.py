"""The charts of every result, drawn from its document; what only the tables behind it can show, the result adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import singledispatch

from sfumato.show.charts.bars_and_lines import Mark, Series, bars, lines
from sfumato.show.charts.chart import Chart
from sfumato.show.charts.grids import heat_map, matrix
from sfumato.show.document import Document
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
from sfumato.show.documents.safe_harbor import SafeHarborDocument
from sfumato.show.documents.tabulation import CellDocument, TabulationDocument
from sfumato.show.documents.triage import TriageDocument
from sfumato.show.documents.use_log import LogDocument
from sfumato.show.documents.verified import VerifiedDocument

STEPS = ("alone", "fewer than 3", "fewer than 5", "fewer than 11", "fewer than 20")
ROWS = 25  # of a grid: more are too small to read. Chosen, not measured
BARS = 12  # beside each other, with their names below them


@singledispatch
def charts_of(document: Document) -> Iterator[Chart]:
    """The charts of a document, drawn one after the other; none where nothing in it can be drawn."""
    yield from ()


@charts_of.register
def _(document: AssessmentDocument) -> Iterator[Chart]:
    steps = document.classes.ladder
    alone = document.classes.singletons / document.records if document.records else 0.0
    labels = ["alone", *(f"fewer than {step.below}" for step in steps)]
    shares = [round(100 * share, 1) for share in (alone, *(step.share for step in steps))]
    yield bars(
        "Records in classes that are too small", labels, [("records", shares)], x="size of the class",
        y="% of the records", note="Guidelines ask for classes of 3, 5, 11 or 20.",
    )  # fmt: skip


@charts_of.register
def _(document: AnonymisationDocument) -> Iterator[Chart]:
    lost = {
        name: models["loss"] for name, models in (document.lost.columns or {}).items() if models.get("loss") is not None
    }
    if lost:
        yield _by_column("Information lost, by column", list(lost), [100 * (share or 0.0) for share in lost.values()])
    elif document.levels:
        yield _by_column(
            "Levels of the release, by column", list(document.levels), list(document.levels.values()), y="level"
        )


def _by_column(title: str, names: Sequence[str], numbers: Sequence[float], y: str = "% lost") -> Chart:
    """A bar for each column; of many columns, lines of a grid."""
    rounded = [round(number, 1) for number in numbers]
    if len(names) <= BARS:
        return bars(title, names, [(y, rounded)], x="", y=y)
    return heat_map(title, names[:ROWS], [y], [[number] for number in rounded[:ROWS]])


@charts_of.register
def _(document: LossesDocument) -> Iterator[Chart]:
    models = [name for name, total in document.total.items() if total.normalised is not None]
    names = [name for name in document.columns if any(m in document.columns[name] for m in models)][:ROWS]
    drawn = [model for model in models if any(model in document.columns[name] for name in names)][:BARS]
    if names and drawn:
        cells = [[_percent(document, name, model) for model in drawn] for name in names]
        yield heat_map("Information lost (%), by column and utility model", names, drawn, cells)


def _percent(document: LossesDocument, name: str, model: str) -> float | None:
    outcome = document.columns[name].get(model)
    return None if outcome is None or outcome.normalised is None else round(100 * outcome.normalised, 1)


@charts_of.register
def _(document: IdentificationDocument) -> Iterator[Chart]:
    columns = sorted(document.columns, key=lambda column: -column.values_seen_once)[:ROWS]
    cells = [
        [
            round(100 * column.values_seen_once, 1),
            None if column.risk_rate is None else round(100 * column.risk_rate, 2),
            None if column.influence is None else 100 * column.influence,
        ]
        for column in columns
    ]
    names = [f"{column.name} ({column.role})" for column in columns]
    if names:
        yield heat_map(
            "What each column tells apart (%)", names, ["values seen once", "risk rate", "share of risk"], cells
        )


@charts_of.register
def _(document: IdentificationsDocument) -> Iterator[Chart]:
    tables = document.tables[:ROWS]
    roles = list(dict.fromkeys(role for table in tables for role in table.counts))
    if tables:
        cells = [[float(table.counts[role]) for role in roles] for table in tables]
        yield heat_map("Columns by table and role", [table.name for table in tables], roles, cells)


@charts_of.register
def _(document: ConfirmationDocument) -> Iterator[Chart]:
    undecided = sum(column.proposed == "undecided" for column in document.open)
    groups = ["decided", "only proposed", "undecided"]
    numbers = [float(n) for n in (sum(document.deciders.values()), len(document.open) - undecided, undecided)]
    yield bars("Columns of the project", groups, [("columns", numbers)], x="", y="columns")


@charts_of.register
def _(document: ExposureDocument) -> Iterator[Chart]:
    scenarios = document.scenarios
    cells = [[100 * records / s.records for records in (s.singled_out, *s.below.values())] for s in scenarios]
    names = [scenario.name for scenario in scenarios]
    yield heat_map("Records at risk, by scenario and class size (%)", names, list(STEPS), cells)
    sets = {frozenset(s.columns): s.percent for s in (document.sets.found if document.sets else ())}
    names = [name for name in document.quasi_identifiers if frozenset([name]) in sets]
    if len(names) > 1:  # the columns themselves are on the diagonal
        pairs = [[sets.get(frozenset([one, other])) for other in names] for one in names]
        yield heat_map("Records singled out by pairs of columns (%)", names, names, pairs)


@charts_of.register
def _(document: FrontierDocument) -> Iterator[Chart]:
    front = [document.points[place] for place in document.front]
    points = [(p.method, (p.risk, p.score)) for p in front if p.risk is not None and p.score is not None]
    methods = dict.fromkeys(method for method, _ in points)
    series = [Series(name, tuple(place for method, place in points if method == name)) for name in methods]
    yield lines(
        "Risk against loss", series, x=document.risk, y=document.loss, marked=_knee(document),
        note="Releases that no other beats in both; below and to the left is better.",
    )  # fmt: skip


def _knee(document: FrontierDocument) -> Mark | None:
    knee = None if document.knee is None else document.points[document.knee]
    if knee is None or knee.risk is None or knee.score is None:
        return None
    what = "knee" if document.knee_distance else "safest"
    return Mark(knee.risk, knee.score, f"{what}: {', '.join(knee.requirements)}")


@charts_of.register
def _(document: DimensionsDocument) -> Iterator[Chart]:
    candidates = document.candidates
    points = [(float(c.dimension), round(100 * c.risk_removed, 1), c.utility) for c in candidates]
    kept = tuple((place, round(100 * utility, 1)) for place, _, utility in points if utility is not None)
    removed = tuple((place, risk) for place, risk, _ in points)
    yield lines(
        "Risk removed and utility kept", [Series("risk removed", removed), Series("utility kept", kept)],
        x="quasi-identifiers that are changed", y="%",
    )  # fmt: skip


@charts_of.register
def _(document: EvaluationDocument) -> Iterator[Chart]:
    if document.losses:
        lost = [100 * share for share in document.losses.values()]
        yield _by_column("Information lost, by column", list(document.losses), lost)


@charts_of.register
def _(document: ExplanationDocument) -> Iterator[Chart]:
    names = [column.column for column in document.columns]
    yield _by_column("Levels of the columns", names, [float(c.level) for c in document.columns], y="level")


@charts_of.register
def _(document: SuppressionBiasDocument) -> Iterator[Chart]:
    groups = [(f"{each.column}: {group.label}", group.share) for each in document.columns for group in each.groups]
    if groups:
        cells = [[round(100 * share, 1)] for _, share in groups[:ROWS]]
        yield heat_map("Records left out, by group", [name for name, _ in groups[:ROWS]], ["% left out"], cells)


@charts_of.register
def _(document: RecipientDocument) -> Iterator[Chart]:
    scores = (document.linkage, document.reidentifiability, document.understanding)
    note = f"On average {document.average:.2f} of 10: {document.grade}."
    names = ["linkage", "re-identifiability", "understanding"]
    yield bars("Scores of the recipient", names, [("points", scores)], x="", y="points of 10", note=note)


@charts_of.register
def _(document: ContextDocument) -> Iterator[Chart]:
    """The matrix of risk and benefit, highest risk at the top, with the release in it."""
    content = document.matrix
    areas = {(cell.risk, cell.benefit): cell.area for cell in content.areas}
    across = list(dict.fromkeys(cell.benefit for cell in content.areas))
    down = list(dict.fromkeys(cell.risk for cell in content.areas))[::-1]
    risk, benefit = content.risk.level, content.benefit.level
    yield matrix(
        "Risk and benefit of the release",
        [f"{level} risk" for level in down],
        [f"{level} benefit" for level in across],
        [[areas[one, other] for other in across] for one in down],
        here=(None if risk is None else down.index(risk), None if benefit is None else across.index(benefit)),
        note=content.sentence,
    )


@charts_of.register
def _(document: HierarchyDocument) -> Iterator[Chart]:
    labels = [f"level {level.level}" for level in document.levels]
    counts = [float(level.labels) for level in document.levels]
    yield bars("Labels at each level of the hierarchy", labels, [("labels", counts)], x="", y="labels")


@charts_of.register
def _(document: VerifiedDocument) -> Iterator[Chart]:
    counts = document.counts
    true = counts.claims - counts.contradicted - counts.unchecked
    groups = ["true", "not true", "not checked"]
    numbers = [float(n) for n in (true, counts.contradicted, counts.unchecked)]
    yield bars("Claims of the package", groups, [("claims", numbers)], x="", y="claims")


@charts_of.register
def _(document: TriageDocument) -> Iterator[Chart]:
    tables = Counter(table.holds for table in document.tables)
    numbers = [float(number) for number in tables.values()]
    yield bars("Tables by what they hold", list(tables), [("tables", numbers)], x="", y="tables")


@charts_of.register
def _(document: LogDocument) -> Iterator[Chart]:
    # A line of a log may have been changed, and lack what others have.
    commands = Counter(str(use.get("command", {}).get("name", "unknown")) for use in document.uses)
    named = commands.most_common(BARS)
    if named:
        numbers = [float(number) for _, number in named]
        yield bars("Uses of the project", [name for name, _ in named], [("uses", numbers)], x="command", y="uses")


@charts_of.register
def _(document: SafeHarborDocument) -> Iterator[Chart]:
    passed = sum(item.passed for item in document.items)
    numbers = [float(passed), float(len(document.items) - passed)]
    yield bars("Identifiers of the Safe Harbor list", ["gone", "left or open"], [("items", numbers)], x="", y="items")


@charts_of.register
def _(document: TabulationDocument) -> Iterator[Chart]:
    """A grid for each table: its first column down, its second across, the others in total; a hidden cell is empty."""
    total = document.total_label
    for table in document.tables:
        down, across = table[0], table[1] if len(table) > 1 else None
        inside = [cell for cell in document.cells if _only(cell, {down, across}, total)]
        rows = list(dict.fromkeys(cell.values[down] for cell in inside))[-ROWS:]
        columns = list(dict.fromkeys(cell.values[across] for cell in inside))[-BARS:] if across else ["count"]
        counts = {(cell.values[down], cell.values[across] if across else "count"): cell.count for cell in inside}
        cells = [[counts.get((row, column)) for column in columns] for row in rows]
        named = f"{down} and {across}" if across else down
        yield heat_map(f"{document.counted.capitalize()} by {named}", rows, columns, cells, note="Grey: hidden.")


def _only(cell: CellDocument, columns: set[str | None], total: str) -> bool:
    """Whether a cell is a total over all columns but these."""
    return all(label == total for name, label in cell.values.items() if name not in columns)
