"""The process that holds the evaluator of one version of a project, and answers questions about it by its pipes.

It works in a folder as a run does. A line of JSON comes in, `{"questions": [...]}`, and one goes out, `{"answers":
[...]}`; the first one says what can be asked for, or why nothing can. It ends when nobody can ask any more.
"""

from __future__ import annotations

import json
import os
import sys
from typing import IO, Any

from sfumato.errors import SfumatoError
from sfumato.plans.made_columns import loaded_with_made, plan_of
from sfumato.project.file import Project
from sfumato.proof.purpose_of_columns import PurposeOfColumns
from sfumato.search.evaluate import evaluate_with_settings
from sfumato.search.evaluator import Evaluator
from sfumato.search.methods.optimal import Optimal
from sfumato.search.prepare import Source
from sfumato.search.request import AUTO, share_left_out
from sfumato.secrets import Secrets
from sfumato.service.live_answers import LiveAnswers, answered
from sfumato.service.project_files import PROJECT_FILE

SWITCH = 0.0005  # seconds after which a search lets an answer come between: an answer takes about a millisecond
MEMORY = "More memory is needed for live questions about this table than a run may have (run_memory)."
UNFORESEEN = "This table cannot be made ready for live questions; it may be damaged."


def evaluator_of(project: Project) -> Evaluator:
    """The evaluator of a project as a release reads it, with roles that are only proposed taken for decisions.

    What the context says of the purpose counts as it does for a release.
    """
    plan, said = plan_of(project), project.anonymise
    _tell("Reading the data")
    extract = loaded_with_made(project.source, project, plan=plan, watch=True)
    purpose = PurposeOfColumns.of(project, plan, extract)
    share = share_left_out(str(said.get("method", AUTO)), said.get("suppress"))
    settings = {**purpose.settings, "method": Optimal.name(), "suppress": share}
    used = Source(extract, project, secrets=Secrets.of(None), plan=purpose.plan)
    return evaluate_with_settings(used, purpose.question, settings, proposals=True, tell=_tell)


def _tell(words: str, /, done: int = 0, total: int = 0) -> None:
    """Say how far it is, as the commands of runs do."""
    _said(sys.stderr, {"level": "info", "message": words, "done": done, "total": total})


def _said(stream: IO[str], document: dict[str, Any]) -> None:
    stream.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")
    stream.flush()


def _problem(error: Exception, *, lasting: bool = True) -> dict[str, Any]:
    """Why nothing is answered: what a library says may quote a cell, and is not repeated."""
    words = str(error) if isinstance(error, SfumatoError) else MEMORY if isinstance(error, MemoryError) else UNFORESEEN
    return {"problem": words, "kind": type(error).__name__, "lasting": lasting}


def main() -> None:
    """Make the project of this folder ready, then answer."""
    sys.setswitchinterval(SWITCH)
    answers_go = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    os.dup2(2, 1)  # what a library prints is no answer
    try:
        answers = LiveAnswers.of(evaluator_of(Project.read(PROJECT_FILE)))
        _said(answers_go, {"shape": answers.shape()})
    except Exception as error:
        _said(answers_go, _problem(error))
        return
    for line in sys.stdin.buffer:
        try:
            _said(answers_go, {"answers": answered(answers, json.loads(line)["questions"])})
        except MemoryError as error:
            _said(answers_go, _problem(error, lasting=False))
            break
    os._exit(0)  # a search that is still under way is of no use to anybody


if __name__ == "__main__":
    main()
