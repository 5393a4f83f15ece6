"""Documents and texts that are right: what the inputs of the fuzzed parsers are made of."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

PROJECTS = (
    """\
data:
  source: d.csv
  delimiter: ;
subject: id
columns:
  age: {role: quasi, bins: [0, 18, 65], scale: numeric}
  sex: {role: quasi, proposed: true}
  dx: {role: sensitive, order: [low, high], scale: ordinal, reason: why}
measures:
  - {measure: k_anonymity, at_least: 5}
  - {measure: t_closeness, sensitive: dx, at_most: 0.3}
""",
    """\
columns:
  # a remark
  age:
    role: quasi  # because
    proposed: true
  'two words':
    role: undecided
preset: ema_0070
""",
    """\
columns: {age: {role: quasi, hierarchy: h.csv, level: 1}}
anonymise: {suppress: 0.02, method: local}
population: {fraction: 0.1}
scenarios: [{name: n, columns: [age]}]
subsets: [{name: s, columns: [age], where: {column: dx, equals: a}, mode: subset}]
""",
    '{"data": {"source": "d.csv"},\n\t"columns": {"age": {"role": "quasi", "proposed": true}}, "measures": []}\n',
    """\
context:
  purpose: research
  release: restricted
  recipient: Middle
  benefits: {age: high}
  matrix: {risk: low, because: x}
plan:
  steps:
    - drop: {columns: [name]}
""",
    """\
%YAML 1.2
---
columns:
  dx: {role: direct, decided_by: A, decided_on: 2026-05-31, date_format: '%d-%b-%y from 1927'}
