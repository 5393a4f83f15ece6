"""Effects of steps that were followed a moment ago: nothing is followed again, and no record is looked at twice.

Steps that only put values in the place of others do so to each different combination of values once, and of these there
are fewer than records. What was lost is read off columns one by one, so that after such a step only its own column is
looked at. The last draft is the release, which was compared with its original already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.privacy.sizes import Sizes
from sfumato.secrets import Secrets
from sfumato.show.documents.effects import EffectDocument, EffectsDocument
from sfumato.tables.engine import Kind, Table, listed, one_value, quoted, unused
from sfumato.tables.short_table import ShortTable
from sfumato.utility.model_interface import CellModel, Figures, read_models, with_columns
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing
from sfumato.utility.step_effects import READ, effect_document, effect_of, effect_with, lost_of, require_columns

Read = Mapping[CellModel, Figures]


@dataclass(frozen=True)
class StepsInHand:
    """What there was before a plan and after each of its steps, and the comparison of the last with the first."""

    before: Draft
    drafts: tuple[Draft, ...]
    compared: Comparison | None = field(default=None, repr=False)

    @property
    def whole(self) -> bool:
        """Whether it is all there, and records can be counted for people: then nothing has to be followed again."""
        before = self.before
        return bool(self.drafts) and not before.made and (before.subject is None or before.subject not in before.names)

    def compared_so(self, names: Sequence[str], known: Mapping[str, Hierarchy]) -> Comparison | None:
        """The comparison, where it is of these columns and by these hierarchies."""
        columns = self.compared.pairing.columns if self.compared else ()
        ours = [(column.name, column.hierarchy) for column in columns]
        return self.compared if ours == [(name, known.get(name)) for name in names] else None


@dataclass(frozen=True)
class DifferentCombinations:
    """The different combinations of some columns of a draft, numbered, and how many records have each."""

    draft: Draft  # a row for each combination
    table: Table  # the same rows with how many records they stand for
    records: str  # the column that says so

    @classmethod
    def of(cls, draft: Draft, names: Sequence[str]) -> DifferentCombinations:
        """Count the records of a draft by some of its columns; all that follows is asked where the counts lie."""
        records, keys = unused("records", {*names, draft.row}.__contains__), listed(map(quoted, names))
        counted = draft.engine.near(
            f"SELECT {keys}, count(*) AS {quoted(records)} FROM {draft.counted} GROUP BY {keys}"
        )
        engine = counted.engine
        table = engine.numbered(f"SELECT * FROM {counted}", draft.row)
        engine.drop(counted)
        texts = tuple(name for name in (draft.short.texts if draft.short else ()) if name in names)
        rows = engine.view(f"SELECT {listed(map(quoted, (draft.row, *names)))} FROM {table}")
        short = ShortTable(rows, texts) if texts else None
        columns = tuple(column for column in draft.columns if column.name in names)
        return cls(Draft(short.spelt() if short else rows, columns, draft.row, short=short), table, records)

    def sizes(self, draft: Draft) -> Sizes:
        """How many records look alike where each combination became what a draft says of it."""
        keys = listed(one_value(f"record.{quoted(name)}", draft.kind(name)) for name in draft.names)
        size = f"CAST(sum(own.{quoted(self.records)}) AS BIGINT) AS size"
        source = f"{draft.counted} AS record JOIN {self.table} AS own ON own.{quoted(draft.row)} = {draft.number}"
        rows = draft.engine.fetch(f"""
            SELECT size, count(*) FROM (SELECT {size} FROM {source} GROUP BY {keys}) AS class GROUP BY size""")
        return Sizes(tuple(sorted((int(size), int(number), int(size * number)) for size, number in rows)))

    def figures(self, draft: Draft, names: Sequence[str], known: Mapping[str, Hierarchy]) -> Read:
        """What was lost of some columns where each combination became what a draft says of it."""
        pairing = Pairing.of(
            self.table, draft.counted_table(numbered=True), names, hierarchies=known, key=draft.row, numbered=True,
            weight=self.records,
        )  # fmt: skip
        compared = Comparison.of(pairing)
        read = read_models(compared, READ)
        compared.forget()
        return {model: read[model] for model in READ}

    def forget(self) -> None:
        """Let go of the combinations, which may be as many as the records."""
        self.draft.engine.drop(self.table)


def effects_in_hand(
    plan: Plan,
    made: StepsInHand,
    *,
    quasi: Sequence[str],
    known: Mapping[str, Hierarchy],
    secrets: Secrets,
    source: str,
) -> EffectsDocument:
    """Risk and utility before a plan and after each of its steps, as `effects` reads them off the table itself."""
    original = made.before
    names = [name for name in quasi if name in original.names]
    before, first = _first_effects(plan, original, names, known, secrets)
    effects, same = list(first), None
    effect, last = (first or [before])[-1], made.drafts[-1]
    for draft in made.drafts[len(first) :]:
        rows = (draft.table, [name in draft.names for name in quasi])
        if same != rows:  # a step that only leaves out other columns changes nothing of what is read
            compared = made.compared_so(names, known) if draft.table == last.table else None
            effect, same = _effect(original, draft, quasi, known, compared), rows
        effects.append(effect)
    steps = [
        replace(
            each, notes=draft.notes, number=number, transformation=step.name, explanation=step.transformation.told(),
        )
        for number, (step, draft, each) in enumerate(zip(plan.steps, made.drafts, effects, strict=True), 1)
    ]  # fmt: skip
    require_columns(quasi, [each.quasi_identifiers for each in (before, *steps)], original.names)
    return EffectsDocument(source=source, plan=Path(plan.path).name, before=before, steps=steps)


def _first_effects(
    plan: Plan, original: Draft, names: Sequence[str], known: Mapping[str, Hierarchy], secrets: Secrets
) -> tuple[EffectDocument, list[EffectDocument]]:
    """Before the plan, and after those first steps that can be followed on different combinations."""
    if not names or any(original.kind(name) is Kind.OTHER for name in names):
        return effect_of(original, original, names, known), []
    different = DifferentCombinations.of(original, names)
    read, draft = different.figures(different.draft, names, known), different.draft

    def effect() -> EffectDocument:
        return effect_document(original, names, different.sizes(draft), lost_of(read))

    effects = [effect()]
    for step, after in plan.by_values(different.draft, secrets).followed(different.draft, secrets):
        draft = _held(after)
        treated = [name for name in names if name in step.transformation.treated()]
        others = different.figures(draft, treated, known)
        read = {model: with_columns(model, read[model], others[model]) for model in READ}
        effects.append(effect())
    different.forget()
    return effects[0], effects[1:]


def _held(draft: Draft) -> Draft:
    """A draft with its rows worked out: classes, columns and the next step all read them."""
    if draft.short is None:
        return replace(draft, table=draft.engine.query(f"SELECT * FROM {draft.table}"))
    short = replace(draft.short, table=draft.engine.query(f"SELECT * FROM {draft.short.table}"))
    return replace(draft, table=short.spelt(), short=short)


def _effect(
    original: Draft, draft: Draft, quasi: Sequence[str], known: Mapping[str, Hierarchy], compared: Comparison | None
) -> EffectDocument:
    if compared is None:
        return effect_of(original, draft.held(original.count()), quasi, known)
    return effect_with(draft, quasi, lost_of(read_models(compared, READ)))
