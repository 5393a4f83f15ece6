"""The verb `study`: the files of a study in, the record flags and the report out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sfumato.errors import ProjectError, WrongScale
from sfumato.outputs import whole, write_text
from sfumato.privacy.assess import answer
from sfumato.privacy.assessment import Assessment, Reading
from sfumato.privacy.bins import Bins
from sfumato.privacy.catalogue import measure
from sfumato.privacy.flagged_files import write_reading
from sfumato.privacy.measure_interface import Measure
from sfumato.privacy.policy import Requirement
from sfumato.privacy.question import Question
from sfumato.progress import Tell, of_one, quiet
from sfumato.studies.bio_streams.configuration import BINNED
from sfumato.studies.bio_streams.joint_summary import joint_summary_text
from sfumato.studies.bio_streams.study import PILOTS, Study
from sfumato.studies.bio_streams.summary import PilotFindings, SensitiveFindings, summary_text
from sfumato.studies.sdtm.domain import SUBJECT
from sfumato.tables.engine import Engine, Table, listed, quoted
from sfumato.tables.load import engine_named, load
from sfumato.tables.source import Extract

JOINT = "joint_privacy_summary.txt"  # beside the folders of the pilots


@dataclass(frozen=True)
class StudyResult:
    """A study, assessed: what was found, and the files that say so."""

    study: Study
    assessment: Assessment
    findings: PilotFindings
    files: tuple[Path, ...]
    summary: str


@dataclass(frozen=True)
class JointResult:
    """Several pilots, each assessed by itself, and the summary that sets them side by side."""

    pilots: tuple[StudyResult, ...]
    files: tuple[Path, ...]
    summary: str


def bio_streams(
    root: str | Path,
    *,
    pilot: str | None = None,
    config: str | Path | None = None,
    project: str | Path | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> StudyResult:
    """Combine the domains of a BIO-STREAMS pilot, assess k, l and t, write the risky rows and the summary."""
    return assess_pilot(Study.open(root, pilot, config, project=project), engine=engine, tell=tell)


def opened(
    root: str | Path,
    pilots: Sequence[str | None],
    *,
    config: str | Path | None = None,
    project: str | Path | None = None,
) -> tuple[Study, ...]:
    """The studies of these pilots, each once. What is wrong with the settings of any is found before one is read."""
    if not pilots:
        raise ProjectError(Path(root) / PILOTS, "there is no pilot in this folder.")
    return tuple(Study.open(root, pilot, config, project=project) for pilot in dict.fromkeys(pilots))


def assess_pilots(studies: Sequence[Study], *, engine: Engine | None = None, tell: Tell = quiet) -> JointResult:
    """Assess pilots one after the other, and write the joint summary once all of them are read."""
    results = tuple(assess_pilot(study, engine=engine, tell=partial(of_one, study.pilot, tell)) for study in studies)
    summary = joint_summary_text([one.findings for one in results])
    joint = studies[0].root / PILOTS / JOINT
    write_text(joint, summary, private=True)
    return JointResult(results, (*(file for one in results for file in one.files), joint), summary)


def assess_pilot(study: Study, *, engine: Engine | None = None, tell: Tell = quiet) -> StudyResult:
    """Combine the domains of one pilot and assess it, in the engine given, that of its project, or DuckDB."""
    named = study.project.engine if study.project is not None else None
    engine = engine or engine_named(named)
    tell("Combining the domains")
    combined = study.combine(engine, lambda path: load(path, study.read_options(path), engine))
    _require_inside(study, combined.table)
    extract = Extract(f"pilot {study.pilot}", combined.table, (), combined.notes)
    assessment = answer(extract, _question(study, combined.table), tell=tell)
    findings = _findings(study, assessment)
    summary = summary_text(findings)
    files = _written(study, assessment, summary, combined.path or study.output)
    return StudyResult(study, assessment, findings, files, summary)


def _question(study: Study, table: Table) -> Question:
    config = study.config
    requirements = [Requirement(measure("k_anonymity"), config.K)]
    for column in config.sensitive_features:
        bins = config.sensitive_binning_config_for_L.get(column, ())
        diversity = measure("distinct_l_diversity", {"sensitive": column, "bins": bins})
        requirements += [
            Requirement(diversity, config.L),
            Requirement(_closeness(study, table, column), config.T),
        ]
    return Question(
        quasi=config.quasi_identifiers,
        sensitive=config.sensitive_features,
        subject=SUBJECT,
        changes={column: {"bins": edges} for column, edges in config.binning_config.items()},
        requirements=tuple(requirements),
        separator=config.separator,
    )


def _closeness(study: Study, table: Table, column: str) -> Measure:
    """The measure that a project names; else Wasserstein for numbers, total variation for categories and for bins."""
    bins, named = study.config.sensitive_binning_config.get(column, ()), study.config.closeness.get(column)
    if named is not None:
        return measure(named, {"sensitive": column, **({"bins": bins} if bins else {})})
    if bins or not table.kinds[column].numeric:
        return measure("t_closeness", {"sensitive": column, "bins": bins})
    return measure("t_wasserstein", {"sensitive": column})


def _require_inside(study: Study, table: Table) -> None:
    """With strict bins, refuse numbers beyond the edges."""
    if not study.config.strict_bins:
        return
    for key in BINNED:
        for column, edges in getattr(study.config, key).items():
            beyond = f"SELECT count(*) FROM {table} WHERE {Bins(edges).outside(quoted(column))}"
            outside = table.engine.fetch(beyond)[0][0]
            if outside:
                raise WrongScale(
                    f"Column {column!r} has {outside} values outside its bins, and strict_bins is on. "
                    f"Widen the edges in {key}, or turn strict_bins off."
                )


def _findings(study: Study, assessment: Assessment) -> PilotFindings:
    overlap = assessment.overlap
    counts = {f"{family} only": overlap.only.get(family, 0) for family in ("k", "l", "t")}
    k, *rest = assessment.readings
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return PilotFindings(
        pilot=study.pilot,
        config=study.config,
        total=assessment.records,
        k_flagged=k.flagged,
        sensitive=tuple(
            SensitiveFindings(diversity.sensitive or "", diversity.flagged, closeness.flagged, closeness.left_out)
            for diversity, closeness in pairs
        ),
        smallest=assessment.sizes.smallest,
        missing=_missing(assessment),
        overlaps={**counts, "several": overlap.several, "any": overlap.any},
        notes=(*(_twin(reading) for reading in assessment.alongside if reading.value is not None), *assessment.notes),
    )


def _twin(reading: Reading) -> str:
    return f"{reading.sensitive}: {reading.measure.name()} is {reading.value:.4f} ({reading.measure.plainly})."


def _missing(assessment: Assessment) -> dict[str, int]:
    names = assessment.dataset.quasi_identifiers
    counts = listed(f"count(*) - count(k{i})" for i in range(1, len(names) + 1))
    missing = assessment.classes.engine.fetch(f"SELECT {counts} FROM {assessment.classes.records}")[0]
    return {name: int(n) for name, n in zip(names, missing, strict=True) if n}


def _written(study: Study, assessment: Assessment, summary: str, combined: Path) -> tuple[Path, ...]:
    names = study.file_names
    k, *rest = assessment.readings
    files: list[tuple[Reading, str, int | None]] = [(k, names.risky_k, None)]
    for diversity, closeness in zip(rest[::2], rest[1::2], strict=True):
        files.append((diversity, names.risky_l(diversity.sensitive or ""), None))
        files.append((closeness, names.risky_t(closeness.sensitive or ""), 2))
    with whole(study.output, private=True) as draft:
        for reading, name, decimals in files:
            write_reading(assessment, reading, draft / name, decimals=decimals)
        (draft / names.summary).write_text(summary, encoding="utf-8", newline="\n")
    return (combined, *(study.output / name for _, name, _ in files), study.output / names.summary)
