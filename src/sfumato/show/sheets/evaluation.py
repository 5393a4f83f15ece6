"""One combination of levels, evaluated, as a sheet."""

from __future__ import annotations

from sfumato.show.documents.evaluation import EvaluationDocument
from sfumato.show.sheet import Section, Sheet, State, counted, number


def evaluation_sheet(document: EvaluationDocument) -> Sheet:
    """What these levels would come to, from their document."""
    return Sheet(
        title="What these levels would come to",
        verdict=_verdict(document),
        sections=(_readings(document), _sizes(document), _columns(document)),
        state=State.MET if document.met else State.NOT_MET,
    )


def _verdict(document: EvaluationDocument) -> str:
    state = State.MET if document.met else State.NOT_MET
    return (
        f"{state.value.capitalize()}: {number(document.left_out)} of {counted(document.records, 'record')} left out, "
        f"{number(document.limit)} may be. Loss {number(document.loss)}."
    )


def _readings(document: EvaluationDocument) -> Section:
    said = {True: "met", False: "not met", None: "-"}
    rows = tuple(
        (
            f"{r.requirement}, {r.scenario}" if r.scenario else r.requirement,
            number(r.value),
            number(r.bound),
            said[r.met],
        )
        for r in document.readings
    )
    return Section("What is required", ("requirement", "read", "bound", ""), rows, numbers=(1, 2))


def _sizes(document: EvaluationDocument) -> Section:
    rows = tuple(
        (name, number(sizes.classes), number(sizes.smallest), number(sizes.alone))
        for name, sizes in (("nobody left out", document.before), ("those who stay", document.after))
    )
    return Section("How many look alike", ("", "classes", "smallest", "alone"), rows, numbers=(1, 2, 3))


def _columns(document: EvaluationDocument) -> Section:
    lost = document.losses
    rows = tuple((name, number(level), number(lost[name]) if lost else "-") for name, level in document.levels.items())
    remarks = () if lost else ("The objective is not read column by column.",)
    return Section("What each column loses", ("column", "level", "loss"), rows, remarks, numbers=(1, 2))
