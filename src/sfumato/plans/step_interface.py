"""Transformations: what can be done to a table on its way to a release, and what they may use."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

from sfumato.canonical import parsed
from sfumato.errors import PlanError
from sfumato.members import Named
from sfumato.plans.draft import Draft
from sfumato.plans.kept_files import FilesByName, KeptFile, Steward, is_kept
from sfumato.secrets import Secrets, for_purpose
from sfumato.tables.engine import Engine


def no_key_given() -> bytes:
    """There is no key: what is looked at outside of a plan draws nothing."""
    raise PlanError("a step that draws at random needs the key of a project.")


@dataclass(frozen=True)
class Resources:
    """What a step may use besides its own fields: chance, secrets, and files beside the plan.

    Chance is a keyed hash of the step and of whatever it is drawn for: the same each time and on every engine, not
    touched when other steps come, go or change places, and not to be computed without the key of the project.
    """

    step: str
    folder: Path
    secrets: Secrets
    key: Callable[[], bytes] = no_key_given  # of the project; asked for when something is drawn
    hierarchies: Mapping[str, Path] = field(default_factory=dict)  # files by column, for steps that name none
    kept: tuple[Path, ...] = ()  # folders of files that were not handed on with the plan

    def uniform(self, engine: Engine, unit: str, draw: str = "") -> str:
        """A number from 0 (inclusive) to 1 (exclusive) for each unit, as SQL; `unit` is SQL text.

        One unit and draw gives one number; for several independent numbers name several draws. Which unit: one of
        `sfumato.plans.blocks.draws`, that says what a record is and not where it stands.
        """
        return engine.keyed_uniform(self.purpose_key("draw", self.step, draw), unit)

    def purpose_key(self, *purpose: str) -> bytes:
        """The key of one purpose. It comes from that of the project, which itself never enters an engine."""
        return for_purpose(self.key(), *purpose)

    def secret_key(self, name: str, *purpose: str) -> bytes:
        """The key of one purpose that comes from a secret; of a passphrase with the salt of the project."""
        return for_purpose(self.secrets.key_of(name, self.salt), *purpose)

    def salt(self) -> bytes:
        """The salt of passphrases: it comes from the key of the project, so that each project has its own."""
        return self.purpose_key("passphrases")

    def located(self, given: Any) -> Any:
        """Parameters of a step, with what kept files hold in the place of their names: lists, or else paths."""
        if not isinstance(given, Mapping):
            return given
        return {key: self._held(value) if is_kept(value) else value for key, value in given.items()}

    def kept_file(self, kept: KeptFile) -> Path:
        """Where a kept file is: beside the plan, or in a folder of kept files. Its hash must be the one in the plan."""
        located = kept.located((self.folder, *self.kept))
        if located is None:
            raise PlanError(
                f"{kept.file} lists values of the original, so it stayed with its steward when the plan was handed on, "
                f"and it is not here. Put it beside the plan, or name the evidence of the release: --evidence DIR."
            )
        path, digest = located
        if digest != kept.sha256:
            raise PlanError(
                f"{kept.file} was changed since the plan was handed on: its hash is not the one in the plan."
            )
        return path.resolve()

    def _held(self, given: Mapping[str, str]) -> Any:
        path = self.kept_file(KeptFile(given["file"], given["sha256"]))
        try:
            return parsed(path.read_bytes()) if path.suffix == ".json" else str(path)
        except ValueError:
            raise PlanError(f"{path.name} holds no list of values.") from None


class Transformation(Named, ABC):
    """A function from a draft to a draft, decided completely by its fields.

    To add one, write a subclass in one new file of `steps/`. Subclasses are frozen dataclasses whose fields are
    the parameters that a plan names. What can be wrong with the data is found in `apply`, before anything is written:
    a draft is only a view, so `apply` may ask the engine to count and must raise rather than let a cell be lost.
    """

    aliases: ClassVar[tuple[str, ...]] = ()  # the names of PHUSE rules that mean the same
    # Of a direct identifier no value may leave as it was. Where neither is so, it is looked for in the data.
    leaves_values: ClassVar[bool] = False  # the values are still there, though perhaps with others
    replaces_values: ClassVar[bool] = False  # every value becomes another, or is drawn anew

    @abstractmethod
    def apply(self, draft: Draft, resources: Resources) -> Draft:
        """The draft after this step. The given one is left as it was."""

    def settled(self, draft: Draft, resources: Resources) -> Transformation:
        """The same step with all that it decides by looking at the data written down, so that it can be replayed."""
        return self

    def broken_by(self, release: Draft, resources: Resources) -> tuple[str, ...]:
        """What the step requires of the release in the end and it does not keep to, in words. It is not written then.

        Where the subject is not released it may still be beside it, so that persons can be counted.
        """
        return ()

    @abstractmethod
    def explained(self) -> str:
        """What the step does, in one sentence for somebody who has to sign it."""

    def told(self) -> str:
        """The same for evidence, which others read: values that a condition or rule names stay in the plan."""
        settings = self.settings()
        if settings.get("where") is None and "rules" not in settings:
            return self.explained()
        named = settings.get("columns") or settings.get("column")
        of = f" {named if isinstance(named, str) else ', '.join(named)}" if named else ""
        return f"{self.name().replace('_', ' ').capitalize()}{of}, by conditions that the plan states."

    def examples(self) -> tuple[tuple[str, str], ...]:
        """Made-up values, before and after; never values of the data."""
        return ()

    def handed_on(self, steward: Steward) -> tuple[Transformation, FilesByName]:
        """The step as others may read it, and what must be kept from them: all that lists values of the original.

        Files and lists of values become names and hashes.
        """
        return self, {}

    def places(self) -> tuple[str, ...]:
        """The files that the step names, relative to the plan: one that leads out of its folder must be allowed."""
        return ()

    def secrets(self) -> tuple[str, ...]:
        """The names of the secrets that the step needs."""
        return ()

    def by_values(self, draft: Draft, resources: Resources) -> bool:
        """Whether the step only puts values in the place of others: the same for all records that have the same value.

        Then no record is left out, and it makes no difference how many there are of each.
        """
        return False

    def keyed(self) -> bool:
        """Whether something of the step is random to all who lack the key of the project."""
        return False

    def makes(self) -> tuple[str, ...]:
        """The columns that the step adds, out of others of the same record."""
        return ()

    def made_of(self) -> tuple[str, ...]:
        """The columns that what the step adds comes from."""
        return ()

    def gives_back(self) -> Mapping[str, str]:
        """Columns that can be computed again, to the day, from what the step adds and one other column: that other."""
        return {}

    def treated(self) -> frozenset[str]:
        """The columns that the step is done to: whoever wrote it has decided about them."""
        settings = self.settings()
        named = (settings.get("column"), settings.get("columns"))
        return frozenset(name for names in named if names for name in ([names] if isinstance(names, str) else names))

    def settings(self) -> dict[str, Any]:
        """The parameters that are not the usual ones, as a plan writes them."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        usual = inspect.signature(type(self)).parameters
        return {name: value for name, value in given.items() if value != usual[name].default}

    def wrong(self, problem: str) -> PlanError:
        """The error of a step that cannot be done, with the name of the transformation."""
        return PlanError(f"{self.name()}: {problem}")
