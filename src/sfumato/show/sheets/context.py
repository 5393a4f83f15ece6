"""The context of a release as a sheet: what was answered, what was not, and what follows."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet, counted

Document = dict[str, Any]
UNANSWERED = "unanswered"
HERE = "[here]"


def context_sheet(document: Document) -> Sheet:
    """The Five Safes, the impact assessment, the benefits and the matrix, from the document of a context."""
    matrix = document["matrix"]
    risk, benefit = (matrix[side]["level"] or UNANSWERED for side in ("risk", "benefit"))
    area = f": {matrix['area']}" if matrix["area"] else ""
    answered = document["questions"] - document["unanswered"]
    return Sheet(
        "Context of the release",
        f"Risk {risk}, benefit {benefit}{area}. {answered} of {document['questions']} questions are answered.",
        (
            _about(document),
            _matrix(matrix),
            _overview(document["five_safes"]),
            *(_checklist(section) for section in document["five_safes"]),
            _impact(document["impact_assessment"]),
            _benefits(document["benefits"]),
            Section(
                "What this is", remarks=(_silence(document["unanswered"]), *document["notes"], document["reminder"])
            ),
        ),
    )


def _about(document: Document) -> Section:
    rows = tuple((name, document[name] or UNANSWERED) for name in ("purpose", "release", "grade"))
    preset = (("preset", document["preset"]),) if document["preset"] else ()
    return Section("The release", ("what", "answer"), (*rows, *preset))


def _matrix(matrix: Document) -> Section:
    """The matrix in words, highest risk first, with a mark where the release stands."""
    cells = {(cell["risk"], cell["benefit"]): cell["area"] for cell in matrix["areas"]}
    levels = list(dict.fromkeys(benefit for _, benefit in cells))
    place = matrix["risk"]["level"], matrix["benefit"]["level"]
    rows = tuple(
        (risk, *(cells[risk, benefit] + (f" {HERE}" if (risk, benefit) == place else "") for benefit in levels))
        for risk in reversed(levels)
    )
    remarks = [f"{side.capitalize()}: {why}" for side in ("risk", "benefit") for why in matrix[side]["why"]]
    head = ("risk", *(f"{level} benefit" for level in levels))
    return Section("Risk-benefit matrix", head, rows, (matrix["sentence"], *remarks))


def _overview(sections: list[Document]) -> Section:
    kinds = ("yes", "partly", "no", UNANSWERED)
    rows = tuple((section["title"], *(str(section[kind]) for kind in kinds)) for section in sections)
    return Section("Five Safes", ("section", *kinds), rows, numbers=(1, 2, 3, 4))


def _checklist(section: Document, remarks: tuple[str, ...] = ()) -> Section:
    rows = tuple((c["key"], c["answer"], c["question"], c["why"]) for c in section["controls"])
    head = ("control", "answer", "question", "why it matters")
    return Section(section["title"], head, rows, (*remarks, section["about"]))


def _impact(impact: Document) -> Section:
    return _checklist(impact, (impact["sentence"],))


def _benefits(benefits: Document) -> Section:
    head = ("column", "released", "needed", "likelihood", "benefit", "form", "for whom", "effect on people")
    rows = tuple(
        (
            c["column"],
            "yes" if c["released"] else "no",
            *_answers(c),
            *(c[key] or "-" for key in ("form", "recipients", "effect")),
        )
        for c in benefits["columns"]
    )
    return Section("Benefit of each column", head, rows, tuple(_on_columns(benefits)))


def _answers(column: Document) -> tuple[str, str, str]:
    """Need, likelihood and level; of a column that is not released nothing is asked."""
    if not column["released"] and column["need"] == UNANSWERED:
        return "-", "-", "-"
    level = column["level"] or ("none" if column["need"] == "none" else UNANSWERED)
    return column["need"], column["likelihood"], level


def _on_columns(benefits: Document) -> list[str]:
    found = []
    if benefits["irrelevant"]:
        found.append(f"Remove what the purpose does not need: {', '.join(benefits['irrelevant'])}.")
    if benefits["unanswered"]:
        found.append(f"Nobody has said what these are needed for: {', '.join(benefits['unanswered'])}.")
    return found or ["The purpose needs every column that is released, as somebody has said."]


def _silence(unanswered: int) -> str:
    if not unanswered:
        return "Every question is answered. An answer is what somebody says, not what was checked."
    return f"{counted(unanswered, 'question')} unanswered: that counts neither as yes nor as no."
