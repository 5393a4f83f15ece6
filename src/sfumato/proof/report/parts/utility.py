"""The utility: what is left of the data, column by column, and how the values are spread before and after."""

from __future__ import annotations

from sfumato.progress import Tell, quiet
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.released_labels import common_labels, shown_distribution
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.charts.chart import Chart
from sfumato.show.sheet import Section, counted
from sfumato.show.sheets.losses import whole_sheet
from sfumato.utility.catalogue import utility_models
from sfumato.utility.losses import Losses

DRAWN = 30  # columns that get a picture; more make a report slow to open and long to print. Chosen, not measured
COLUMNS, TABLE, MODELS = "Column by column", "The table as a whole", "Every model by column, lost"


def utility_part(evidence: ReportEvidence, mask: SmallNumberMask, *, draw: bool = True, tell: Tell = quiet) -> Part:
    """What was lost, and the distributions before and after."""
    first = "How much of what the data can say is left. 0 % lost is the original; 100 % lost says nothing any more."
    losses = evidence.losses
    if losses is None:
        nothing = "There is no release to compare with the original."
        return Part("utility", "Utility", (first, nothing), gist=nothing)
    sheet = whole_sheet(losses.content())
    sections = {section.title: section for section in sheet.sections}
    names = [model.name() for model in losses.figures]
    models = utility_models()
    told = tuple(explained(name, models[name], models[name].plainly, str(models[name].bounds)) for name in names)
    blocks = [
        Block(sections[COLUMNS]),
        Block(sections[TABLE], explained=told),
        _distributions(evidence, losses, mask, draw=draw, tell=tell),
        *(Block(sections[title]) for title in (MODELS, "Not applicable") if title in sections),
    ]
    words = (first, sheet.verdict, *map(mask.words, losses.notes))
    gist = f"{counted(len(names), 'model')}, by column and in total; distributions before and after."
    return Part("utility", "Utility", words, tuple(blocks), gist=gist)


def _distributions(evidence: ReportEvidence, losses: Losses, mask: SmallNumberMask, *, draw: bool, tell: Tell) -> Block:
    """Every compared column before and after, in labels of the release."""
    names = [column.name for column in losses.compared.pairing.columns][:DRAWN]
    charts: list[Chart] = []
    for drawn, name in enumerate(names if draw else ()):
        tell("Drawing the columns", drawn, len(names))
        labels = common_labels(evidence.released, name, mask)
        charts.append(shown_distribution(losses.compared, name, labels, mask).chart(mask.least))
    remark = (
        "Numbers and dates are drawn by how densely they lie: records over the width of their range. Only labels that "
        f"{mask.least} released records or more share are named; all others are drawn together. Counts are rounded."
    )
    title = "Distributions before and after"
    return Block(Section(title, remarks=(remark,) if charts else ("The charts are left out.",)), tuple(charts))
