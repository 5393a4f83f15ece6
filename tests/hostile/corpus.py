"""All hostile cases."""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from math import ceil

from tests.hostile import cases
from tests.hostile.case import Case


def all_cases() -> list[Case]:
    """Every case of the modules in the folder `cases`; their names are folders, so each stands once."""
    modules = sorted(module.name for module in pkgutil.iter_modules(cases.__path__))
    every = [case for name in modules for case in importlib.import_module(f"{cases.__name__}.{name}").CASES]
    assert len({case.name for case in every}) == len(every)
    return every


def sliced() -> list[Case]:
    """The cases of `make test`: one in eleven of known answer, one in fifteen of the others, none that is heavy."""
    light = [case for case in all_cases() if not case.heavy]
    known = [case for case in light if (case.refused, case.records, case.says) != (None, None, None)]
    others = [case for case in light if case not in known]
    return known[::11] + others[::15]


def spread(least: int) -> list[Case]:
    """At least so many cases, the same ones each time: of every kind of file its share, evenly spaced, and one or more.

    A kind of file is what the name begins with: `csv`, `xlsx`, `project`, `package`.
    """
    by_kind, every = defaultdict(list), all_cases()
    for case in every:
        by_kind[case.name.partition("-")[0]].append(case)
    share = min(1.0, least / len(every))
    counts = {kind: ceil(len(cases) * share) for kind, cases in by_kind.items()}
    return [cases[i * len(cases) // counts[kind]] for kind, cases in by_kind.items() for i in range(counts[kind])]
