"""Plans: what will be done to a table, written down before it is done."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import PlanError, SecretError, SfumatoError
from sfumato.plans.draft import Draft
from sfumato.plans.kept_files import FilesByName, Salt, Steward
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.progress import Tell, quiet
from sfumato.schema import Role
from sfumato.secrets import Secrets

if TYPE_CHECKING:
    from sfumato.tables.source_state import SourceState

# What the chance of a plan is where it follows from a seed: everybody who reads the plan can draw the same.
NOT_PROTECTED = (
    "Not protected: the draws follow from a seed that stands in the plan, so whoever has the plan can undo them. "
    "Delete `seed`, and a key is made for them."
)


@dataclass(frozen=True)
class Step:
    """One transformation, and the name by which its chance is drawn.

    The name is its own, or says what it does: so a step draws the same numbers wherever it stands in a plan, and
    whatever else is in it.
    """

    transformation: Transformation
    id: str
    line: int | None = None
    because: str | None = field(default=None, compare=False)  # why it is done: for the steward, and not handed on
    proposed_by: str | None = field(default=None, compare=False)  # who proposed it; neither changes what it does

    @property
    def name(self) -> str:
        """The name of the transformation."""
        return self.transformation.name()

    @property
    def named(self) -> bool:
        """Whether a person gave the name: any other says all that the step does, with the values that it names."""
        return not self.id.startswith(_in_full(self.transformation))

    def document(self) -> dict[str, Any]:
        """The step as plain values."""
        return {"id": self.id, self.name: plain(self.transformation.settings())}


@dataclass(frozen=True)
class Plan:
    """Steps in order. The same plan and the same key on the same table give the same bytes.

    What steps draw comes from the key of the project. A `seed` is for examples: where there is no key, the draws follow
    from it, which protects nothing, and the release says so.
    """

    steps: tuple[Step, ...] = ()
    seed: str | None = None
    path: str = "plan"
    folder: Path = field(default=Path(), compare=False)  # files that steps name are relative to it
    hierarchies: Mapping[str, Path] = field(default_factory=dict, compare=False)  # by column, for steps that name none
    subject: str | None = None  # the column that says whom a record is about
    kept: tuple[Path, ...] = field(default=(), compare=False)  # folders of files that steps know by their hash
    roles: Mapping[str, Role] = field(default_factory=dict, compare=False)  # that the project file around it confirms

    def then(self, *transformations: Transformation) -> Plan:
        """The plan with more steps at its end."""
        named = [(step.transformation, step.id) for step in self.steps]
        steps = numbered([*named, *((transformation, None) for transformation in transformations)])
        said = [replace(old, id=new.id) for old, new in zip(self.steps, steps, strict=False)]
        return replace(self, steps=(*said, *steps[len(said) :]))

    def apply(self, draft: Draft, secrets: Secrets, tell: Tell = quiet) -> Draft:
        """The draft after every step. What is wrong is said before anything is written."""
        return self.settle(draft, secrets, tell)[0]

    def settle(self, draft: Draft, secrets: Secrets, tell: Tell = quiet) -> tuple[Draft, Plan]:
        """The draft after every step, and the plan with all that steps decided by looking at the data written down."""
        settled = []
        for step, after in self.followed(draft, secrets, tell):
            draft = after
            settled.append(step)
        return draft, replace(self, steps=tuple(settled))

    def followed(
        self, draft: Draft, secrets: Secrets, tell: Tell = quiet, *, held: bool = False
    ) -> Iterator[tuple[Step, Draft]]:
        """Each step with what it decided by looking at the data, and the draft after it.

        With `held` each draft is worked out before the next step, for whoever looks at all of them.
        """
        for number, step in enumerate(self.steps, 1):
            tell(f"Step {number} of {len(self.steps)}: {step.name.replace('_', ' ')}", number - 1, len(self.steps))
            resources = self._resources(step, secrets)
            try:
                settled = step.transformation.settled(draft, resources)
                draft = settled.apply(draft, resources)
                draft = self._marked(draft, secrets) if settled.keyed() else draft
            except SfumatoError as error:
                raise PlanError(f"{self._place(number)}{error}") from None
            draft = draft.held(draft.source.table.count()) if held else draft
            yield replace(step, transformation=settled), draft

    def by_values(self, draft: Draft, secrets: Secrets) -> Plan:
        """The first steps, as far as each only puts values in the place of others (`Transformation.by_values`).

        A column that such a step was done to is another for whatever comes after it.
        """
        treated: set[str] = set()
        for number, step in enumerate(self.steps):
            columns, resources = step.transformation.treated(), self._resources(step, secrets)
            ours = columns <= set(draft.names) and not columns & treated
            if not ours or not step.transformation.by_values(draft, resources):
                return replace(self, steps=self.steps[:number])
            treated |= columns
        return self

    def broken_by(self, release: Draft, secrets: Secrets) -> tuple[str, ...]:
        """What steps require of the release and it does not keep to, in words."""
        broken = (step.transformation.broken_by(release, self._resources(step, secrets)) for step in self.steps)
        return tuple(dict.fromkeys(words for each in broken for words in each))

    def _resources(self, step: Step, secrets: Secrets) -> Resources:
        return Resources(
            step=step.id, folder=self.folder, secrets=secrets, key=partial(self._key, secrets),
            hierarchies=self.hierarchies, kept=self.kept,
        )  # fmt: skip

    def makes(self) -> tuple[str, ...]:
        """The columns that the steps add."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.transformation.makes()))

    def secrets(self) -> tuple[str, ...]:
        """The names of the secrets that the steps need."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.transformation.secrets()))

    @property
    def keyed(self) -> bool:
        """Whether a step draws by the key of the project."""
        return any(step.transformation.keyed() for step in self.steps)

    def by_seed(self, secrets: Secrets) -> bool:
        """Whether what steps draw follows from the seed of the plan, since there is no key: that protects nothing."""
        return self.keyed and self.seed is not None and not secrets.has_key(self.folder)

    def not_followed(self, secrets: Secrets) -> str | None:
        """Why the draws of the plan cannot be made again with what there is, in words; None where they can."""
        try:
            chosen = True in [secrets.is_passphrase(name) for name in self.secrets()]  # its salt comes from the key
            lacks = (self.keyed or chosen) and self.seed is None and not secrets.has_key(self.folder)
        except SecretError as error:
            return str(error)
        said = f"Steps of the plan draw by the key of the project, and {secrets.lacking(self.folder)}"
        return said if lacks else None

    def handed_on(self, files: Mapping[str, bytes], salt: Salt, before: int = 0) -> tuple[Plan, FilesByName]:
        """The plan as others may read it, and the files by name that are kept from them: they list values.

        Files that steps name are beside the plan; those of the steps after the first `before` may be in `files`.
        """
        steps: list[tuple[Transformation, str | None]] = []
        contents: FilesByName = {}
        for step, (stated, kept) in zip(self.steps, self.listing(files, salt, before), strict=True):
            # The name of a step that lists values may say them: it gets another, unless a person gave it.
            own = step.named or not kept
            steps.append((stated, step.id if own else None))
            contents |= kept
        again = numbered(steps, [step.line for step in self.steps])
        reasoned = (
            replace(new, because=old.because, proposed_by=old.proposed_by)  # which no file that is handed on says
            for old, new in zip(self.steps, again, strict=True)
        )
        return replace(self, steps=tuple(reasoned)), contents

    def listing(
        self, files: Mapping[str, bytes], salt: Salt, before: int = 0
    ) -> list[tuple[Transformation, FilesByName]]:
        """Each step as others may read it, and what of it lists values, by name."""

        def read(name: str, own: Mapping[str, bytes]) -> bytes:
            try:
                return own[name] if name in own else (self.folder / name).read_bytes()
            except OSError as error:
                raise PlanError(f"{self.folder / name}: this file cannot be read ({error.strerror}).") from None

        stewards = (
            Steward(partial(read, own=files if number >= before else {}), salt) for number in range(len(self.steps))
        )
        return [step.transformation.handed_on(steward) for step, steward in zip(self.steps, stewards, strict=True)]

    def document(self) -> dict[str, Any]:
        """The plan as plain values; it holds no secret."""
        head = {"seed": self.seed, "subject": self.subject or None}
        said = {key: value for key, value in head.items() if value is not None}
        return {**said, "steps": [step.document() for step in self.steps]}

    def fingerprint(self) -> str:
        """The SHA-256 hash of the document: two plans with the same one do the same."""
        return sha256(json.dumps(self.document(), sort_keys=True, ensure_ascii=False).encode()).hexdigest()

    def _key(self, secrets: Secrets) -> bytes:
        """The key that steps draw by: that of the project; where there is none, what everybody can make of the seed."""
        if self.seed is None or secrets.has_key(self.folder):
            return secrets.key(self.folder)
        return sha256(f"sfumato seed, no secret|{self.seed}".encode()).digest()

    def _marked(self, draft: Draft, secrets: Secrets) -> Draft:
        if not self.by_seed(secrets) or NOT_PROTECTED in draft.notes:
            return draft
        return replace(draft, notes=(NOT_PROTECTED, *draft.notes))

    def _place(self, number: int) -> str:
        line = self.steps[number - 1].line
        return f"{self.path}, {f'line {line}, ' if line else ''}step {number}: "


@dataclass(frozen=True)
class FollowedPlan:
    """A plan that was followed: what it began with and what came out, before anything is written."""

    plan: Plan
    settled: Plan  # with all that steps decided by looking at the data
    source: str
    before: Draft
    after: Draft
    secrets: Secrets = field(default_factory=Secrets, compare=False)  # what it was followed with: where they are
    state: SourceState | None = field(default=None, compare=False, repr=False)  # of the source, before it was read
    unshifted: tuple[str, ...] = ()  # dates that leave beside shifted ones, and nobody decided so
    drafts: tuple[Draft, ...] = field(default=(), compare=False, repr=False)  # after each step, where they are in hand


def numbered(steps: Sequence[tuple[Transformation, str | None]], lines: Sequence[int | None] = ()) -> tuple[Step, ...]:
    """Steps with names: those given, or what they do; a name that occurs again gets a number."""
    times: Counter[str] = Counter()
    named = []
    for place, (transformation, own) in enumerate(steps):
        name = own or _in_full(transformation)
        times[name] += 1
        if own and times[name] > 1:
            raise PlanError(f"Two steps have the id {name!r}. Give each its own, or none.")
        unique = name if times[name] == 1 else f"{name} ({times[name]})"
        named.append(Step(transformation, unique, lines[place] if lines else None))
    return tuple(named)


def plain(value: Any) -> Any:
    """Settings as YAML and JSON can write them."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return [plain(part) for part in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    document = getattr(value, "document", None)
    return plain(document()) if callable(document) else str(value)


def _in_full(transformation: Transformation) -> str:
    """All that a transformation does, as a text."""
    settings = json.dumps(plain(transformation.settings()), sort_keys=True, ensure_ascii=False)
    return f"{transformation.name()} {settings}"
