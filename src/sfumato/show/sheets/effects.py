"""What every step of a plan does to risk and utility, as a sheet."""

from __future__ import annotations

from sfumato.show.documents.effects import EffectDocument, EffectsDocument
from sfumato.show.sheet import Section, Sheet, counted, number, over, percent

SHOWN = {"generic_non_uniform_entropy": "entropy", "loss": "loss", "total_variation": "distribution"}


def singled_out_remark(document: EffectsDocument) -> str:
    """What the columns of the table mean, and over which columns of the data they are read."""
    names = dict.fromkeys(name for effect in (document.before, *document.steps) for name in effect.quasi_identifiers)
    columns = over(list(names)).removeprefix("over ")
    return (
        f"Singled out: records that nobody else looks like in {columns}, as far as the table has them. Lost: 0 % is "
        "the original, 100 % is all information removed, over those of them that the original has."
    )


def effects_sheet(document: EffectsDocument) -> Sheet:
    """The loop of a release: before, and after each step."""
    steps, first = document.steps, document.before
    last = steps[-1] if steps else first
    rows = tuple(_row(effect) for effect in (first, *steps))
    columns = ("", "step", "records", "k", "singled out", "average risk", *(f"{name} lost" for name in SHOWN.values()))
    return Sheet(
        title=f"Plan {document.plan} on {document.source}, step by step",
        verdict=(
            f"{counted(len(steps), 'step')}: singled out {number(first.singled_out)} before, "
            f"{number(last.singled_out)} after; k {number(first.k)} before, {number(last.k)} after."
        ),
        sections=(
            Section(
                "Risk and utility after each step",
                columns,
                rows,
                (singled_out_remark(document),),
                numbers=(0, *range(2, len(columns))),
            ),
            *([Section("Notes", remarks=tuple(last.notes))] if last.notes else []),
        ),
    )


def _row(effect: EffectDocument) -> tuple[str, ...]:
    return (
        "" if effect.number is None else str(effect.number),
        "before" if effect.explanation is None else effect.explanation,
        number(effect.records),
        number(effect.k),
        number(effect.singled_out),
        number(effect.average_risk),
        *(percent(effect.lost.get(model)) for model in SHOWN),
    )
