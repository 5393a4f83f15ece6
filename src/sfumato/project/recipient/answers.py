"""The answers to the questionnaire: read from Python or from a YAML file, checked, and written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import Any

from sfumato.errors import ProjectError, did_you_mean
from sfumato.outputs import write_text
from sfumato.project.file.keys import meant
from sfumato.project.file.yaml_file import Fault, YamlFile, file_text, read_yaml
from sfumato.project.recipient.questions import QUESTIONS, RecipientQuestion, YearsQuestion
from sfumato.show.sheet import counted

Answers = Mapping[str, str | float]  # by the key of the question: a word, or a number of years

KEYS = tuple(question.key for question in QUESTIONS)
NOWHERE = 0  # the line of a question that is not in the file, and of everything that is in no file
TEMPLATE = "`sfumato recipient --template FILE` writes a file to fill in."

HEADING = """\
# Who will receive the data? Write an answer after each colon, then run:
#   sfumato recipient --answers FILE
"""


def read_answers(answers: Mapping[str, Any] | str | os.PathLike[str]) -> dict[str, str | float]:
    """An answer to every question, each in one spelling, from a mapping or a file.

    What is missing, unknown or impossible is one `ProjectError`, with a line of text for each fault.

    >>> read_answers({"institution": "hospitel"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    sfumato.errors.ProjectError: answers: institution: this is not one of the answers. ... Did you mean 'hospital'?
    answers: shaming: this question is not answered. Expected yes or no.
    ...
    """
    if isinstance(answers, Mapping):
        return _checked(YamlFile({str(key): value for key, value in answers.items()}, {}), "answers")
    path = Path(answers)
    file = read_yaml(file_text(path, hint=TEMPLATE), path)
    if not isinstance(file.value, dict):
        raise ProjectError(path, f"expected an answer on each line, such as `institution: hospital`. {TEMPLATE}")
    return _checked(file, path)


def fault(question: RecipientQuestion, given: object) -> str:
    """What is wrong with an answer that the question does not allow, and what was expected."""
    if given is None or (isinstance(given, str) and not given.strip()):
        return f"this question is not answered. Expected {question.allowed}."
    near = meant([given], question.words) if isinstance(given, str) else ""
    return f"this is not one of the answers. Expected {question.allowed}.{near}"


def template(answers: Answers | None = None) -> str:
    r"""The answers file, with every question as a comment: to be filled in, or with these answers.

    >>> print(template({"other_databases": "no"}).split("\n\n")[-2])
    # Do the users have access to other databases that could be linked with the data?
    # yes (1 point) or no (0 points)
    other_databases: no
    """
    given = answers or {}
    parts = [HEADING]
    for score, questions in groupby(QUESTIONS, key=lambda question: question.score):
        parts.append(f"# {score.upper()}: {score.about}\n")
        parts += [_entry(question, given.get(question.key)) for question in questions]
    return "\n".join(parts)


def save(answers: Answers, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Write the answers as YAML, each below its question; without answers, a file to fill in."""
    write_text(Path(path), template(answers), overwrite=overwrite)


def _entry(question: RecipientQuestion, answer: str | float | None) -> str:
    words = [question.asks, question.hint, *_scored(question)]
    comments = [f"# {line}" for line in words if line]
    return "\n".join([*comments, f"{question.key}:{'' if answer is None else f' {answer}'}"]) + "\n"


def _scored(question: RecipientQuestion) -> list[str]:
    """The answers and their points: on one line when there are two, else a line for each number of points."""
    if len(question.answers) == 2:
        return [" or ".join(map(str, question.answers))]
    by_points: dict[int, list[str]] = {}
    for answer in question.answers:
        by_points.setdefault(answer.points, []).append(answer.text)
    lines = [f"  {counted(points, 'point')}: {', '.join(texts)}" for points, texts in by_points.items()]
    return [f"Expected {question.allowed}.", *lines] if isinstance(question, YearsQuestion) else lines


def _checked(file: YamlFile, path: object) -> dict[str, str | float]:
    problems = [*file.problems, *_unknown(file), *_unanswered(file)]
    if problems:
        raise _error(path, sorted(problems, key=lambda problem: (problem.line == NOWHERE, problem.line)))
    read = {question.key: question.read(file.value[question.key]) for question in QUESTIONS}
    return {key: answer for key, answer in read.items() if answer is not None}


def _error(path: object, problems: list[Fault]) -> ProjectError:
    """One error that says everything, so that a file is mended once."""
    first, *others = problems
    more = "".join(f"\n{ProjectError(path, problem.words, line=problem.line or None)}" for problem in others)
    return ProjectError(path, first.words + more, line=first.line or None)


def _unknown(file: YamlFile) -> Iterator[Fault]:
    for key in file.value:
        if key not in KEYS:
            yield Fault(file.lines.get((key,), NOWHERE), f"there is no question {key!r}.{did_you_mean(key, KEYS)}")


def _unanswered(file: YamlFile) -> Iterator[Fault]:
    """The questions without an answer, or with one that is none; not those whose key is only misspelt."""
    absent = [key for key in KEYS if key not in file.value]
    misspelt = {near for key in file.value if key not in KEYS for near in get_close_matches(key.lower(), absent, n=1)}
    for question in QUESTIONS:
        given = file.value.get(question.key)
        if question.read(given) is None and question.key not in misspelt:
            yield Fault(file.lines.get((question.key,), NOWHERE), f"{question.key}: {fault(question, given)}")
