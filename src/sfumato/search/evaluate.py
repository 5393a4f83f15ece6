"""The verb of live questions: a table made ready once, so that any levels and bounds can be asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sfumato.errors import PolicyError
from sfumato.hierarchies.build import Hierarchies
from sfumato.plans.plan import Plan
from sfumato.privacy.meaning_of_columns import project_and_source
from sfumato.privacy.policy import Requirement
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.search.catalogue import method as method_named
from sfumato.search.evaluator import Evaluator
from sfumato.search.methods.optimal import Optimal
from sfumato.search.prepare import Source, prepare
from sfumato.search.project_lines import AsWritten
from sfumato.search.request import AUTO, RELEASE, Levels, search_request, with_project_settings
from sfumato.secrets import Secrets
from sfumato.tables.engine import Engine
from sfumato.tables.source import ReadOptions


def evaluate(
    data: Any,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    direct: Sequence[str] | str = (),
    non_sensitive: Sequence[str] | str = (),
    release_rest: bool = False,
    subject: str | None = None,
    k: int | None = None,
    l: float | None = None,  # noqa: E741
    t: float | None = None,
    requirements: Iterable[Requirement | str] = (),
    scenarios: Mapping[str, Sequence[str]] | None = None,
    population: Any = None,
    hierarchies: Hierarchies | None = None,
    suppress: float = 0.0,
    objective: str = "loss",
    aggregate: str | None = None,
    levels: Levels | None = None,
    weights: Mapping[str, float] | None = None,
    balance: float = 0.5,
    against: str = RELEASE,
    plan: Plan | str | Path | None = None,
    secrets: Mapping[str, str | Path] | Secrets | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Evaluator:
    """Make a table ready for questions: what would these levels lose, whom would they leave out, what would be read?

    Parameters are those of `anonymise`; the records are grouped once, and each question takes a millisecond or two.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [21, 24, 25, 33, 36, 38, 64], "sex": ["f", "f", "f", "m", "m", "m", "f"]})
    >>> evaluator = evaluate(table, quasi=["age", "sex"], k=3, suppress=0.2)
    >>> decades = evaluator.at({"age": 2})
    >>> decades.met, decades.left_out, decades.limit, decades.after.smallest
    (True, 1, 1, 3)
    >>> evaluator.at({"age": 2}, bounds={"k": 4}).left_out
    7
    """
    question = Question.written(
        quasi=quasi, sensitive=sensitive, direct=direct, non_sensitive=non_sensitive, release_rest=release_rest,
        subject=subject, k=k, l=l, t=t, requirements=requirements,
    )  # fmt: skip
    source = Source(data, None, hierarchies, plan, Secrets.of(secrets), options, engine, population)
    ready = prepare(source, question, tell)
    request = search_request(
        ready, objective, aggregate=aggregate, balance=balance, weights=weights, suppress=suppress, levels=levels,
        scenarios=scenarios, against=against,
    )  # fmt: skip
    return Evaluator.of(ready, request, tell)


def evaluate_source(
    data: Any,
    project: str | Path | None,
    question: Question,
    settings: Mapping[str, Any],
    *,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Evaluator:
    """An evaluator of a source, or of what a project file describes."""
    known, place = project_and_source(data, project, "evaluate")
    return evaluate_with_settings(Source(place, known, options=options, engine=engine), question, settings, tell=tell)


def evaluate_with_settings(
    source: Source, question: Question, settings: Mapping[str, Any], *, proposals: bool = False, tell: Tell = quiet
) -> Evaluator:
    """An evaluator of a source as its project file says, and settings, which go before it.

    With `proposals`, roles that nobody confirmed are taken for decisions: to tell what would come of them.
    """
    written = AsWritten(source.project, question, settings)
    source, method, asked = with_project_settings(source, settings)
    if method not in (AUTO, Optimal.name()):
        method_named(method)  # says which methods there are
        raise PolicyError(
            f"The method {method} gives every class labels of its own, so that there are no levels to ask for. "
            f"Choose the method {Optimal.name()}, or leave it out."
        )
    ready = prepare(source, question, tell, proposals=proposals)
    return Evaluator.of(ready, search_request(ready, **asked), tell, written=written)
