"""BIO-STREAMS: the domain files of a pilot, combined into one table of children.

    <root>/.env                                   BIOSTREAMS_PILOT=PENTELI
    <root>/pilot_report/PENTELI/DM.csv, LB.csv    one file per domain
    <root>/pilot_report/PENTELI/config.yaml       quasi-identifiers, sensitive columns, K, L, T
    <root>/pilot_report/PENTELI/processed_for_anonym/   what comes out

Reference: BIO-STREAMS deliverable D4.2 (2025), appendix A.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dotenv import dotenv_values

from sfumato.errors import EngineError, ProjectError, UnknownColumn, UnreadableFile, did_you_mean
from sfumato.project.file import Project
from sfumato.studies.bio_streams.configuration import BINNED, PUBLISHED, Configuration
from sfumato.studies.bio_streams.configuration_file import read_configuration_file
from sfumato.studies.bio_streams.project_settings import ProjectSettings
from sfumato.studies.bio_streams.summary import plain
from sfumato.studies.bio_streams.validation import validate_config
from sfumato.studies.sdtm.combination import CombinedTable, combine, write_whole
from sfumato.studies.sdtm.domain import SUBJECT, Domain, IdRule
from sfumato.tables.engine import Engine, Kind, Table, literal, quoted
from sfumato.tables.source import Extract, ReadOptions

VARIABLE = "BIOSTREAMS_PILOT"
PILOTS = "pilot_report"
OUTPUT = "processed_for_anonym"
COMBINED = "combined_dataset.csv"
ENDINGS = (".yaml", ".yml", ".json")


@dataclass(frozen=True)
class FileNames:
    """What the files of a pilot are called."""

    pilot: str
    config: Configuration

    @property
    def risky_k(self) -> str:
        """Records in classes that are too small."""
        return f"risky_rows_k{self.config.K}_anonymity.csv"

    def risky_l(self, sensitive: str) -> str:
        """Records in classes with too few distinct values of a sensitive column."""
        return f"risky_rows_l{self.config.L}_{_storable(sensitive)}.csv"

    def risky_t(self, sensitive: str) -> str:
        """Records in classes whose values are distributed unlike those of everybody."""
        return f"risky_rows_t{plain(self.config.T)}_{_storable(sensitive)}.csv"

    @property
    def summary(self) -> str:
        """The report."""
        return f"{self.pilot}_privacy_summary.txt"


@dataclass(frozen=True)
class Study:
    """One pilot of BIO-STREAMS: where its files are, and what is asked of them."""

    root: Path
    pilot: str
    config: Configuration
    notes: tuple[str, ...] = ()
    settings: tuple[Path, ...] = ()  # the files that say what is asked
    project: Project | None = None

    @classmethod
    def open(
        cls,
        root: str | Path,
        pilot: str | None = None,
        config: str | Path | Configuration | None = None,
        environment: Mapping[str, str] | None = None,
        project: str | Path | None = None,
    ) -> Study:
        """Find the pilot (given, in the environment, or in `.env`) and read its configuration.

        What a project file asks for goes before the configuration, which then only says how domains are combined.
        """
        root = Path(root)
        pilot = _pilot(root, pilot, os.environ if environment is None else environment)
        used = _used_configuration(root, pilot, config)
        known = Project.read(_project_file(root, pilot, project)) if project is not None else None
        if known is not None:
            used = _asked_by(known, used, root)
        _require_distinct_files(FileNames(pilot, used.config))
        return cls(root, pilot, used.config, used.notes, used.files, known)

    @property
    def folder(self) -> Path:
        """Where the domain files of the pilot are."""
        return self.root / PILOTS / self.pilot

    @property
    def output(self) -> Path:
        """Where what comes out goes."""
        return self.folder / OUTPUT

    @property
    def file_names(self) -> FileNames:
        """What the files that come out are called."""
        return FileNames(self.pilot, self.config)

    @property
    def domain_files(self) -> dict[str, Path]:
        """The files of the pilot by domain, in alphabetical order; two files of one domain are an error."""
        files: dict[str, Path] = {}
        for path in sorted(self.folder.iterdir(), key=lambda path: (_domain_name(path), path.name)):
            if path.suffix.lower() != ".csv" or path.name.startswith((".", "~")) or not path.is_file():
                continue
            name = _domain_name(path)
            if name in files:
                raise UnreadableFile(path, f"the domain {name} is in {files[name].name} as well. Remove one.")
            files[name] = path
        if not files:
            raise UnreadableFile(self.folder, "there is no domain file (such as DM.csv) in this folder.")
        return files

    def read_options(self, path: str | Path) -> ReadOptions:
        """How a domain file is to be read: identifiers as text, since 101.10 is not 101.1."""
        rule = self.config.combination.id_rule(_domain_name(Path(path)))
        kinds = {rule.column if rule else SUBJECT: Kind.TEXT}
        return ReadOptions(missing=self.config.missing_tokens, kinds=kinds)

    def combine(self, engine: Engine, read: Callable[[str], Extract]) -> CombinedTable:
        """Join the domains into one table, and write it to `combined_dataset.csv`."""
        extracts = {name: _read(path, read) for name, path in self.domain_files.items()}
        domains = [self._domain(name, engine, extract) for name, extract in extracts.items()]
        combined = combine(domains, self.config.combination)
        engine.drop(*(domain.table for domain in domains))
        self.config.require_columns(combined.table.columns)
        self._require_numbers(combined.table)
        path = write_whole(engine, combined.table, self.output / COMBINED)
        notes = [f"{name}: {note}" for name, extract in extracts.items() for note in extract.notes]
        notes += [_unused(key, name) for key, name in self.config.combination.settings if name not in extracts]
        return CombinedTable(combined.table, (*self.notes, *notes, *combined.notes), path)

    def _domain(self, name: str, engine: Engine, extract: Extract) -> Domain:
        rule = self.config.combination.id_rule(name)
        if rule:
            self._require_pattern(engine, rule)
        return Domain.of(name, str(self.domain_files[name]), extract.table, rule)

    def _require_numbers(self, table: Table) -> None:
        """Refuse bins for a column of words. A column without any value is no column of words."""
        binned = [(key, column) for key in BINNED for column in getattr(self.config, key)]
        for key, column in binned:
            if not table.kinds[column].numeric:
                ((words,),) = table.engine.fetch(f"SELECT count({quoted(column)}) FROM {table}")
                if words:
                    raise self.config.document.wrong("bins need numbers, and this column holds words.", key, column)

    def _require_pattern(self, engine: Engine, rule: IdRule) -> None:
        try:
            engine.fetch(f"SELECT {rule(literal(''))}")
        except EngineError:
            problem = "the pattern or its replacement is no regular expression (RE2)."
            raise self.config.document.wrong(problem, "id_rule") from None


def _unused(key: str, domain: str) -> str:
    return f"WARNING: {key} / {domain} was not used: this pilot has no domain of that name."


def _domain_name(path: Path) -> str:
    return path.stem.strip().upper()


def _read(path: Path, read: Callable[[str], Extract]) -> Extract:
    try:
        return read(str(path))
    except UnknownColumn as error:
        hint = "Every CSV file in the folder of a pilot is taken for a domain, and joined by its identifiers."
        raise UnreadableFile(path, str(error), hint=hint) from None


def pilots_of(root: str | Path) -> tuple[str, ...]:
    """Every pilot below a root folder, in alphabetical order."""
    folder = Path(root) / PILOTS
    if not folder.is_dir():
        raise ProjectError(folder, "there is no such folder. Give the folder above it with --root.")
    return tuple(sorted(path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")))


def _pilot(root: Path, chosen: str | None, environment: Mapping[str, str]) -> str:
    folder, pilots = root / PILOTS, pilots_of(root)
    pilot = (chosen or environment.get(VARIABLE) or _dotenv(root / ".env") or "").strip()
    known = ", ".join(pilots) or "none"
    if not pilot:
        where = f"with --pilot, in the environment variable {VARIABLE}, or as {VARIABLE}=NAME in {root / '.env'}"
        raise ProjectError(root, f"no pilot is chosen. Set it {where}. Pilots in {PILOTS}/: {known}.")
    if pilot not in pilots:
        nearest = did_you_mean(pilot, pilots)
        raise ProjectError(folder, f"there is no pilot {pilot!r}.{nearest} Pilots here: {known}.")
    return pilot


def _dotenv(path: Path) -> str | None:
    try:
        return dotenv_values(path, encoding="utf-8-sig", interpolate=False).get(VARIABLE)
    except (OSError, UnicodeDecodeError) as error:
        raise ProjectError(path, f"this file cannot be read ({type(error).__name__}). Save it as UTF-8.") from None


@dataclass(frozen=True)
class _Used:
    """A configuration, what is to be said of where it came from, and the files that it stood in."""

    config: Configuration
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()


def _used_configuration(root: Path, pilot: str, config: str | Path | Configuration | None) -> _Used:
    if isinstance(config, Configuration):
        return _Used(config)
    files = [Path(config)] if config else _configuration_files(root, pilot)
    if not files:
        return _Used(PUBLISHED, (_UNCONFIGURED,))
    used, *others = (_within(root, path) for path in files)
    ignored = [f"Configuration: {other} was ignored, since {used} was found first." for other in others]
    read = validate_config(read_configuration_file(files[0]))
    return _Used(read, (f"Configuration: {used}.", *ignored), (files[0],))


def _asked_by(project: Project, combining: _Used, root: Path) -> _Used:
    """What a project asks for, with the way of combining domains that a configuration describes."""
    settings, path = ProjectSettings(project), Path(project.path)
    notes = [f"Roles, bins and bounds: {_within(root, path)}.", *settings.notes()]
    if combining.files:
        notes.append(f"How the domains were combined: {_within(root, combining.files[0])}.")
    return _Used(settings.configuration(combining.config), tuple(notes), (path, *combining.files))


def _project_file(root: Path, pilot: str, project: str | Path) -> Path:
    """A project file by its path; a plain name is that of the file in the folder of each pilot, where there is one."""
    own = root / PILOTS / pilot / project
    return own if own.is_file() and Path(project).name == str(project) else Path(project)


def _within(root: Path, path: Path) -> Path:
    """A path as it is seen from the root: the same data give the same summary wherever the root is."""
    return path.relative_to(root) if path.is_relative_to(root) else path


_UNCONFIGURED = (
    f"WARNING: no configuration file was found, so the published example was used, with K = {PUBLISHED.K}, "
    f"L = {PUBLISHED.L} and T = {plain(PUBLISHED.T)}. Write a config.yaml for this pilot: T is in the unit "
    "of the sensitive variable."
)


def _configuration_files(root: Path, pilot: str) -> list[Path]:
    stems = (root / PILOTS / pilot / "config", root / "config", root / "bio_streams")
    return [path for stem in stems for ending in ENDINGS if (path := stem.with_name(stem.name + ending)).is_file()]


def _require_distinct_files(names: FileNames) -> None:
    """Two sensitive columns whose names differ only in what a file system forbids would share a file."""
    sensitive: Sequence[str] = names.config.sensitive_features
    if len({names.risky_l(name).casefold() for name in sensitive}) < len(sensitive):
        problem = "two of these columns would be written to one file. Rename one."
        raise names.config.document.wrong(problem, "sensitive_feature")


def _storable(name: str) -> str:
    return re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", name)
