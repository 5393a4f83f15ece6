"""An attacker who has the release, the plan, its record and a stated prior, and no key, learns no more than chance.

The attacker knows how Sfumato draws, the steps with their names and every value that could be the truth. What they lack
is the key: they try seeds, as the ones that a plan used to have, the key made of each, row numbers, released values
and pseudonyms as units. The same attacks succeed where a plan is followed by a seed, which shows that they are attacks.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import md5, sha256
from math import comb
from pathlib import Path

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import drafted

from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan, numbered
from sfumato.plans.steps.add_noise import AddNoise
from sfumato.plans.steps.post_randomise import PostRandomise
from sfumato.plans.steps.pseudonymise import Pseudonymise
from sfumato.plans.steps.shift_dates import ShiftDates
from sfumato.plans.steps.suppress_records import SuppressRecords
from sfumato.plans.steps.swap_ranks import SwapRanks
from sfumato.secrets import Secrets
from sfumato.tables.engines.duckdb import DuckDB

N = 300
AGES = [20 + (i * 37) % 60 for i in range(N)]
DAYS = [date(2020, 1, 1) + timedelta(days=(i * 53) % 700) for i in range(N)]
SMOKES = [("no", "yes", "former")[(i * i + i // 7) % 3] for i in range(N)]
PEOPLE = [f"P{i:03}" for i in range(N)]
INCOMES = [1000 + (i * 7919) % 10_007 for i in range(N)]

OLD = SuppressRecords(where={"column": "age", "at_least": 60})
YOUNG = SuppressRecords(where={"column": "age", "below": 30})
SEEDS = [None, "", "0", "1", "7", "42", "2024", *map(str, range(100, 120))]


@dataclass
class Release:
    """What left: the rows in an order that says nothing, the plan and its record."""

    plan: Plan
    rows: dict[str, list]
    truth: dict[str, list]  # of the same records, for the tests to count hits with; no attacker sees it


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder without a key: `make demo` leaves one where it runs."""
    monkeypatch.chdir(tmp_path)


def released(*steps, seed: str | None = None) -> Release:
    columns = {"id": PEOPLE, "age": AGES, "day": DAYS, "smokes": SMOKES, "income": INCOMES}
    draft = drafted(DuckDB(), {name: pa.array(values) for name, values in columns.items()}, subject="id")
    plan = Plan(numbered([(step, None) for step in steps]), seed)
    after = plan.apply(draft, Secrets())
    found = _rows(after)
    numbers = [row[0] for row in found]
    rows = {name: [row[1 + i] for row in found] for i, name in enumerate(after.names)}
    truth = {name: [values[n - 1] for n in numbers] for name, values in columns.items()}
    return Release(plan, rows, truth)


def _rows(after: Draft):
    items = ", ".join(f'record."{name}"' for name in after.names)
    return after.engine.fetch(f"SELECT {after.number}, {items} FROM {after.table} AS record ORDER BY 1")


def keys():
    """Every key that somebody can make without the key: of seeds, of names, and trivial ones."""
    yield from (bytes(32), b"\xff" * 32, sha256(b"").digest())
    for seed in filter(None, SEEDS):
        yield sha256(f"sfumato seed, no secret|{seed}".encode()).digest()
        yield sha256(seed.encode()).digest()


def uniforms(release: Release, step: int, units: list[str], draw: str = ""):
    """Numbers for units by every way that was ever used, and every key that can be guessed."""
    name = release.plan.steps[step].id
    for key in keys():
        purpose = hmac.new(key, json.dumps(["sfumato 1", "draw", name, draw]).encode(), "sha256").digest()
        yield [int(hmac.new(purpose, u.encode(), "sha256").hexdigest()[:13], 16) / 2**52 for u in units]
    for seed in filter(None, SEEDS):
        yield [int(md5(f"{seed}|{name}|{draw}|{u}".encode()).hexdigest()[:13], 16) / 2**52 for u in units]


def content(cells: dict) -> str:
    """The unit of a record whose cells are all known, or guessed."""
    text = "".join(f"{len(n)}:{n}={'-' if v is None else f'{len(str(v))}:{v}'}" for n, v in sorted(cells.items()))
    return f"record {hmac.new(bytes(32), text.encode(), 'sha256').hexdigest()} 1"


