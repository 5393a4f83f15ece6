"""The verbs of the context: show it beside the risk of a table, and write answers into a project file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sfumato.errors import MissingRole
from sfumato.outputs import require_new, write_text
from sfumato.plans.made_columns import plan_of, with_made_columns
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.meaning_of_columns import project_dataset, understood
from sfumato.privacy.question import Question
from sfumato.privacy.sizes import Sizes
from sfumato.progress import Tell, quiet
from sfumato.project.context.ask import ask_context
from sfumato.project.context.file import with_context, written_context
from sfumato.project.context.result import Context
from sfumato.project.context.risk_benefit import MeasuredRisk
from sfumato.project.file import Project
from sfumato.project.file.yaml_file import read_yaml
from sfumato.schema import Role
from sfumato.tables.engine import Engine
from sfumato.tables.load import engine_named, load
from sfumato.tables.source import Extract, ReadOptions

USUAL = "sfumato.yaml"


def context(
    project: Project | str | Path = USUAL,
    data: str | None = None,
    *,
    measure: bool = True,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Context:
    """The context that a project file describes, with the risk of `data`, the release, or else of the file's source.

    Without a table, without quasi-identifiers, or with `measure=False`, the risk stays unanswered.
    """
    known = project if isinstance(project, Project) else Project.read(project)
    quasi = [attribute.name for attribute in known.attributes if attribute.role is Role.QUASI]
    if data is not None and not quasi:
        raise MissingRole(Role.QUASI, "Measuring the risk")
    if not measure or not quasi or (data or known.source) is None:
        return Context.of(known)
    tell("Reading the data")
    # How the source is read says nothing of a release: its numbers may have become texts.
    given = options or ReadOptions()
    given = given if data else given.completed_by(known.read_options())
    extract = load(data or known.source, given, engine or engine_named(known.engine))
    extract = extract if data else with_made_columns(extract, plan_of(known), known.named_columns)
    dataset = _released(known, extract) if data else understood(project_dataset(known, extract), Question())
    tell("Counting people alike")
    sizes = Sizes.of(dataset.classes())
    who = "record" if dataset.subject is None else "person"
    shown = Context.of(known, MeasuredRisk(sizes.smallest, extract.name, who), extract.table.columns)
    return replace(shown, notes=(*shown.notes, *_uncounted(known, dataset)))


def answered(project: str | Path, save: str | Path | None = None, *, overwrite: bool = False) -> tuple[Project, Path]:
    """Ask every question, and write the answers into the project file, or to a file of their own.

    The project with the answers, and the file that was written. Everything else in the project file stays as it was.
    """
    path, target = Path(project), Path(save or project)
    if save is not None:
        require_new(target, overwrite=overwrite)  # before forty questions are answered, not after
    text = _text(path, needed=save is None)
    columns = asked_columns(Project.parse(text, path)) if text else ()
    known = read_yaml(text, path).value if text else {}
    answers = ask_context(known.get("context"), columns)
    changed = with_context(text, answers, path, columns)
    if save is None:
        write_text(target, changed)
    else:
        write_text(target, written_context(answers, columns), overwrite=overwrite)
    return Project.parse(changed, path), target


def template_for(project: str | Path, target: str | Path, *, overwrite: bool = False) -> Path:
    """Write the questions, with what is answered already, to a file that can be read as a project file."""
    require_new(target, overwrite=overwrite)
    text = _text(Path(project), needed=False)
    columns = asked_columns(Project.parse(text, project)) if text else ()
    known = read_yaml(text, project).value if text else {}
    write_text(target, written_context(known.get("context") or {}, columns), overwrite=overwrite)
    return Path(target)


def _text(path: Path, *, needed: bool) -> str:
    """The text of a project file, which is as it should be; empty when there is none and none is needed."""
    if not needed and not path.exists():
        return ""
    Project.read(path)
    return path.read_bytes().decode("utf-8-sig")


def asked_columns(project: Project) -> tuple[str, ...]:
    """The columns whose benefit is asked: those of the file that are no direct identifiers."""
    named = [a.name for a in project.attributes if a.role is not Role.DIRECT and a.name != project.subject]
    return tuple(dict.fromkeys([*named, *project.context.get("benefits", {})]))


def _uncounted(project: Project, dataset: Dataset) -> tuple[str, ...]:
    """What to say where persons were known before, and only their records can be counted now."""
    if project.subject is None or dataset.subject is not None:
        return ()
    return (
        f"The release lacks {project.subject!r}, so records were counted, not persons: several records of one person "
        "look like several people, and the risk may be higher.",
    )


def _released(project: Project, extract: Extract) -> Dataset:
    """A release with the roles of the project file, each column as it is in the release."""
    here = extract.table.columns
    quasi = tuple(a.name for a in project.attributes if a.role is Role.QUASI and a.name in here)
    subject = project.subject if project.subject in here else None
    question = Question(quasi=quasi, subject=subject, missing=project.missing_values)
    return understood(Dataset.of(extract.table), question)
