"""The verb of reports: everything on a release, from its project file to one report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sfumato.privacy.meaning_of_columns import project_and_source
from sfumato.privacy.policy import Requirement
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.project.file import Project
from sfumato.proof.report.document import Report
from sfumato.proof.report.evidence import ReportEvidence, gather_evidence
from sfumato.proof.report.parts.at_a_glance import at_a_glance, masked_verdict
from sfumato.proof.report.parts.authority import authority_part
from sfumato.proof.report.parts.context import context_part
from sfumato.proof.report.parts.data import data_part
from sfumato.proof.report.parts.governance import governance_part
from sfumato.proof.report.parts.identifiability import identifiability_part
from sfumato.proof.report.parts.safe_harbor import safe_harbor_part
from sfumato.proof.report.parts.summary import summary_part
from sfumato.proof.report.parts.terms import glossary_part
from sfumato.proof.report.parts.transformations import transformations_part
from sfumato.proof.report.parts.utility import utility_part
from sfumato.proof.report.request import ReportRequest
from sfumato.proof.report.small_numbers import LEAST, SmallNumberMask
from sfumato.search.anonymisation import Anonymised
from sfumato.secrets import Secrets
from sfumato.show.charts.chart import can_draw
from sfumato.show.sheet import but_open
from sfumato.show.sheets.decided_columns import against_evidence_words, left_out_words
from sfumato.show.sheets.losses import losses_sheet
from sfumato.tables.engine import Engine
from sfumato.tables.source import ReadOptions

NO_CHARTS = "Charts are left out: drawing them needs the extra [plots] (pip install 'sfumato[plots]')."


def report(
    data: Any = None,
    *,
    project: Project | str | Path | None = None,
    released: Any = None,
    key: str | None = None,
    by_position: bool = False,
    anonymised: Anonymised | None = None,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    direct: Sequence[str] | str = (),
    non_sensitive: Sequence[str] | str = (),
    release_rest: bool = False,
    subject: str | None = None,
    k: int | None = None,
    l: float | None = None,  # noqa: E741
    t: float | None = None,
    requirements: Iterable[Requirement | str] = (),
    mask: int = LEAST,
    charts: bool = True,
    attacks: bool = True,
    curve: bool = True,
    secrets: Mapping[str, str | Path] | Secrets | None = None,
    key_file: str | Path | None = None,
    by: str | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Report:
    """The report on a release: what a reader must know on one page, and all the evidence behind it.

    The parts are context, data, identifiability, transformations, utility and governance, in the order of ISO/IEC
    27559; then what a supervisory authority asks, HIPAA's list of identifiers, and a glossary.

    `data` is a frame, a file or an `Extract`; a `project` file says what its columns mean, what must hold and how the
    release is made. The release is `released`, whose records are paired by a `key`, or `by_position` where both tables
    are known to be in the same order; or what was `anonymised` before; or what the plan of the project makes; or what a
    search finds for the requirements. Without any of these the report is about the table as it is. Groups of fewer than
    `mask` are hidden. `charts`, `attacks` and `curve` (of risk against loss) can be left out where they take long. `by`
    is who says what is said here of the columns.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [30 + i % 4 for i in range(60)], "sex": ["f", "m", "f"] * 20})
    >>> told = report(table, quasi=["age", "sex"], k=3, charts=False, attacks=False, curve=False)
    >>> [part.key for part in told.parts]  # doctest: +NORMALIZE_WHITESPACE
    ['context', 'data', 'identifiability', 'transformations', 'utility', 'governance', 'authority', 'safe_harbor',
     'glossary']
    """
    question = Question.written(
        quasi=quasi, sensitive=sensitive, direct=direct, non_sensitive=non_sensitive, release_rest=release_rest,
        subject=subject, k=k, l=l, t=t, requirements=requirements,
    )  # fmt: skip
    if anonymised is None or isinstance(project, Project):
        known, source = project_and_source(data, project, "report on")
    else:  # a release that was made before brings its original along
        known, source = (Project.read(project) if project else None), data
    request = ReportRequest(
        data=source,
        project=known.with_given(question.roles, by) if known else None,
        question=question,
        released=released,
        key=key,
        by_position=by_position,
        anonymised=anonymised,
        attacks=attacks,
        curve=curve,
        secrets=_secrets(secrets, key_file, known, anonymised),
        options=options,
        engine=engine,
        by=by,
    )
    small = SmallNumberMask(mask)  # refuses what is no size of a group, before anything is read
    return report_on(gather_evidence(request, tell), small, charts=charts, tell=tell)


def _secrets(
    given: Mapping[str, str | Path] | Secrets | None,
    key_file: str | Path | None,
    project: Project | None,
    anonymised: Anonymised | None,
) -> Secrets:
    """What the steps of the plan are followed with: as given, or as the release was made that is reported on."""
    made = anonymised.followed.secrets if anonymised is not None and given is None and key_file is None else given
    return Secrets.of(made, key_file=key_file, folder=Path(project.path).parent if project else None)


def report_on(evidence: ReportEvidence, mask: SmallNumberMask, *, charts: bool = True, tell: Tell = quiet) -> Report:
    """The summary, then the evidence in the order of ISO/IEC 27559, and what an authority and HIPAA ask."""
    draw = charts and can_draw()
    tell("Writing the report")
    parts = (
        context_part(evidence, draw=draw),
        data_part(evidence, mask),
        identifiability_part(evidence, mask, draw=draw),
        transformations_part(evidence, mask, draw=draw),
        utility_part(evidence, mask, draw=draw, tell=tell),
        governance_part(evidence, mask),
        authority_part(evidence, mask),
        safe_harbor_part(evidence),
    )
    about = "the release of " if evidence.released else ""
    return Report(
        title=f"Report on {about}{evidence.extract.name}",
        headline=_headline(evidence),
        parts=(*parts, glossary_part(parts)),
        summary=summary_part(evidence, mask),
        glance=at_a_glance(evidence, mask),
        verdict=masked_verdict(evidence, mask),
        mask=mask.least,
        notes=(NO_CHARTS,) if charts and not draw else (),
    )


def _headline(evidence: ReportEvidence) -> str:
    """One line that says it all."""
    what = "the release" if evidence.released else "the table as it is"
    unread = f"No requirement could be read off {what}" if evidence.required else f"Nothing was required of {what}"
    everywhere = ", in every scenario" if evidence.knowing else ""
    met = {
        True: f"Every requirement is met by {what}{everywhere}{but_open(evidence.verdict.open)}",
        False: f"Not met: {what} breaks a requirement",
        None: unread,
    }[evidence.met]
    sizes = [assessment.sizes.smallest for assessment in evidence.after.values()] or [evidence.before.sizes.smallest]
    alike = "records" if evidence.before.subjects is None else "people"
    lost = losses_sheet(evidence.losses.content()).verdict if evidence.losses else ""
    left = f" Still in it: {', '.join(evidence.left_in)}." if evidence.left_in else ""
    crowd = f" At least {min(sizes)} {alike} look alike." if min(sizes) > 1 else " Somebody looks like nobody else."
    crowd = f" To whoever knows all quasi-identifiers:{crowd[:2].lower()}{crowd[2:]}" if evidence.knowing else crowd
    crowd = crowd if evidence.after or not evidence.released else ""
    undecided = evidence.released.left_out_columns if evidence.released else ()
    columns = (left_out_words(undecided), against_evidence_words(evidence.against_evidence))
    return " ".join((f"{met}.{crowd} {lost}".strip() + left, *filter(None, columns)))