def units_of(release: Release, guessed: dict[str, list]) -> list[list[str]]:
    """All that a record may be drawn by: its number, its person, its pseudonym, its cells."""
    size = len(release.rows["age"])
    people = guessed.get("id", release.rows.get("id", ["?"] * size))
    shown = release.rows.get("id", people)
    names = ("id", "age", "day", "smokes", "income")
    cells = [{n: guessed.get(n, release.rows.get(n, [None] * size))[i] for n in names} for i in range(size)]
    return [
        [str(i + 1) for i in range(size)],
        [f"row {i + 1}" for i in range(size)],
        [f"subject {p}" for p in people],
        [f"subject {p}" for p in shown],
        [content(c) for c in cells],
    ]


def likely(hits: int, n: int, p: float) -> bool:
    """Whether so many hits, or more, come by chance more often than once in 10^7."""
    return sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(hits, n + 1)) > 1e-7


def noise_hits(release: Release, step: int, width: int, **guessed) -> int:
    """The most values that an attacker restores who takes off the noise of any key, seed and unit."""
    best = 0
    for units in units_of(release, guessed):
        for drawn in uniforms(release, step, units, "noise"):
            guesses = [a - (int(u * width) - width // 2) for a, u in zip(release.rows["age"], drawn, strict=True)]
            best = max(best, sum(g == t for g, t in zip(guesses, release.truth["age"], strict=True)))
    return best


def shift_hits(release: Release, step: int, days: int, **guessed) -> int:
    best = 0
    for units in units_of(release, guessed):
        for drawn in uniforms(release, step, units):
            offsets = [int(u * (2 * days + 1)) - days for u in drawn]
            guesses = [d - timedelta(days=o) for d, o in zip(release.rows["day"], offsets, strict=True)]
            best = max(best, sum(g == t for g, t in zip(guesses, release.truth["day"], strict=True)))
    return best


# Everything but the value that is sought is known to the attacker, who is sure that it is true: the strongest prior.
KNOWN = {"id": PEOPLE, "day": DAYS, "smokes": SMOKES, "income": INCOMES}
TRIES = 5 * len(list(keys())) + 5 * len([s for s in SEEDS if s])


@pytest.mark.parametrize(
    "others",
    [
        (),
        (Pseudonymise("id"),),
        (OLD,),
        (YOUNG, Pseudonymise("id")),
    ],
    ids=["alone", "pseudonyms", "suppression", "both"],
)
def test_noise_is_taken_off_no_better_than_chance(others):
    step = AddNoise("age", range=(-10, 10))
    release = released(*others, step)
    n = len(release.rows["age"])
    known = {name: [release.truth[name][i] for i in range(n)] for name in KNOWN}
    assert likely(noise_hits(release, len(others), 21, **known), n, (1 / 21))
    # The attacker who guesses the age as well knows it: with the whole record right, and no key, still only chance.
    assert likely(noise_hits(release, len(others), 21, **release.truth), n, (1 / 21))


@pytest.mark.parametrize("pseudonyms", [False, True])
@pytest.mark.parametrize("suppressed", [False, True])
def test_shifted_dates_are_restored_no_better_than_chance(pseudonyms, suppressed):
    others = [Pseudonymise("id")] * pseudonyms + [OLD] * suppressed
    release = released(*others, ShiftDates("day", days=30))
    n = len(release.rows["day"])
    assert likely(shift_hits(release, len(others), 30, **release.truth), n, 1 / 61)
    assert likely(shift_hits(release, len(others), 30), n, 1 / 61)


@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_real_noise_lies_on_no_grid_that_tells_which_cents_it_was_added_to(kind):
    """Of prices in cents, only each 125th lay on the grid of the noise before, so that a few guesses were left."""
    prices = [round(50 + i * 0.37, 2) for i in range(2000)]
    draft = drafted(DuckDB(), {"price": pa.array(prices)})
    plan = Plan(numbered([(AddNoise("price", kind=kind, scale=5), None)]))
    noisy = [row[1] for row in _rows(plan.apply(draft, Secrets()))]
    places = [((x - price) / 5 * 2**24) % 1 for x, price in zip(noisy, prices, strict=True)]
    tenths = [sum(i / 10 <= place < (i + 1) / 10 for place in places) for i in range(10)]
    assert sum((n - 200) ** 2 / 200 for n in tenths) < 27.9  # chi-square of 9 degrees, 1 in 1,000


def test_the_same_attacks_succeed_on_a_release_that_only_a_seed_drew(monkeypatch):
    monkeypatch.delenv("SFUMATO_KEY")
    noisy = released(AddNoise("age", range=(-10, 10)), seed="7")
    assert noise_hits(noisy, 0, 21, **noisy.truth) == N
    shifted = released(Pseudonymise("id"), ShiftDates("day", days=30), seed="42")
    assert shift_hits(shifted, 1, 30, id=shifted.truth["id"]) == N
    assert shift_hits(shifted, 1, 30) < 30  # the pseudonym is not what a shift is by


def test_post_randomised_values_are_pinned_no_better_than_the_matrix_allows():
    step = PostRandomise("smokes", keep=0.5)
    release = released(step)
    frequencies = {word: SMOKES.count(word) for word in set(SMOKES)}
    matrix = step.transitions(frequencies)
    prior = {word: n / N for word, n in frequencies.items()}

    def posterior(seen):
        weights = {word: prior[word] * matrix[word][seen] for word in prior}
        return max(weights, key=weights.get), max(weights.values()) / sum(weights.values())

    pairs = list(zip(release.rows["smokes"], release.truth["smokes"], strict=True))
    by_the_matrix = sum(posterior(seen)[0] == truth for seen, truth in pairs)
    best = 0
    for units in units_of(release, release.truth):
        for drawn in uniforms(release, 0, units):
            pinned = 0
            for (seen, truth), u in zip(pairs, drawn, strict=True):
                possible = [w for w in matrix if _becomes(matrix[w], u) == seen]
                guess = max(possible, key=prior.get) if possible else posterior(seen)[0]
                pinned += guess == truth
            best = max(best, pinned)
    # The best of some hundred tries is a little above the expected share of any one; never near what a key would give.
    chance = max(posterior(seen)[1] for seen in matrix)
    assert likely(best, N, max(chance, by_the_matrix / N))


def _becomes(row, u):
    total = 0.0
    for word, p in row.items():
        total += p
        if u < total:
            return word
    return word


def test_post_randomised_values_of_a_seed_are_pinned(monkeypatch):
    monkeypatch.delenv("SFUMATO_KEY")
    step = PostRandomise("smokes", keep=0.5)
    release = released(step, seed="7")
    matrix = step.transitions({word: SMOKES.count(word) for word in set(SMOKES)})
    best = 0
    for units in units_of(release, release.truth):
        for drawn in uniforms(release, 0, units):
            pairs = zip(release.rows["smokes"], release.truth["smokes"], drawn, strict=True)
            best = max(best, sum(_becomes(matrix[truth], u) == seen for seen, truth, u in pairs))
    assert best == N


def test_swaps_are_undone_no_better_than_chance(monkeypatch):
    from sfumato.plans.steps.swap_ranks import swapped

    step = SwapRanks("income", share=10)

    def hits(release):
        order = sorted(range(N), key=lambda i: release.rows["income"][i])
        best = 0
        for units in units_of(release, release.truth):
            for drawn in uniforms(release, 0, units, "partner"):
                # A swap is its own inverse: who draws the same numbers per rank of the truth swaps back.
                ranked = sorted(range(N), key=lambda i: release.truth["income"][i])
                sources = swapped([drawn[i] for i in ranked], int(N * 0.1))
                values = sorted(release.truth["income"])
                back = {ranked[rank]: values[sources[rank]] for rank in range(N)}
                best = max(best, sum(back[i] == release.rows["income"][i] for i in order))
        return best

    keyed = hits(released(step))
    assert likely(keyed, N, 1 / 30 + 0.02)
    monkeypatch.delenv("SFUMATO_KEY")
    assert hits(released(step, seed="7")) == N


def test_pseudonyms_are_not_computed_by_who_knows_every_identifier():
    release = released(Pseudonymise("id"))
    for key in keys():
        purpose = hmac.new(key, json.dumps(["sfumato 1", "pseudonyms"]).encode(), "sha256").digest()
        guessed = {hmac.new(purpose, f"pseudonym|0||{p}".encode(), "sha256").hexdigest()[:16] for p in PEOPLE}
        assert not guessed & set(release.rows["id"])


def test_offsets_of_people_and_their_pseudonyms_have_nothing_to_do_with_each_other():
    """Offsets by the pseudonym would be the same in two releases whose people are others and pseudonyms the same."""
    release = released(Pseudonymise("id"), ShiftDates("day", days=30))
    offsets = [(a - b).days for a, b in zip(release.rows["day"], release.truth["day"], strict=True)]
    alone = released(ShiftDates("day", days=30))
    assert offsets == [(a - b).days for a, b in zip(alone.rows["day"], alone.truth["day"], strict=True)]
    first = [int(p[:8], 16) / 2**32 for p in release.rows["id"]]
    mean_p, mean_o = sum(first) / N, sum(offsets) / N
    covariance = sum((p - mean_p) * (o - mean_o) for p, o in zip(first, offsets, strict=True))
    spread = (sum((p - mean_p) ** 2 for p in first) * sum((o - mean_o) ** 2 for o in offsets)) ** 0.5
    assert abs(covariance / spread) < 5 / N**0.5
