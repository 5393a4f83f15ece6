"""Roles proposed in a project file: in the first version of it, and in one that somebody has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sfumato.errors import ProjectError
from sfumato.project.file.added_entries import Edit, edited, entries_edit
from sfumato.project.file.project import Project
from sfumato.project.file.yaml_file import YamlFile, read_yaml
from sfumato.project.file.yaml_text import one_line, quoted_text, yaml_key, yaml_text
from sfumato.schema import Role, role_name
from sfumato.tables.source import Column, Extract, Proposal, ReadOptions


def project_template(
    extract: Extract,
    source: str,
    roles: Mapping[str, Role | None] | None = None,
    subject: str | None = None,
) -> str:
    """A commented first project file for a source that was just read. Every role in it is a proposal.

    `subject` is the column that tells persons apart, where some have several records. It is taken at once: classes that
    count persons are never larger than those that count records, so that who does not look is on the safe side.
    """
    options = extract.options or ReadOptions()
    columns = "".join(
        _column_line(
            column,
            (roles or {}).get(column.name),
            read=_column_keys(column.name, options),
            proposals=[proposal for proposal in extract.proposals if column.name in proposal.columns],
        )
        for column in extract.columns
    )
    proposed = {proposal.note for proposal in extract.proposals}  # these stand at their columns
    notes = "".join(f"  # note: {one_line(note)}\n" for note in extract.notes if note not in proposed)
    return TEMPLATE.format(
        source=_source_line(source) + _data_lines(options),
        notes=notes,
        subject=_subject_line(subject),
        columns="columns:\n" + columns if columns else "columns: {}\n",
    )


TEMPLATE = """\
# What Sfumato should know about this table. A role with `proposed: true` is not decided yet: `sfumato confirm`
# asks about each and writes down who decided, or give the column its role and delete `proposed: true`.
#   direct         names one person by itself: a health number, an e-mail address
#   quasi          names one person together with other columns: age, postcode, sex
#   sensitive      what an attacker would like to learn: a diagnosis, a laboratory value
#   non-sensitive  none of these
#   undecided      not known yet: the column is not released until it has another role
data:
{source}{notes}  # to override what was detected: delimiter, encoding, decimal, missing_tokens, table, query
engine: duckdb  # or spark
{subject}missing_values: own_value  # how a missing quasi-identifier compares: own_value, wildcard or never_matches
{columns}measures:
  - {{measure: k_anonymity, at_least: 5}}
  # - {{measure: distinct_l_diversity, sensitive: COLUMN, at_least: 3}}
  # - {{measure: t_closeness, sensitive: COLUMN, at_most: 0.3}}
"""


def _subject_line(subject: str | None) -> str:
    meaning = "which person a record is about; classes then count persons, not records"
    if subject is None:
        return f"# subject: COLUMN  # {meaning}\n"
    return f"subject: {yaml_text(subject)}  # proposed, since its values repeat: {meaning}\n"


def _column_line(column: Column, role: Role | None, *, read: str, proposals: Sequence[Proposal]) -> str:
    label = f"; {one_line(column.label)}" if column.label else ""
    comment = f"read as {column.kind} ({one_line(column.why)}); {column.missing} missing{label}"
    below = "".join(f"  #   {one_line(proposal.words)}, add: {one_line(proposal.key)}\n" for proposal in proposals)
    return f"  {yaml_key(column.name)} {_proposal(role, read)}  # {comment}\n{below}"


def _data_lines(options: ReadOptions) -> str:
    """What a person said on how the source is read, so that the file says it too."""
    texts = ("table", "query", "delimiter", "encoding", "decimal")
    lines = [f"  {key}: {quoted_text(getattr(options, key))}\n" for key in texts if getattr(options, key) is not None]
    lines += [f"  header: {str(options.header).lower()}\n"] if options.header is not None else []
    for key, tokens in (("missing_tokens", options.missing), ("also_missing", options.also_missing.get(""))):
        lines += [f"  {key}: {_token_list(tokens)}\n"] if tokens is not None else []
    return "".join(lines)


def _column_keys(name: str, options: ReadOptions) -> str:
    """The same for a column."""
    kind, form, also = options.kinds.get(name), options.date_formats.get(name), options.also_missing.get(name)
    keys = [f"type: {kind}"] if kind else []
    keys += [f"date_format: {quoted_text(form)}"] if form else []
    keys += [f"also_missing: {_token_list(also)}"] if also else []
    return "".join(f", {key}" for key in keys)


def _token_list(tokens: Iterable[str]) -> str:
    return f"[{', '.join(map(quoted_text, tokens))}]"


def _proposal(role: Role | None, read: str = "") -> str:
    return f"{{role: {role_name(role)}, proposed: true{read}}}"


def relative_source(path: Path, source: str) -> str:
    """A source as a project file names it: relative where it lies beside or below the file."""
    if "://" in source:
        return source
    place, folder = Path(source).resolve(), path.resolve().parent
    return str(place.relative_to(folder) if place.is_relative_to(folder) else place)


def _source_line(source: str) -> str:
    """The source, without the password that the URL of a database may hold."""
    public = re.sub(r"(?<=://)([^/@:]*):.*@", r"\1@", source) if "://" in source else source
    public = re.sub(r"([?&])password=[^&]*&?", r"\1", public).rstrip("?&") if "://" in source else public
    left_out = "  # the password was left out: give it in PGPASSWORD" if public != source else ""
    return f"  source: {yaml_text(public)}{left_out}\n"


def with_proposals(text: str, roles: Mapping[str, Role | None], path: object) -> str:
    """The text of a project file with these roles, where nobody has decided on one.

    Only the roles of columns that are marked `proposed: true` change, and columns that the file lacks are added;
    comments, order and all else stay as they are.
    """
    bom, text = text[: text.startswith("\ufeff")], text.removeprefix("\ufeff")
    project, file = Project.parse(text, str(path)), read_yaml(text, path)
    # What says undecided without the mark was written by a person, and would become a decision by another role.
    marked = {name for name in project.proposed if file.value["columns"][name].get("proposed")}
    edits = [role_edit(text, file, name, role) for name, role in roles.items() if name in marked]
    known = {attribute.name for attribute in project.attributes}
    added = {name: {"role": role_name(role), "proposed": True} for name, role in roles.items() if name not in known}
    edits += [entries_edit(text, file, "columns", added)] if added else []
    text = edited(text, edits)
    if Project.parse(text, str(path)).decided() != project.decided():
        raise ProjectError(path, "the roles could not be written without changing a decision. Nothing was written.")
    return bom + text


def role_edit(text: str, file: YamlFile, name: str, role: Role | None) -> Edit:
    """The edit that gives a column of the file another role."""
    start, end = file.spans["columns", name, "role"]
    mark = text[start] if text[start] in "\"'" else ""
    return start, end, f"{mark}{role_name(role)}{mark}"
