"""Which quasi-identifiers the grade of a recipient selects, as a project file keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sfumato.project.file.added_entries import edited, end_of, is_json
from sfumato.project.file.key_model import FileKeys, optional_key, wrong
from sfumato.project.file.yaml_file import YamlFile, read_yaml
from sfumato.project.file.yaml_text import yaml_text
from sfumato.project.recipient.grade import Grade

SECTION = "selection"
REMARK = "  # by `sfumato identify --recipient`: the quasi-identifiers that the grade of the recipient selects"
DECIMALS = 4  # of a score, as the paper prints it

GradeWord = Literal["High", "Middle", "Low"]
Points = Annotated[int, Field(ge=0, le=10)]


class ScoredColumnKeys(FileKeys):
    """A quasi-identifier by its meaning, and its score."""

    column: str = Field(min_length=1, description="The name of the column.", examples=["age"])
    score: float = Field(
        ge=0, strict=False, description="Values seen once per record, and influence, added up.", examples=[0.6667]
    )


class SelectionKeys(FileKeys):
    """The quasi-identifiers that the grade of a recipient selects. Written by `identify --recipient --write`."""

    grade: GradeWord = Field(description="The grade of the recipient: High, Middle or Low.", examples=["Middle"])
    threshold: float = Field(
        strict=False, description="The score from which on a column is selected: that of the grade.", examples=[0.5]
    )
    answers: str | None = optional_key("The file of answers that gave the grade.", "hospital.yaml")
    linkage: Points | None = optional_key("The first of the three scores of the recipient, 0 to 10.", 10)
    reidentifiability: Points | None = optional_key("The second, 0 to 10.", 2)
    understanding: Points | None = optional_key("The third, 0 to 10.", 8)
    final: list[ScoredColumnKeys] | None = optional_key(
        "Columns that are selected: final quasi-identifiers.", [{"column": "age", "score": 0.6667}]
    )
    below: list[ScoredColumnKeys] | None = optional_key(
        "Quasi-identifiers by their meaning whose score is below the threshold. They are undecided until somebody says "
        "what they are.",
        [{"column": "sex", "score": 0.0}],
    )

    @model_validator(mode="after")
    def _threshold_of_the_grade(self) -> SelectionKeys:
        expected = Grade(self.grade).threshold
        if self.threshold != expected:
            raise wrong(f"expected {expected:g}, the threshold of the grade {self.grade}.", "threshold")
        return self


@dataclass(frozen=True)
class GradeSelection:
    """The quasi-identifiers that a grade selects (`final`), and those that it does not (`below`), by score."""

    grade: Grade
    final: Mapping[str, float] = field(default_factory=dict)
    below: Mapping[str, float] = field(default_factory=dict)
    answers: str | None = None
    scores: Mapping[str, int] = field(default_factory=dict)  # of the recipient, by name

    @classmethod
    def of_keys(cls, keys: SelectionKeys | None) -> GradeSelection | None:
        """What a project file says; None where it says nothing."""
        if keys is None:
            return None
        final, below = ({one.column: one.score for one in listed or ()} for listed in (keys.final, keys.below))
        names = ("linkage", "reidentifiability", "understanding")
        scores = {name: points for name in names if (points := getattr(keys, name)) is not None}
        return cls(Grade(keys.grade), final, below, keys.answers, scores)

    def said_of(self, column: str) -> str | None:
        """Why a column is selected, or is not, in words; None of one that has no score."""
        score = self.final.get(column, self.below.get(column))
        if score is None:
            return None
        is_what = "reaches" if column in self.final else "is below"
        threshold = f"{self.grade.threshold:g}, the threshold for a recipient of grade {self.grade}"
        return f"Its score {score:.4f} {is_what} {threshold}."

    def plain(self) -> dict[str, Any]:
        """The keys and values of the section."""
        listed = {
            key: [{"column": name, "score": round(score, DECIMALS)} for name, score in columns.items()]
            for key, columns in (("final", self.final), ("below", self.below))
        }
        answers = {"answers": self.answers} if self.answers else {}
        return {"grade": self.grade.value, "threshold": self.grade.threshold, **answers, **self.scores, **listed}


def with_selection(text: str, selection: GradeSelection, path: object) -> str:
    """The text of a project file with this selection, in the place of the one that it has; all else stays as it is."""
    bom, text = text[: text.startswith("\ufeff")], text.removeprefix("\ufeff")
    file = read_yaml(text, path)
    if SECTION in (file.value or {}):
        start, end = file.spans[SECTION,][0], end_of(text, file, (SECTION,))
        return bom + edited(text, [(start, end, _in_place(text, file, selection, start))])
    if is_json(text, file):
        begin = file.spans[()][0] + 1
        more = ", " if file.value else ""
        return bom + edited(text, [(begin, begin, f'"{SECTION}": {json.dumps(selection.plain())}{more}')])
    end = file.spans.get((), (0, len(text)))[1]  # before the mark that ends a document, where there is one
    lines = ("" if text[:end].endswith("\n") or not end else "\n") + f"{SECTION}:{REMARK}\n  {_block(selection, 2)}\n"
    return bom + edited(text, [(end, end, lines)])


def _in_place(text: str, file: YamlFile, selection: GradeSelection, start: int) -> str:
    """The selection in the style of the one that is there: on one line between braces, or on lines of their own."""
    if text[start : start + 1] == "{":
        return json.dumps(selection.plain())
    if not file.value[SECTION]:
        return f"\n  {_block(selection, 2)}"
    return _block(selection, start - (text.rfind("\n", 0, start) + 1))


def _block(selection: GradeSelection, indent: int) -> str:
    """The section on lines, without the indent of the first."""
    lines = []
    for key, value in selection.plain().items():
        if not isinstance(value, list):
            lines.append(f"{key}: {yaml_text(value) if isinstance(value, str) else json.dumps(value)}")
        elif not value:
            lines.append(f"{key}: []")
        else:
            entries = (f"  - {{column: {yaml_text(one['column'])}, score: {one['score']}}}" for one in value)
            lines += [f"{key}:", *entries]
    return f"\n{' ' * indent}".join(lines)
