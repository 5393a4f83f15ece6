"""What holds for the parsers that are ours, whatever they are given: an answer, or an error of ours, soon.

Each property has seeds, from which inputs are mutated, a check, and inputs that once showed a fault.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from tests.hostile.mutations import SCALARS, documents, dumped, texts
from tests.hostile.seeds import (
    CONDITIONS,
    DATASET,
    FORMATS,
    HIERARCHIES,
    KEYED,
    LABELS,
    NAMES,
    OPTIONS,
    PLANS,
    PROJECTS,
    REQUIREMENTS,
)

from sfumato.errors import SfumatoError

SECONDS = 10  # for one input; the slowest of a million took less than one


@dataclass(frozen=True)
class Property:
    """What holds of one parser."""

    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], None]
    examples: int  # in `make test`
    kept: tuple[Any, ...] = ()  # what once was not answered


def answered(parser: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """The answer of a parser; None where it refuses. Any other error, or no answer in time, is a fault."""
    begun, answer, refusal = time.process_time(), None, None
    try:
        answer = parser(*arguments, **named)
    except SfumatoError as error:
        refusal = error
    if refusal is not None:
        assert len(str(refusal)) < 20_000, "an error that nobody reads"
        assert refusal.__cause__ is None
    assert time.process_time() - begun < SECONDS
    return answer


@contextmanager
def folder() -> Iterator[Path]:
    made = tempfile.mkdtemp(prefix="sfumato-fuzz-")
    try:
        yield Path(made)
    finally:
        shutil.rmtree(made)


@cache
def _draft() -> Any:
    """A draft of a small table with a column of each kind."""
    import datetime

    import pyarrow as pa
    from tests.plans.steps.drafting import made_up

    days = [datetime.date(2020, 1, 1 + i % 9) for i in range(12)]
    columns = {
        "age": [20 + i % 5 for i in range(12)],
        "sex": ["F", "M", None] * 4,
        "name": [f"Ab{i:02}" for i in range(12)],
        "dx": [["flu", "asthma", ""][i % 3] for i in range(12)],
        "cost": [None if i == 3 else i * 1.5 for i in range(12)],
        "seen": days,
    }
    return made_up({name: pa.array(values) for name, values in columns.items()})


def project(text: str) -> None:
    from sfumato.project.file.project import Project

    parsed = answered(Project.parse, text, "sfumato.yaml")
    if parsed is not None:
        assert answered(Project.parse, text, "sfumato.yaml").attributes == parsed.attributes


def project_edits(given: tuple[str, str, str]) -> None:
    """What is added can be read again, and nothing else changed."""
    from sfumato.project.file import RoleDecision, with_decisions, with_proposals
    from sfumato.project.file.chosen_settings import with_chosen_settings
    from sfumato.project.file.project import Project
    from sfumato.schema import Role

    text, name, role = given
    before = answered(Project.parse, text, "sfumato.yaml")
    if before is None:
        return
    others = _others(text, name)
    for change in (
        lambda: with_proposals(text, {name: Role(role)}, "sfumato.yaml"),
        lambda: with_decisions(
            text, {name: RoleDecision(Role(role), "a: 'b' #c", "2026-05-31", 'why\n"x"')}, "sfumato.yaml", again=True
        ),
        lambda: (
            with_chosen_settings(text, {"method": "local", "suppress": 0.05}, "sfumato.yaml")
            if not before.anonymise
            else None
        ),
    ):
        edited = answered(change)
        if edited is None:
            continue
        Project.parse(edited, "sfumato.yaml")
        assert _others(edited, name) == others


def _others(text: str, name: str) -> Any:
    """All that a project file says, but for one column and the settings of the search."""
    from sfumato.project.file.yaml_file import read_yaml

    value = {key: said for key, said in (read_yaml(text, "x").value or {}).items() if key != "anonymise"}
    return repr(
        {**value, "columns": {each: said for each, said in (value.get("columns") or {}).items() if each != name}}
    )


def written_name(name: str) -> None:
    """A name that is written as a key or a value of YAML is read as that name."""
    from sfumato.project.file.yaml_file import read_yaml
    from sfumato.project.file.yaml_text import yaml_key, yaml_text

    try:
        name.encode()
    except UnicodeEncodeError:
        return
    assert read_yaml(f"columns:\n  {yaml_key(name)} {yaml_text(name)}\n", "x").value == {"columns": {name: name}}


def plan(document: Any) -> None:
    """A plan that is read is written as a text that reads as the same plan, and can be followed or is refused."""
    from tests.plans.steps.drafting import GivenSecrets

    from sfumato.plans.apply import plan_document
    from sfumato.plans.plan_file import parse_plan, plan_text

    with folder() as empty:
        text = document if isinstance(document, str) else dumped(document)
        parsed = answered(parse_plan, text, empty / "plan.yaml")
        if parsed is None:
            return
        again = parse_plan(plan_text(parsed), empty / "plan.yaml")
        assert again.document() == parsed.document()
        answered(plan_document, parsed)
        released = answered(parsed.apply, _draft(), GivenSecrets(words={"study": "x" * 40}))
        if released is not None:
            answered(lambda: released.engine.fetch(released.select()))


def condition(data: Any) -> None:
    from sfumato.plans.condition import Condition

    read = answered(Condition.of, data)
    if read is None:
        return
    assert isinstance(read.words(), str)
    assert isinstance(read.words(values=False), str)
    sql = answered(read.sql, _draft())
    if sql is not None:
        answered(lambda: _draft().where(sql).count())


def requirement(given: Any) -> None:
    from sfumato.privacy.requirement_text import read, stated

    required = answered(read, given)
    if required is not None:
        again = read(stated(required))
        assert again == required


def label(text: str) -> None:
    from sfumato.utility.paired.interval_label import IntervalLabel

    for read in (IntervalLabel.of(text), IntervalLabel.of(text, whole=False), IntervalLabel.of_period(text)):
        if read is not None and read.low is not None and read.high is not None:
            assert read.low < read.high


def date_format(text: str) -> None:
    from sfumato.tables.engines.duckdb import DuckDB
    from sfumato.tables.read.date_format import DateFormat

    form = answered(DateFormat.of, text)
    if form is not None:
        day, moment = form.sql("x")
        pattern = form.notation.pattern.replace("'", "''")
        samples = ", ".join(
            f"('{each}')" for each in ("31/12/2020", "01-JAN-27", "2020-01-01 10:00:00", "99999999", "", "{x}")
        )
        answered(DuckDB().fetch, f"SELECT {day}, {moment}, regexp_matches(x, '{pattern}') FROM (VALUES {samples}) t(x)")


def option(text: str) -> None:
    from sfumato.cli.options import distances_of, listed, pairs, scenarios_of
    from sfumato.privacy.question import Question

    answered(listed, [text])
    for parser in (distances_of, scenarios_of):
        answered(parser, [text])
    for name, value in (answered(pairs, [text], "--bins COLUMN=EDGES") or {}).items():
        answered(Question.written, bins={name: value})
        answered(Question.written, hierarchies={name: value})
    names = tuple(name for name in (text, "a,b", ' "x" ') if name)
    assert listed([",".join('"' + name.replace('"', '""') + '"' for name in names)]) == names


def hierarchy(text: str) -> None:
    from sfumato.hierarchies.builders.from_file import hierarchy_text, read_hierarchy

    with folder() as made:
        path = made / "age.csv"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        read = answered(read_hierarchy, path)
        if read is None:
            return
        path.write_text(hierarchy_text(read), encoding="utf-8", newline="")
        again = read_hierarchy(path)
        assert again.lines == read.lines
        assert isinstance(read.sheet(whole=True).text(), str)


def dataset(document: Any) -> None:
    from sfumato.tables.load import load

    with folder() as made:
        path = made / "d.json"
        path.write_text(
            document if isinstance(document, str) else dumped(document), encoding="utf-8", errors="surrogatepass"
        )
        extract = answered(load, path)
        if extract is not None:
            assert extract.table.engine.fetch(f"SELECT count(*) FROM {extract.table}")[0][0] >= 0


@cache
def _log() -> bytes:
    from sfumato.proof.use_log.log import AuditLog

    with folder() as made:
        log = AuditLog(made / "sfumato.log.jsonl")
        for number in range(3):
            log.append(
                {
                    "who": "x",
                    "command": {"name": "assess", "options": ["--k"]},
                    "inputs": [{"name": "d", "sha256": None}],
                    "outcome": {"exit": number},
                }
            )
        return log.path.read_bytes() + b"\n|" + log.head_path.read_bytes()


def use_log(change: tuple[int, int, bytes]) -> None:
    """A changed log is read without a fault, and the change is noticed."""
    from sfumato.proof.use_log.chain import Chain
    from sfumato.proof.use_log.log import AuditLog

    lines, _, head = _log().partition(b"\n|")
    start, length, new = change
    start %= len(lines)
    with folder() as made:
        log = AuditLog(made / "sfumato.log.jsonl")
        log.head_path.write_bytes(head)
        log.path.write_bytes(changed := lines[:start] + new + lines[start + length :])
        chain = answered(Chain.of, log, verify=True)
        if chain is not None:
            assert chain.problems or changed == lines
            assert isinstance(chain.sheet().text(), str)
            assert json.loads(chain.to_json()) is not None


@cache
def _package() -> Path:
    from tests.hostile.case import Place
    from tests.hostile.cases.packages import package

    made = Path(tempfile.mkdtemp(prefix="sfumato-fuzz-package-"))
    (made / "one" / "case").mkdir(parents=True)
    return package(Place(made / "one" / "case"))


def manifest(change: tuple[list[int], Any]) -> None:
    """A manifest with another value somewhere, and hashes that do not tell: an answer of `verify`, or an error."""
    from sfumato.proof.verify import verify

    places, value = change
    with folder() as made:
        copied = Path(shutil.copytree(_package(), made / "package"))
        document = json.loads((copied / "manifest.json").read_text(encoding="utf-8"))
        _put(document, places, value)
        (copied / "manifest.json").write_text(dumped(document), encoding="utf-8")
        verified = answered(verify, copied)
        if verified is not None:
            assert isinstance(verified.sheet().text(), str)


def _put(value: Any, places: list[int], new: Any) -> None:
    """Put a value where the places lead to."""
    for number, place in enumerate(places):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = keys[place % len(keys)]
        if number == len(places) - 1 or not isinstance(value[key], dict | list) or not value[key]:
            value[key] = new
            return
        value = value[key]


def answers(text: str) -> None:
    from sfumato.project.recipient.answers import read_answers

    with folder() as made:
        path = made / "answers.yaml"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        answered(read_answers, path)


PROPERTIES: dict[str, Property] = {
    "project": Property(
        texts(PROJECTS),
        project,
        100,
        ("subsets: [{name: s, columns: [age], where: {column: dx, equals: a}, mode: x}]\n",),
    ),
    "project-edits": Property(
        st.tuples(texts(PROJECTS), NAMES, st.sampled_from(["quasi", "direct", "sensitive", "non-sensitive"])),
        project_edits,
        120,
    ),
    "written-name": Property(NAMES, written_name, 100),
    "plan": Property(documents(PLANS), plan, 120),
    "plan-text": Property(texts([json.dumps(each) for each in PLANS]), plan, 40),
    "condition": Property(documents(CONDITIONS), condition, 120),
    "requirement": Property(
        texts(REQUIREMENTS) | documents(KEYED), requirement, 200, ("distinct_l_diversity(\ndx) >= 3",)
    ),
    "label": Property(texts(LABELS), label, 400, ("[2020-13-01, 2020-14-01)", "<0000-00-00")),
    "date-format": Property(texts(FORMATS), date_format, 80, ("\ud800%d/%m/%Y",)),
    "option": Property(texts(OPTIONS), option, 150),
    "hierarchy": Property(texts(HIERARCHIES), hierarchy, 120, ('"a;b";"c\nd";\n', "\ufeff\ufeff1;2\r\n3;4\r\n")),
    "dataset": Property(documents([DATASET]) | texts([json.dumps(DATASET)]), dataset, 40),
    "use-log": Property(
        st.tuples(
            st.integers(0, 5000),
            st.sampled_from([0, 1, 5, 100, 500]),
            st.binary(max_size=3) | st.sampled_from([b"\n", b"{}\n", b"NaN", b"9" * 20]),
        ),
        use_log,
        80,
    ),
    "manifest": Property(
        st.tuples(
            st.lists(st.integers(0, 50), min_size=1, max_size=6), SCALARS | st.sampled_from([[], {}, [[]], {"a": 1}])
        ),
        manifest,
        12,
    ),
    "answers": Property(
        texts(["institution: hospital\nshaming: no\nyears: 5\n", '{"institution": "hospital"}']), answers, 60
    ),
}