...
""",
    "columns:\r\n  age: {role: quasi, proposed: true}\r\nmeasures: []\r\n",
)
STEPS: tuple[dict[str, Any], ...] = (
    {"drop": {"columns": ["name"]}},
    {
        "suppress_records": {
            "where": {"any": [{"column": "age", "at_least": 22}, {"not": {"column": "sex", "in": ["F", "x"]}}]}
        }
    },
    {"suppress_values": {"columns": ["dx"], "where": {"column": "cost", "above": 5}}},
    {"recode": {"column": "sex", "mapping": {"F": "one", "M": "two"}, "otherwise": "rest"}},
    {"generalise": {"column": "age", "level": 1, "hierarchy": {"kind": "intervals", "width": 5}}},
    {"generalise": {"column": "cost", "level": 1, "hierarchy": {"kind": "quantiles", "groups": 4}}},
    {"generalise": {"column": "dx", "level": 1, "hierarchy": {"kind": "masks"}}},
    {"truncate_dates": {"columns": ["seen"], "to": "year"}},
    {"merge_rare": {"column": "dx", "fewer_than": 3, "into": "rest"}},
    {"top_code": {"column": "age", "at": 22}},
    {"bottom_code": {"column": "cost", "at": 3}},
    {"round_to": {"column": "cost", "nearest": 5}},
    {"add_noise": {"column": "age", "kind": "uniform", "range": [-3, 3]}},
    {"microaggregate": {"columns": ["age", "cost"], "k": 3}},
    {"mask": {"column": "dx", "keep": 1}},
    {"zip3": {"column": "dx"}},
    {"post_randomise": {"column": "sex", "matrix": {"F": {"F": 0.9, "M": 0.1}, "M": {"M": 1}}}},
    {"swap_ranks": {"columns": ["age"], "percent": 10}},
    {"merge_columns": {"columns": ["age", "sex"], "into": "both"}},
    {"duration": {"start": "seen", "end": "seen", "into": "days"}},
    {"year_of": {"column": "seen"}},
    {"age": {"column": "seen", "at": "2026-01-01"}},
    {"keep_first": {"by": "seen", "per": "name"}},
    {"shift_dates": {"columns": ["seen"], "days": 30}},
    {"date_periods": {"column": "seen", "days": 14}},
    {"recode_tuples": {"columns": ["age", "sex"], "mapping": [{"from": ["20", "F"], "to": ["x", "y"]}]}},
)
PLANS: tuple[dict[str, Any], ...] = (
    *({"steps": [step]} for step in STEPS),
    {"seed": 5, "subject": "name", "description": "x", "steps": list(STEPS[:3])},
)
CONDITIONS: tuple[dict[str, Any], ...] = (
    {"column": "age", "at_least": 18, "below": 65},
    {"column": "sex", "in": ["F", "M"]},
    {"column": "dx", "not_equals": "flu"},
    {"column": "cost", "missing": True},
    {"column": "seen", "above": "2020-01-02"},
    {"column": "name", "matches": "[A-Z](b|c)+\\d{2}"},
    {"any": [{"column": "age", "equals": 20}, {"all": [{"not": {"column": "cost", "at_most": 2.5}}]}]},
)
REQUIREMENTS = (
    "k_anonymity >= 5",
    "distinct_l_diversity(dx) >= 3",
    "recursive_l_diversity(dx, l=3) <= 4",
    "t_closeness(dx) <= 0.3",
    'entropy_l_diversity("a, b") >= 2',
    "t_ordered(dx, count_missing=true) <= 1e-3",
    "distinct_l_diversity(cost, bins=5) >= 2",
)
KEYED: tuple[dict[str, Any], ...] = (
    {"measure": "distinct_l_diversity", "sensitive": "cost", "bins": [0, 10, 20], "at_least": 2},
    {"measure": "recursive_l_diversity", "sensitive": "dx", "l": 3, "at_most": 4},
    {"measure": "k_anonymity", "at_least": 5},
)
LABELS = (
    "20-29",
    "[20, 30)",
    "(18; 40]",
    "<5",
    "<=5",
    ">= 65",
    "65+",
    "18--40",
    "-5--1",
    "0.5-1.5",
    "2020",
    "2020-02",
    "2020-Q1",
    "2020-W09",
    "2020-2029",
    "2020-02-29 (2 days)",
    "[1970-01-02, 1970-02-01)",
    ">=1970-01-02 12:00",
    "<2020-01-01",
    "≥3",
    "20–29",
)
FORMATS = (
    "%d/%m/%Y",
    "%d-%b-%y from 1927",
    "%Y-%m-%d %H:%M:%S",
    "%d%m%Y",
    "%m.%d.%Y %H:%M",
    "%Y %b %d",
    "%d[%m]%Y",
    "%d^%m\\%Y",
)
OPTIONS = ("age=0,6,12", 'age,"two, words",sex', '"a ""b"""=x', "neighbour=age,sex", "=5", "a=b=c", '"a', "")
HIERARCHIES = (
    "20;20-22;*\n21;20-22;*\n;;*\n",
    'a,b,*\n"x""y",b,*\n',
    '"a;b";"c\nd";*\n',
    "20\n21\n",
    "\ufeff1;2\r\n3;4\r\n",
    '"";e;*\nf;e;*\n',
)
DATASET = {
    "datasetJSONVersion": "1.1.0",
    "name": "D",
    "records": 2,
    "columns": [
        {"name": n, "dataType": t, "label": n}
        for n, t in (
            ("age", "integer"),
            ("dx", "string"),
            ("cost", "double"),
            ("seen", "date"),
            ("ok", "boolean"),
            ("d", "decimal"),
        )
    ],
    "rows": [[20, "a", 1.5, "2020-01-01", True, "1.5"], [None, "", 2, "2020-01", False, "7"]],
}
NAMES = st.sampled_from(
    [
        "age",
        "new",
        "two words",
        "a: b",
        "#x",
        "-",
        "1e5",
        "no",
        "null",
        "'",
        '"',
        "x" * 1500,
        "é",
        "\x1b[2J",
        "[a]",
        "{a}",
        "a\nb",
        "\U0001f600",
        " ",
        "? x",
        "&a",
        "%x",
    ]
) | st.text(max_size=6)
