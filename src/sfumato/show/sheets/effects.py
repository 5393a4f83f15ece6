"""What every step of a plan does to risk and utility, as a sheet."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet, counted, number

Document = dict[str, Any]
SHOWN = {"generic_non_uniform_entropy": "entropy", "loss": "loss", "total_variation": "distribution"}
REMARK = (
    "Singled out: records that nobody else looks like. Lost: 0 % is the original, 100 % is all information removed."
)


def effects_sheet(document: Document) -> Sheet:
    """The loop of a release: before, and after each step."""
    steps = document["steps"]
    first, last = document["before"], steps[-1] if steps else document["before"]
    rows = (_row("", "before", first), *(_row(str(s["number"]), s["explanation"], s) for s in steps))
    columns = ("", "step", "records", "k", "singled out", "average risk", *(f"{name} lost" for name in SHOWN.values()))
    notes = tuple(note for note in last["notes"])
    return Sheet(
        title=f"Plan {document['plan']} on {document['source']}, step by step",
        verdict=(
            f"{counted(len(steps), 'step')}: singled out {number(first['singled_out'])} before, "
            f"{number(last['singled_out'])} after; k {number(first['k'])} before, {number(last['k'])} after."
        ),
        sections=(
            Section(
                "Risk and utility after each step",
                columns,
                rows,
                (REMARK,),
                numbers=(0, *range(2, len(columns))),
            ),
            *([Section("Notes", remarks=notes)] if notes else []),
        ),
    )


def _row(place: str, words: str, found: Document) -> tuple[str, ...]:
    lost = (found["lost"].get(model) for model in SHOWN)
    return (
        place,
        words,
        number(found["records"]),
        number(found["k"]),
        number(found["singled_out"]),
        number(found["average_risk"]),
        *("-" if share is None else f"{share * 100:.1f} %" for share in lost),
    )
